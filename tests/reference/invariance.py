"""Classes that keep their values, slow and obvious: lists of rows, every distance anew.

It shares nothing with `shoal.methods._invariance`: values are texts, quotas are found by trying.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product


def eligible(counts: dict[str, int], m: int) -> bool:
    """At most one record in m holds the same value."""
    return all(count * m <= sum(counts.values()) for count in counts.values())


def best_quotas(counts: Sequence[int], holes: Sequence[int], m: int) -> tuple[int, int]:
    """Try all: how many records can be placed at most, and then, how many of them in holes?"""
    best = (-1, -1)
    for taken in product(*(range(min(c, h) + 1) for c, h in zip(counts, holes, strict=True))):
        for own in product(*(range(c - t + 1) for c, t in zip(counts, taken, strict=True))):
            if eligible(dict(enumerate(own)), m):  # type: ignore[arg-type]
                best = max(best, (sum(taken) + sum(own), sum(taken)))
    return best


def can_be_dealt(values: Sequence[str], m: int) -> bool:
    """Try all ways to cut some records into classes of m or more different values."""
    if not values:
        return True
    first, rest = values[0], list(range(1, len(values)))
    for size in range(m - 1, len(rest) + 1):
        for others in combinations(rest, size):
            held = [first, *(values[at] for at in others)]
            left = [values[at] for at in rest if at not in others]
            if len(set(held)) == len(held) and can_be_dealt(left, m):
                return True
    return False


@dataclass
class InvarianceReference:
    """Xiao and Tao (2007), with the readings that `shoal.methods._invariance` lists.

    Parameters
    ----------
    values
        The sensitive value of each row.
    known
        The signature of each row, ``None`` for a new one; ``order`` lists the signatures.
    distance
        What it costs a class that a row joins.
    taken, own
        How many new records of each value fill holes, and make classes of their own.
    seeds
        All rows in the order in which they become seeds; ``None``: the row farthest from the last
        class does, ``first`` to begin with.
    """

    values: Sequence[str]
    m: int
    known: Sequence[frozenset[str] | None]
    order: Sequence[frozenset[str]]
    distance: Callable[[int, list[int]], Fraction]
    taken: dict[str, int]
    own: dict[str, int]
    seeds: Sequence[int] | None = None
    first: int = 0
    last: list[int] = field(default_factory=list)

    def classes(self) -> list[tuple[list[int], frozenset[str]]]:
        pool = [row for row, signature in enumerate(self.known) if signature is None]
        taken = dict(self.taken)
        buckets = {}
        for signature in self.order:
            mine = [
                row
                for row, each in enumerate(self.known)
                if each == signature and self.values[row] in signature
            ]
            if mine:
                buckets[signature] = self.split(signature, mine, pool, taken)
        apart = []
        again = dict.fromkeys(buckets, 0)
        own = dict(self.own)
        while any(own.values()):
            rows = self.new_class(pool, own)
            signature = frozenset(self.values[row] for row in rows)
            if signature in buckets:
                buckets[signature].append(rows)
                again[signature] += 1
            else:
                apart.append((rows, signature))
        made = []
        for signature, classes in buckets.items():
            if again[signature]:
                rows = sorted(row for each in classes for row in each)
                classes = self.split(signature, rows, [], {})
            made += [(rows, signature) for rows in classes]
        return made + apart

    def split(
        self,
        signature: frozenset[str],
        mine: list[int],
        pool: list[int],
        taken: dict[str, int],
    ) -> list[list[int]]:
        held = Counter(self.values[row] for row in mine)
        layers = max(held.values())
        quota = {}
        for value in signature:
            quota[value] = min(layers - held[value], taken.get(value, 0))
            taken[value] = taken.get(value, 0) - quota[value]
        mine, made = list(mine), []
        for _ in range(layers):
            members: list[int] = []
            while True:
                lacks = signature - {self.values[row] for row in members}
                may = [row for row in mine if self.values[row] in lacks]
                if members:
                    may += [
                        row
                        for row in pool
                        if self.values[row] in lacks and quota[self.values[row]] > 0
                    ]
                if not may:
                    break
                row = self.nearest(may, members) if members else self.seed(may)
                members.append(row)
                if row in pool:
                    pool.remove(row)
                    quota[self.values[row]] -= 1
                else:
                    mine.remove(row)
            made.append(members)
            self.last = members
        assert not mine
        return made

    def new_class(self, pool: list[int], own: dict[str, int]) -> list[int]:
        """Grow a class of the least size that leaves the others eligible, values as needed."""
        size = next(
            size for size in range(self.m, sum(own.values()) + 1) if self.completions([], size, own)
        )
        members: list[int] = []
        while len(members) < size:
            held = [self.values[row] for row in members]
            may = [
                row
                for row in pool
                if self.values[row] not in held
                and own[self.values[row]] > 0
                and self.completions([*held, self.values[row]], size, own)
            ]
            row = self.nearest(may, members) if members else self.seed(may)
            members.append(row)
            pool.remove(row)
        for row in members:
            own[self.values[row]] -= 1
        self.last = members
        return members

    def completions(self, held: list[str], size: int, own: dict[str, int]) -> bool:
        """Say whether a class that holds some values can be completed, the rest eligible."""
        others = [value for value, count in own.items() if count > 0 and value not in held]
        return any(
            eligible({v: c - (v in held or v in more) for v, c in own.items()}, self.m)
            for more in combinations(others, size - len(held))
        )

    def nearest(self, rows: list[int], members: list[int]) -> int:
        return min(rows, key=lambda row: (self.distance(row, members), row))

    def seed(self, rows: list[int]) -> int:
        if self.seeds is not None:
            return next(row for row in self.seeds if row in rows)
        if not self.last:
            return self.first if self.first in rows else min(rows)
        return min(rows, key=lambda row: (-self.distance(row, self.last), row))
