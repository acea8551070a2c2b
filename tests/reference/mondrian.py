"""Mondrian, slow and obvious: plain Python, recursive, every part judged anew from its rows.

It shares nothing with the kernels: hierarchies are parent maps, parts are lists of rows, widths
are fractions, and a cut is made in full before it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

Rows = list[int]


@dataclass
class Number:
    """Numbers per row, ``None`` where missing."""

    values: Sequence[int | None]
    weight: Fraction = Fraction(1)

    def known(self, rows: Sequence[int]) -> list[int]:
        return [value for row in rows if (value := self.values[row]) is not None]

    def width(self, rows: Rows) -> Fraction:
        known = self.known(rows)
        if not known or (len(set(known)) == 1 and len(known) == len(rows)):
            return Fraction(0)
        if len(known) < len(rows):
            return self.weight
        every = self.known(range(len(self.values)))
        return self.weight * Fraction(max(known) - min(known), max(every) - min(every))

    def key(self, row: int) -> tuple[bool, int, int]:
        """Missing cells come last, then the number counts, then the row."""
        value = self.values[row]
        return value is None, value or 0, row

    def cuts(self, rows: Rows, relaxed: bool) -> Iterator[list[Rows]]:
        """Ways to cut, the first to be tried first."""
        yield apart(self.values, rows)
        ordered = sorted(rows, key=self.key)
        median = self.key(ordered[len(rows) // 2])[:2]
        below = [row for row in ordered if self.key(row)[:2] < median]
        upto = [row for row in ordered if self.key(row)[:2] <= median]
        sides = [upto, below]
        sides.sort(key=lambda left: abs(2 * len(left) - len(rows)))  # stable: above first
        for left in sides:
            yield [left, [row for row in rows if row not in left]]
        if relaxed:
            yield [ordered[: len(rows) // 2], ordered[len(rows) // 2 :]]


@dataclass
class Category:
    """Leaf labels per row (``None`` where missing) and a child → parent map in tree order."""

    values: Sequence[str | None]
    parents: dict[str, str | None]
    weight: Fraction = Fraction(1)

    def way(self, label: str) -> list[str]:
        """The labels from the root down to a node."""
        parent = self.parents[label]
        return [label] if parent is None else [*self.way(parent), label]

    def leaves(self, node: str) -> int:
        inner = set(self.parents.values())
        return sum(node in self.way(label) for label in self.parents if label not in inner)

    def lowest(self, rows: Rows) -> str | None:
        """The lowest node above all known cells."""
        found: list[str] | None = None
        for row in rows:
            value = self.values[row]
            if value is not None:
                way = self.way(value)
                shared = way if found is None else [a for a, b in zip(found, way) if a == b]  # noqa: B905
                found = shared
        return None if found is None else found[-1]

    def width(self, rows: Rows) -> Fraction:
        node = self.lowest(rows)
        if node is None:
            return Fraction(0)
        if any(self.values[row] is None for row in rows):
            return self.weight
        every = self.leaves(next(iter(self.parents)))
        return self.weight * Fraction(self.leaves(node) - 1, max(every - 1, 1))

    def children(self, rows: Rows) -> tuple[dict[str, Rows], Rows]:
        """Which rows go to which child of the node, in tree order; and those that go to none."""
        node = self.lowest(rows)
        found: dict[str, Rows] = {label: [] for label in self.parents}
        rest = []
        for row in rows:
            value = self.values[row]
            if value is None:
                rest.append(row)
            elif value != node:
                way = self.way(value)
                found[way[way.index(node or "") + 1]].append(row)
        return {label: members for label, members in found.items() if members}, rest


def apart(values: Sequence[object], rows: Rows) -> list[Rows]:
    """Known cells, and missing ones."""
    known = [row for row in rows if values[row] is not None]
    return [known, [row for row in rows if values[row] is None]]


@dataclass
class Reference:
    """The algorithm as `shoal.Mondrian` describes it."""

    attributes: Sequence[Number | Category]
    n: int
    holds: Callable[[Rows], bool]
    least: int
    """The least size of a part that can hold."""
    relaxed: bool = False

    def cut_node(self, attribute: Category, rows: Rows) -> list[Rows] | None:
        """Cut a node into its children; those that fail are the rest, which may take more."""
        children, rest = attribute.children(rows)
        for label in list(children):
            if not self.holds(children[label]):
                rest += children.pop(label)
        taken = 0
        while children and rest and not self.holds(rest):
            if self.relaxed:
                largest = max(children, key=lambda label: len(children[label]))
                gift = max(self.least - len(rest), taken, 1)
                mine = children[largest]
                if len(mine) - gift < self.least:
                    gift = len(mine)
                rest += mine[-gift:]
                children[largest] = mine[:-gift]
                taken += gift
                if not children[largest] or not self.holds(children[largest]):
                    rest += children.pop(largest)
            else:
                for _ in range(max(taken, 1)):
                    if children:
                        smallest = min(children, key=lambda label: len(children[label]))
                        rest += children.pop(smallest)
                        taken += 1
        made = [*children.values(), *([sorted(rest)] if rest else [])]
        return made if children and len(made) > 1 else None

    def cut(self, rows: Rows) -> list[Rows] | None:
        """The first cut that holds, the widest attribute first."""
        widths = [attribute.width(rows) for attribute in self.attributes]
        for j in sorted(range(len(widths)), key=lambda j: -widths[j]):
            attribute = self.attributes[j]
            if widths[j] == 0:
                continue
            ways = (
                attribute.cuts(rows, self.relaxed)
                if isinstance(attribute, Number)
                else [apart(attribute.values, rows)]
            )
            for sides in ways:
                if all(side and self.holds(side) for side in sides):
                    return [sorted(side) for side in sides]
            if isinstance(attribute, Category) and (made := self.cut_node(attribute, rows)):
                return made
        return None

    def labels(self) -> list[int]:
        """Cut all rows; number the parts by their lowest row."""
        final, waiting = [], [list(range(self.n))]
        while waiting:
            rows = waiting.pop()
            made = self.cut(rows)
            if made is None:
                final.append(rows)
            else:
                waiting += made
        labels = [-1] * self.n
        for label, members in enumerate(sorted(final, key=min)):
            for row in members:
                labels[row] = label
        return labels
