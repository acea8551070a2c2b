"""Decomposition and Decomposition+, slow and obvious, with first picks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class DecompositionReference:
    """Groups from the largest buckets, noise for the rest.

    ``columns`` are the sensitive columns, the primary one first; ``candidates`` lists each
    column's values in the order in which they serve as noise.
    """

    columns: Sequence[Sequence[object]]
    candidates: Sequence[Sequence[object]]
    wanted: Sequence[int]
    k: int = 1
    people: Sequence[int] | None = None

    def run(self) -> tuple[list[int], list[tuple[int, int, object]]]:
        """Labels, and the noise as (attribute, group, value)."""
        groups = self.open()
        self.enlarge(groups)
        groups = [group for group in groups if group]
        labels = {row: label for label, group in enumerate(groups) for row in group}
        noise = []
        for j in range(1, len(self.columns)):
            for label, group in enumerate(groups):
                held = {self.columns[j][row] for row in group}
                lacking = [value for value in self.candidates[j] if value not in held]
                more = max(self.wanted[j] - len(held), 0)
                noise += [(j, label, value) for value in lacking[:more]]
        return [labels[row] for row in range(len(self.columns[0]))], noise

    def open(self) -> list[list[int]]:
        key = self.columns[0]
        shown = list(dict.fromkeys(key))
        rest = {v: [row for row, value in enumerate(key) if value == v] for v in shown}
        groups: list[list[int]] = []
        while sum(bool(rows) for rows in rest.values()) >= self.wanted[0]:
            ranked = sorted(shown, key=lambda v: (-len(rest[v]), shown.index(v)))
            groups.append([rest[value].pop(0) for value in ranked[: self.wanted[0]]])
        for row in sorted(row for rows in rest.values() for row in rows):
            free = [group for group in groups if key[row] not in [key[r] for r in group]]
            min(free or groups, key=len).append(row)
        return groups

    def crowd(self, group: Sequence[int]) -> int:
        return len({row if self.people is None else self.people[row] for row in group})

    def enlarge(self, groups: list[list[int]]) -> None:
        small = [group for group in groups if self.crowd(group) < self.k]
        while small:
            group = small.pop(0)
            while small and self.crowd(group) < self.k:
                other = small.pop(0)
                group += other
                other.clear()
            others = [each for each in groups if each and each is not group]
            if self.crowd(group) < self.k and others:
                min(others, key=self.crowd).extend(group)
                group.clear()
