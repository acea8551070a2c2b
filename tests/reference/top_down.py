"""Top-Down, slow and obvious: plain Python, recursive, every class judged anew from its rows.

It shares nothing with the kernel: hierarchies are parent maps, classes are lists of rows, and
a split of an attribute is made in full before it is compared with another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Rows = list[int]


class Attribute:
    """Leaf labels per row (``None`` where missing) and a child → parent map in tree order."""

    def __init__(self, values: Sequence[str | None], parents: dict[str, str | None]) -> None:
        self.values = values
        self.parents = parents
        self.root = next(label for label, parent in parents.items() if parent is None)

    def child(self, node: str, row: int) -> str | None:
        """The child of a node that covers a row's value; ``None`` if there is none."""
        at = self.values[row]
        while at is not None and self.parents[at] != node:
            at = self.parents[at]
        return at


@dataclass
class Holds:
    """What a class must hold: k people, and per value a largest share of them."""

    k: int
    shares: Sequence[tuple[Sequence[str], dict[str, Fraction]]] = ()
    """Columns: the value of each row, and the bound of each value."""
    people: Sequence[int] | None = None
    level: dict[str, int] | None = None
    """Where values of one level count together."""

    def who(self, row: int) -> int:
        return row if self.people is None else self.people[row]

    def exceeding(self, rows: Rows) -> list[int]:
        """The rows whose value is too frequent."""
        total = len({self.who(row) for row in rows})
        found = []
        for values, most in self.shares:
            holders = {(values[row], self.who(row)) for row in rows}
            counts = Counter(self.kind(value) for value, _ in holders)
            found += [r for r in rows if counts[self.kind(values[r])] > most[values[r]] * total]
        return found

    def kind(self, value: str) -> str | int:
        return value if self.level is None else self.level[value]

    def __call__(self, rows: Rows) -> bool:
        enough = len({self.who(row) for row in rows}) >= self.k
        return enough and not self.exceeding(rows)


@dataclass
class Reference:
    """The algorithm with the readings that `shoal.TopDown` lists."""

    attributes: Sequence[Attribute]
    n: int
    holds: Callable[[Rows], bool]
    final: list[Rows] = field(default_factory=list)

    def split(self, rows: Rows, j: int, node: str) -> tuple[dict[str, Rows], Rows]:
        """The children that hold, in tree order, and the rest."""
        attribute = self.attributes[j]
        fallen: dict[str, Rows] = {label: [] for label in attribute.parents}
        rest = []
        for row in rows:
            child = attribute.child(node, row)
            (rest if child is None else fallen[child]).append(row)
        children = {}
        for label, members in fallen.items():
            if members and self.holds(members):
                children[label] = members
            else:
                rest += members
        while children and rest and not self.holds(rest):
            largest = max(children, key=lambda label: len(children[label]))  # the first of equals
            rest.append(children[largest].pop())
            if not children[largest] or not self.holds(children[largest]):
                rest += children.pop(largest)
        return children, sorted(rest)

    def descend(self, rows: Rows, nodes: list[str]) -> None:
        """Split a class as often as it goes, and its parts."""
        splits = [self.split(rows, j, node) for j, node in enumerate(nodes)]
        down = [len(rows) - len(rest) for _, rest in splits]
        j = min(range(len(nodes)), key=lambda j: (-down[j], len(splits[j][0]), j))
        if down[j] == 0:
            self.final.append(rows)
            return
        children, rest = splits[j]
        for label, members in children.items():
            self.descend(members, [*nodes[:j], label, *nodes[j + 1 :]])
        if rest:
            self.descend(rest, nodes)

    def labels(self) -> list[int]:
        """Group all rows; the last of too frequent values are left out first."""
        rows = list(range(self.n))
        if isinstance(self.holds, Holds):
            while exceeding := self.holds.exceeding(rows):
                rows.remove(exceeding[-1])
        if rows and self.holds(rows):
            self.descend(rows, [attribute.root for attribute in self.attributes])
        labels = [-1] * self.n
        for label, members in enumerate(sorted(self.final, key=min)):
            for row in members:
                labels[row] = label
        return labels
