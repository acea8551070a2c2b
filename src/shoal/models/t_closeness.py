"""t-closeness: the values of a group are spread as those of the whole table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar, Literal, Self

import numpy as np

from shoal.base.arrays import Ints
from shoal.errors import ParameterError
from shoal.models._cases import HandCase, written
from shoal.models._compared import Compared, Labels
from shoal.models._ground import TreePaths, hidden, places, require_tree, tree_paths
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome
from shoal.models.exact.conditions import Closeness
from shoal.models.exact.distances import equal_distance, ordered_distance, tree_distance
from shoal.models.exact.limits import at_most
from shoal.models.exact.shares import within


@dataclass(frozen=True)
class TCloseness(Compared):
    """The values of every group are spread as those of the published table, up to t.

    Against an attacker who learns from a group what the whole table does not show: that an
    illness of one in a hundred is one in two there. It sets no size for groups; add
    `KAnonymity`.

    Parameters
    ----------
    t
        The largest distance, from 0 (the same shares) to 1. A number is read as a decimal, a text
        may be a fraction.
    column
        The sensitive column; may be left out where there is one.
    distance
        ``"equal"``: any two values are equally far apart; the distance is half the sum of the
        differences of shares. ``"ordered"``: values are numbers or dates, or their order is
        given, and their distance is the number of values between them; the earth mover's
        distance, 1 from the least value to the largest. ``"hierarchical"``: two values are as far
        apart as their lowest common node in a tree is high; the earth mover's distance, 1 where
        that is the root.
    order
        With ``"ordered"``: all values, from the least to the largest, where they are neither
        numbers nor dates; ``""`` is the missing one.
    parents
        With ``"hierarchical"``: for each value, and each node but the root, the node above it.

    Notes
    -----
    The table is the published one: rows that are suppressed do not count. Distances are compared
    as whole numbers, so that a distance of exactly t holds. Where the schema names an entity
    column, shares are of people: a person counts once for each of their values in each group. A
    missing value counts as one of its own; it has no place among numbers and dates, so
    ``"ordered"`` refuses it unless ``order`` gives it one. Dates are written as
    ``"2024-05-31"``, also with a time of day. A node is as high as its lowest leaf is deep.

    Two groups that hold it hold it together, if what they are compared with stays: the union's
    shares lie between those of the two, and all distances are convex.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"zip": ["476**"] * 3 + ["4790*"] * 3 + ["4760*"] * 3,
    ...     "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
    >>> schema = shoal.Schema({"zip": shoal.quasi(), "salary": shoal.sensitive()})
    >>> shoal.verify(table, schema, [shoal.TCloseness(0.375, distance="ordered")]).achieved
    {'t': 0.375}

    References
    ----------
    Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity, ICDE 2007.
    """

    t: float | str
    column: str | None = None
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: Sequence[str] | None = None
    parents: Mapping[str, str] | None = None

    name: ClassVar[str] = "t-closeness"
    limits: ClassVar = {"t": at_most("[0, 1]", 'Write 0.2, or a fraction as text: "1/3".')}

    @classmethod
    def example(cls) -> Self:
        return cls(0.7)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Compare groups with all of them, by shares and in the order of numbers."""
        # Of 10 rows 4 are ill: the groups are 3/5, 1/10 and 2/5 away.
        ill = written(illness=["ill ill", "ill ill fit fit", "fit fit fit fit"])
        # Of 7 rows 3 are 1, one is 2, 3 are 3. By shares the groups are 4/21, 4/7 and 4/7 away,
        # in their order (2/21 + 2/21) / 2, (4/7 + 3/7) / 2 and the same.
        salaries = written(salary=["1 2 3", "1 1", "3 3"])
        # The paper's: the lowest three of nine numbers are 3/8 away.
        nine = written(salary=["3 4 5", "6 8 11", "7 9 10"])
        # The same order as 1, 2, 3, in words and in dates.
        pain = written(pain=["no weak strong", "no no", "strong strong"])
        days = ["2023-12-31", "2024-01-02T08:30", "2024-10-01"]
        dates = written(day=[" ".join(days), f"{days[0]} {days[0]}", f"{days[2]} {days[2]}"])
        order = ["no", "weak", "strong"]
        # Each value is 1 of 4. The first group moves 1/2 to the other half of the tree, at height 2
        # of 2. The second moves 1/4 to its neighbour in each half, at height 1 of 2.
        organs = written(illness=["flu asthma", "ulcer colitis", "flu ulcer", "asthma colitis"])
        tree = dict.fromkeys(["flu", "asthma"], "lungs") | dict.fromkeys(
            ["ulcer", "colitis"], "gut"
        )
        tree |= {"lungs": "any", "gut": "any"}
        return [
            HandCase(cls("2/5"), ill, [False, True, True]),
            HandCase(cls("4/21"), salaries, [True, False, False]),
            HandCase(cls("4/7"), salaries, [True, True, True]),
            HandCase(cls("2/21", distance="ordered"), salaries, [True, False, False]),
            HandCase(cls("1/2", distance="ordered"), salaries, [True, True, True]),
            HandCase(cls(0.375, distance="ordered"), nine, [True, True, True]),
            HandCase(cls("2/21", None, "ordered", order), pain, [True, False, False]),
            HandCase(cls("1/2", None, "ordered", order), pain, [True, True, True]),
            HandCase(cls("1/2", distance="ordered"), dates, [True, True, True]),
            HandCase(
                cls("1/4", None, "hierarchical", parents=tree), organs, [False] * 2 + [True] * 2
            ),
            HandCase(cls("1/2", None, "hierarchical", parents=tree), organs, [True] * 4),
        ]

    def validate(self) -> None:
        """Refuse an order, or a tree, that is not used, not there, or no order or tree."""
        super().validate()
        for name, given, used in (
            ("order", self.order, self.distance == "ordered"),
            ("parents", self.parents, self.distance == "hierarchical"),
        ):
            if given is not None and not used:
                raise ParameterError(
                    f"{name} is not used with distance = '{self.distance}'.",
                    "Leave it out, or choose the distance it belongs to.",
                )
        if self.order is not None:
            texts = isinstance(self.order, Sequence) and not isinstance(self.order, str)
            known = list(self.order) if texts else []
            if not known or not all(isinstance(each, str) for each in known):
                raise ParameterError(
                    "order must be a list of texts.", 'Such as ["none", "weak", "strong"].'
                )
            if len(set(known)) < len(known):
                raise ParameterError("order names a value twice.", "Name each value once.")
        if self.distance == "hierarchical":
            require_tree(
                self.parents,
                "A hierarchical distance needs parents: the node above each value.",
                'Such as {"flu" = "lungs", "asthma" = "lungs", "lungs" = "any"}.',
            )

    def require_fitting(self, whole: GroupStatistics) -> None:
        """Refuse values that have no order, or no place in a tree, where one is needed."""
        super().require_fitting(whole)
        name, found = whole.histogram(self.column)
        if self.distance == "ordered":
            self._places(name, found.labels)
        elif self.distance == "hierarchical":
            self._paths(name, found.labels)

    def _places(self, name: str, labels: Labels) -> Ints:
        return places(name, labels, None if self.order is None else tuple(self.order))

    def _paths(self, name: str, labels: Labels) -> TreePaths:
        return tree_paths(name, labels, tuple((self.parents or {}).items()))

    def conditions(self, whole: GroupStatistics) -> tuple[Closeness] | None:
        """Ask for the distance alone; not where other values are compared with than the table's."""
        name, found = whole.histogram(self.column)
        if self._reference is not None and self._reference[0] != found.labels:
            return None
        if self.distance == "hierarchical":
            return None
        at = self._places(name, found.labels) if self.distance == "ordered" else None
        return (Closeness(name, self.most, at, self._reference and self._reference[1]),)

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare the distance of each group with t."""
        n = len(groups.sizes)
        measured = self._distances(groups)
        if measured is None:
            return Outcome(np.zeros(n, dtype=np.bool_), {"t": float(n > 0)})
        apart, below = measured
        holds = within(apart, below, [self.most], np.zeros(n, dtype=np.int64))
        worst = int((apart / below).argmax())
        return Outcome(holds, {"t": int(apart[worst]) / int(below[worst])})

    def rows_lacking(self, groups: GroupStatistics) -> Ints:
        """Count the rows without which no group can come as near as t.

        A row moves n times the distance of n rows by 1 at most, which is how far values can be
        apart. So after m more rows it is at least n · d − m, and t · (n + m) must reach that.
        """
        measured = self._distances(groups)
        _, found = groups.histogram(self.column)
        if measured is None or self._reference is None or not self.aligned(found)[1].all():
            return super().rows_lacking(groups)  # what is compared with may change with a row
        lacking = []
        for n, apart, below in zip(found.held(len(groups.sizes)).tolist(), *measured, strict=True):
            far = Fraction(int(apart), int(below)) - self.most
            lacking.append(max(ceil(n * far / (1 + self.most)), 1) if far > 0 else 0)
        return np.array(lacking, dtype=np.int64)

    def _distances(self, groups: GroupStatistics) -> tuple[Any, Any] | None:
        """Measure groups: whole numbers above and below the line; ``None`` without any value."""
        name, found = groups.histogram(self.column)
        n = len(groups.sizes)
        if not len(found.group):
            return None
        labels, whole, value = self.aligned(found)
        rows = int(whole.sum())
        if self.distance == "equal":
            scale = 2
            apart = equal_distance(found.group, value, found.counts, n, whole)
        elif self.distance == "hierarchical":
            tree = self._paths(name, labels)
            scale = 2 * tree.height
            apart = tree_distance(
                found.group, value, found.counts, n, whole, tree.nodes, tree.weight
            )
        else:
            place = self._places(name, labels)
            by_place = np.bincount(place, whole).astype(np.int64)
            shown = by_place > 0
            shown[place[value]] = True
            at = (np.cumsum(shown) - 1)[place[value]]
            scale = max(int(shown.sum()) - 1, 1)
            apart = ordered_distance(found.group, at, found.counts, n, by_place[shown])
        below = found.held(n).astype(apart.dtype) * (rows * scale)
        empty = below == 0  # a group that shows no value tells us nothing good
        return np.where(empty, 1, apart), np.where(empty, 1, below)

    def describe(self) -> str:
        how = {"ordered": ", in their order", "hierarchical": ", in their tree"}
        return (
            f"{self.t}-closeness (values{self._of_column} in every group spread as in the whole "
            f"table, at most {self.t} apart{how.get(self.distance, '')})"
        )

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say that one group is always close to itself."""
        return "All rows in one group are as far from the table as t = 0."

    def published(self, values: Mapping[str, Collection[str | None]]) -> Self:
        """Keep the names of values that only removed rows hold out of an order and a tree."""
        known = {
            each
            for column, shown in values.items()
            for each in shown
            if self.column in (None, column)
        }
        if self.order is not None:
            shown = [each for each in self.order if each in known or (each or None) in known]
            return replace(self, order=shown)
        if self.parents is not None:
            return replace(self, parents=hidden(self.parents, known))
        return self
