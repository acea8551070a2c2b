"""GCA, (αᵢ, k)-GCA and Anatomy, slow and obvious: lists of rows, every share counted anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.reference.gaacp import Attribute


@dataclass
class GcaReference:
    """Sections 4.1 and 4.2 of the paper on (αᵢ, k)-anonymity with the readings that `shoal.LeveledGCA` lists.

    ``levels`` gives the level of each value, or ``None``: then every value is its own, and
    only sizes count. ``bounds`` maps each value to its largest share; ``sets`` lists sets of
    values that are bounded together: who holds two of a set counts twice for it, but a set
    never as more than the whole class.
    """

    values: Sequence[str | None]
    k: int
    bounds: dict[str | None, Fraction]
    levels: dict[str | None, int] | None = None
    sets: Sequence[tuple[set[str | None], Fraction]] = ()
    people: Sequence[int] | None = None
    attributes: Sequence[Attribute] | None = None
    """Given: the nearest record of a bucket joins, not the first."""
    stop: str = "exhausted"
    """``"paper"``: no class is begun where fewer than k values have records left (line 4)."""
    passes: str = "distinct"
    """``"largest"``: in every pass the largest bucket of a level gives, whatever was taken."""
    farthest_from: str = "level-1"
    """``"record"``: left-over records go where the most sensitive level is far from theirs."""

    def who(self, row: int) -> int:
        return row if self.people is None else self.people[row]

    def count(self, rows: list[int]) -> int:
        return len({self.who(row) for row in rows})

    def valid(self, rows: list[int]) -> bool:
        size = self.count(rows)
        if size < self.k:
            return False
        held = {
            value: len({self.who(row) for row in rows if self.values[row] == value})
            for value in {self.values[row] for row in rows}
        }
        return all(Fraction(c, size) <= self.bounds[v] for v, c in held.items()) and all(
            Fraction(min(sum(held.get(v, 0) for v in together), size), size) <= bound
            for together, bound in self.sets
        )

    def distance(self, row: int, members: list[int]) -> Fraction:
        return sum(
            (a.weight * a.distance(row, a.describe(members)) for a in self.attributes or []),
            Fraction(0),
        )

    def joining(self, bucket: list[int], members: list[int]) -> list[int]:
        """List the records of a bucket whose person is not yet in the class."""
        met = {self.who(row) for row in members}
        return [row for row in bucket if self.who(row) not in met]

    def take(self, bucket: list[int], members: list[int]) -> int:
        chosen, *_ = able = self.joining(bucket, members)
        if self.attributes is not None and members:
            # Buckets are in order, and min keeps the first of equals.
            chosen = min(able, key=lambda row: self.distance(row, members))
        bucket.remove(chosen)
        return chosen

    def labels(self, order: Sequence[int] | None = None) -> list[int]:
        order = range(len(self.values)) if order is None else order
        turn = {row: i for i, row in enumerate(order)}
        buckets: dict[str | None, list[int]] = {}
        for row in order:
            buckets.setdefault(self.values[row], []).append(row)
        classes: list[list[int]] = []
        made: list[int] | None = []
        while made is not None and self.may_begin(buckets):
            kept = {value: list(bucket) for value, bucket in buckets.items()}
            made = self.make(buckets, turn)
            if made is None:
                buckets = kept
            else:
                classes.append(made)
        left = sorted((row for b in buckets.values() for row in b), key=lambda row: turn[row])
        for row in left:
            fitting = [c for c in range(len(classes)) if self.valid([*classes[c], row])]
            if fitting:
                classes[min(fitting, key=lambda c: self.rank(row, classes[c], c))].append(row)
        return _labels(len(self.values), classes)

    def may_begin(self, buckets: dict[str | None, list[int]]) -> bool:
        """Read line 4: there are groups that are not empty, and no fewer than k of them."""
        full = sum(bool(bucket) for bucket in buckets.values())
        return full > 0 and (self.stop != "paper" or full >= self.k)

    def make(self, buckets: dict[str | None, list[int]], turn: dict[int, int]) -> list[int] | None:
        """Make one class, or ``None`` if the records do not suffice."""

        def by_size(value: str | None) -> tuple[int, int]:
            return (-len(buckets[value]), turn[buckets[value][0]])

        full = [value for value, bucket in buckets.items() if bucket]
        if self.levels is None:
            own = min(full, key=by_size)
        else:
            level_of = self.levels
            own = min(full, key=lambda value: (level_of[value], *by_size(value)))
        members = [self.take(buckets[own], [])]
        used: set[str | None] = set()
        while True:
            before = len(members)
            for several in self.one_pass(own, buckets, by_size):
                able = [v for v in several if self.joining(buckets[v], members) and v not in used]
                if able:
                    chosen = min(able, key=by_size)
                    members.append(self.take(buckets[chosen], members))
                    if self.valid(members):
                        return members
                    if self.levels is not None and self.passes == "distinct":
                        used.add(chosen)
            if len(members) == before:
                if not used:
                    return None
                used = set()  # every value had its turn: now they may repeat

    def one_pass(
        self,
        own: str | None,
        buckets: dict[str | None, list[int]],
        by_size: Callable[[str | None], tuple[int, int]],
    ) -> list[list[str | None]]:
        """List the turns of a pass: at each, the values of which one gives a record."""
        full = [value for value, bucket in buckets.items() if bucket]
        if self.levels is None:
            return [[value] for value in sorted(full, key=by_size) if value != own]
        levels = {self.levels[value] for value in full} - {self.levels[own]}
        return [
            [value for value in full if self.levels[value] == level]
            for level in sorted(levels, reverse=True)
        ]

    def rank(self, row: int, members: list[int], c: int) -> tuple[int, ...]:
        """Rank a class for a left-over record; the least is the best."""
        value = self.values[row]
        size = self.count(members)
        if self.levels is None:
            return (int(value in {self.values[r] for r in members}), size, c)
        present = {self.levels[self.values[r]] for r in members}
        level = self.levels[value]
        origin = level if self.farthest_from == "record" else 1
        return (int(level in present), -abs(origin - min(present)), size, c)

    def dealt(self, order: Sequence[int] | None = None) -> list[int]:
        """Deal the records, sorted by level and value, to as many classes as all stay valid."""
        order = range(len(self.values)) if order is None else order
        held = [self.values[row] for row in order]
        cards = sorted(
            order,
            key=lambda row: (
                0 if self.levels is None else self.levels[self.values[row]],
                -held.count(self.values[row]),
                held.index(self.values[row]),
            ),
        )
        for several in range(len(cards) // self.k, 0, -1):
            classes = [cards[c::several] for c in range(several)]
            if all(self.valid(members) for members in classes):
                return _labels(len(self.values), classes)
        return [-1] * len(self.values)


def anatomy(
    values: Sequence[object],
    least: int,
    people: Sequence[int] | None = None,
    order: Sequence[int] | None = None,
    lacking: Callable[[list[int]], list[int]] = list,
) -> list[int]:
    """Anatomy: ``least`` records of different values, and people, from the largest buckets.

    ``lacking`` orders the groups that lack a value; its residues join one of them each. It is
    called value by value, in sorted order.
    """
    order = range(len(values)) if order is None else order
    turn = {row: i for i, row in enumerate(order)}
    buckets: dict[object, list[int]] = {}
    for row in order:
        buckets.setdefault(values[row], []).append(row)
    groups: list[list[int]] = []
    while True:
        group: list[int] = []
        full = [value for value, bucket in buckets.items() if bucket]
        for value in sorted(full, key=lambda v: (-len(buckets[v]), turn[buckets[v][0]])):
            met = {row if people is None else people[row] for row in group}
            new = [r for r in buckets[value] if (r if people is None else people[r]) not in met]
            if new and len(group) < least:
                group.append(new[0])
        if len(group) < least:
            break
        for row in group:
            buckets[values[row]].remove(row)
        groups.append(group)
    for value in sorted((v for v in buckets if buckets[v]), key=lambda v: (v is None, v)):
        free = [g for g in range(len(groups)) if value not in {values[r] for r in groups[g]}]
        if groups:
            for row, g in zip(buckets[value], lacking(free), strict=False):
                groups[g].append(row)
    return _labels(len(values), groups)


def _labels(n: int, classes: list[list[int]]) -> list[int]:
    labels = [-1] * n
    for label, members in enumerate(classes):
        for row in members:
            labels[row] = label
    return labels
