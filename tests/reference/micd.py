"""MICD, slow and obvious: plain Python lists, every centre computed anew, every group looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, log

GRID = 2**20


def degrees(values: Sequence[object]) -> dict[object, int]:
    n = len(values)
    return {v: round(log(n / values.count(v)) * GRID) for v in set(values)}


def entropy(values: Sequence[object]) -> float:
    shares = [values.count(v) / len(values) for v in set(values)]
    return fsum(-p * log(p) for p in shares)


@dataclass
class MicdReference:
    """Algorithm 1 of Zhang et al. (2014) with the readings that `shoal.MICD` lists.

    ``columns`` are the sensitive columns, the primary one first, the others in the order in
    which they are treated; ``domain`` lists each column's values in code order.
    """

    columns: list[list[object]]
    domain: list[list[object]]
    wanted: list[int]
    leftovers: str = "spread"
    noise: str = "allow"
    k: int = 1
    people: list[int] | None = None

    def __post_init__(self) -> None:
        self.n = len(self.columns[0])
        self.degree = [degrees(column) for column in self.columns]
        self.groups: list[list[int]] = []
        self.added: list[list[set[object]]] = []

    def held(self, g: int, j: int) -> set[object]:
        return {self.columns[j][row] for row in self.groups[g]} | self.added[g][j]

    def centre(self, g: int, j: int) -> int:
        held = self.held(g, j)
        total = sum(self.degree[j][v] for v in held)
        return (2 * total + len(held)) // (2 * len(held))

    def far(self, row: int, g: int) -> int:
        """P_all: the attributes but the primary one."""
        return sum(
            abs(self.degree[j][self.columns[j][row]] - self.centre(g, j))
            for j in range(1, len(self.columns))
        )

    def apart(self, g: int, h: int) -> int:
        """P_com: all attributes."""
        return sum(abs(self.centre(g, j) - self.centre(h, j)) for j in range(len(self.columns)))

    def run(
        self, order: Sequence[int] | None = None
    ) -> tuple[list[int], list[tuple[int, int, object]]]:
        """Labels, and the noise as (attribute, group, value) in the order in which it is added."""
        queue = list(range(self.n) if order is None else order)
        key = self.columns[0]
        shown = list(dict.fromkeys(key))
        rest = {v: [row for row in range(self.n) if key[row] == v] for v in shown}
        while True:
            ranked = sorted(
                (v for v in shown if rest[v]), key=lambda v: (-len(rest[v]), shown.index(v))
            )[: self.wanted[0]]
            if len(ranked) < self.wanted[0]:
                break
            first = next(row for row in queue if row in rest[ranked[0]])
            rest[ranked[0]].remove(first)
            g = len(self.groups)
            self.groups.append([first])
            self.added.append([set() for _ in self.columns])
            for value in ranked[1:]:
                row = max(rest[value], key=lambda row: (self.far(row, g), -row))
                rest[value].remove(row)
                self.groups[g].append(row)
        for row in sorted(row for rows in rest.values() for row in rows):
            self.groups[self.choose(row)].append(row)
        into = list(range(len(self.groups)))
        noise: list[tuple[int, int, object]] = []
        for j in range(len(self.columns)):
            self.diversify(j, into, noise)
        self.enlarge(into)
        number: dict[int, int] = {}
        labels = [-1] * self.n
        for g in range(len(self.groups)):
            if into[g] == g:
                number[g] = len(number)
                for row in self.groups[g]:
                    labels[row] = number[g]
        kept: list[tuple[int, int, object]] = []
        for j, g, value in noise:
            root = self.root(g, into)
            real = {self.columns[j][row] for row in self.groups[root]}
            if value not in real and (j, number[root], value) not in kept:
                kept.append((j, number[root], value))
        return labels, kept

    def root(self, g: int, into: list[int]) -> int:
        while into[g] != g:
            g = into[g]
        return g

    def choose(self, row: int) -> int:
        every = range(len(self.groups))
        if self.leftovers == "paper":
            return max(every, key=lambda g: (self.far(row, g), -g))
        free = [g for g in every if self.columns[0][row] not in self.held(g, 0)]
        if free:
            return max(free, key=lambda g: (self.far(row, g), -len(self.groups[g]), -g))
        return max(every, key=lambda g: (-len(self.groups[g]), self.far(row, g), -g))

    def merge(self, g: int, h: int, into: list[int]) -> None:
        into[h] = g
        self.groups[g] += self.groups[h]
        for j, values in enumerate(self.added[h]):
            self.added[g][j] |= values
        self.groups[h] = []

    def short(self, j: int, into: list[int]) -> list[int]:
        return [
            g
            for g in range(len(self.groups))
            if into[g] == g and len(self.held(g, j)) < self.wanted[j]
        ]

    def diversify(self, j: int, into: list[int], noise: list[tuple[int, int, object]]) -> None:
        waiting = self.short(j, into)
        while waiting:
            g = waiting.pop(0)
            while len(self.held(g, j)) < self.wanted[j]:
                reach = [(len(self.held(g, j) | self.held(h, j)), h) for h in waiting]
                partners = [h for size, h in reach if size >= self.wanted[j]]
                if not partners and self.noise != "never":
                    self.pad(g, j, noise)
                    break
                partners = partners or [h for size, h in reach if size > len(self.held(g, j))]
                if not partners:
                    break
                h = max(partners, key=lambda h: (self.apart(g, h), -h))
                self.merge(g, h, into)
                waiting.remove(h)
        for g in self.short(j, into):
            hosts = [
                h
                for h in range(len(self.groups))
                if into[h] == h and len(self.held(h, j)) >= self.wanted[j]
            ]
            self.merge(min(hosts, key=lambda h: (len(self.groups[h]), h)), g, into)

    def pad(self, g: int, j: int, noise: list[tuple[int, int, object]]) -> None:
        while len(self.held(g, j)) < self.wanted[j]:
            centre = self.centre(g, j)
            lacking = [v for v in self.domain[j] if v not in self.held(g, j)]
            lacking.sort(key=lambda v: -abs(self.degree[j][v] - centre))
            together = self.wanted[j] - len(self.held(g, j)) if self.noise == "allow" else 1
            for value in lacking[:together]:
                self.added[g][j].add(value)
                noise.append((j, g, value))

    def crowd(self, g: int) -> int:
        """How many people a group holds."""
        return len({row if self.people is None else self.people[row] for row in self.groups[g]})

    def enlarge(self, into: list[int]) -> None:
        waiting = [g for g in range(len(self.groups)) if into[g] == g and self.crowd(g) < self.k]
        while waiting:
            g = waiting.pop(0)
            while self.crowd(g) < self.k and waiting:
                h = max(waiting, key=lambda h: (self.apart(g, h), -h))
                self.merge(g, h, into)
                waiting.remove(h)
            if self.crowd(g) < self.k:
                hosts = [h for h in range(len(self.groups)) if into[h] == h and h != g]
                if hosts:
                    self.merge(min(hosts, key=lambda h: (len(self.groups[h]), h)), g, into)
