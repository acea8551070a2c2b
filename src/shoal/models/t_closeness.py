"""t-closeness: the values of a group are spread as those of the whole table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self

import numpy as np

from shoal.arguments import one_of
from shoal.errors import ParameterError
from shoal.hierarchies.values import as_number
from shoal.models._cases import HandCase, written
from shoal.models._compared import Compared, Labels
from shoal.models.base import GroupStatistics, Outcome
from shoal.models.exact.asked import Closeness
from shoal.models.exact.distances import equal_distance, ordered_distance
from shoal.models.exact.shares import Ints, exact, nudged, spelled, within

__all__ = ["TCloseness"]

DISTANCES = ("equal", "ordered")


@dataclass(frozen=True)
class TCloseness(Compared):
    """The values of every group are spread as those of the published table, up to t.

    Against an adversary who learns from a group what the table as a whole does not tell: that an
    illness of one in a hundred is one in two there. It says nothing about sizes; add
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
        differences of shares. ``"ordered"``: values are numbers, and their distance is the
        number of values between them; the earth mover's distance, 1 from the least value to
        the largest.

    Notes
    -----
    The table is the published one: rows that are suppressed do not count. Distances are compared
    as whole numbers, so that a distance of exactly t holds. Where the schema names an entity
    column, shares are of people: a person counts once for each of their values in each group. A
    missing value counts as one of its own; it has no place among numbers, so ``"ordered"``
    refuses it, and texts that are not numbers.

    Two groups that hold it hold it together, if what they are compared with stays: the union's
    shares lie between those of the two, and both distances are convex.

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
    distance: Literal["equal", "ordered"] = "equal"

    name: ClassVar[str] = "t-closeness"

    @classmethod
    def example(cls) -> Self:
        """Give 0.7-closeness."""
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
        return [
            HandCase(cls("2/5"), ill, [False, True, True]),
            HandCase(cls("4/21"), salaries, [True, False, False]),
            HandCase(cls("4/7"), salaries, [True, True, True]),
            HandCase(cls("2/21", distance="ordered"), salaries, [True, False, False]),
            HandCase(cls("1/2", distance="ordered"), salaries, [True, True, True]),
            HandCase(cls(0.375, distance="ordered"), nine, [True, True, True]),
        ]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Allow a bit more or less."""
        larger, smaller = nudged(self.most)
        return {"t": (replace(self, t=str(larger)), replace(self, t=str(smaller)))}

    @property
    def most(self) -> Fraction:
        """The largest distance, exactly."""
        return exact(self.t) or Fraction(0)

    def validate(self) -> None:
        """Refuse a t outside [0, 1], and an unknown distance."""
        read = exact(self.t)
        if read is None or read > 1:
            raise ParameterError(
                f"t must be from 0 to 1, not {self.t!r}.",
                'Write 0.2, or a fraction as text: "1/3".',
            )
        one_of("distance", self.distance, DISTANCES)

    def require_fitting(self, whole: GroupStatistics) -> None:
        """Refuse values that have no order, where one is needed."""
        super().require_fitting(whole)
        name, found = whole.histogram(self.column)
        if self.distance == "ordered":
            _places(name, found.labels)

    def asks(self, whole: GroupStatistics) -> tuple[Closeness] | None:
        """Ask for the distance alone; not where other values are compared with than the table's."""
        name, found = whole.histogram(self.column)
        if self._whole is not None and self._whole[0] != found.labels:
            return None
        places = _places(name, found.labels) if self.distance == "ordered" else None
        return (Closeness(name, self.most, places, self._whole and self._whole[1]),)

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare the distance of each group with t."""
        name, found = groups.histogram(self.column)
        n = len(groups.sizes)
        if not len(found.group):
            return Outcome(np.zeros(n, dtype=np.bool_), {"t": float(n > 0)})
        labels, whole, value = self.aligned(found)
        rows = int(whole.sum())
        if self.distance == "equal":
            scale = 2
            apart = equal_distance(found.group, value, found.counts, n, whole)
        else:
            places = _places(name, labels)
            by_place = np.bincount(places, whole).astype(np.int64)
            shown = by_place > 0
            shown[places[value]] = True
            at = (np.cumsum(shown) - 1)[places[value]]
            scale = max(int(shown.sum()) - 1, 1)
            apart = ordered_distance(found.group, at, found.counts, n, by_place[shown])
        below = found.held(n).astype(apart.dtype) * (rows * scale)
        return self._verdict(apart, below)

    def _verdict(self, apart: Any, below: Any) -> Outcome:
        """Compare distances, given as whole numbers above and below the line."""
        empty = below == 0  # a group that shows no value tells us nothing good
        apart, below = np.where(empty, 1, apart), np.where(empty, 1, below)
        holds = within(apart, below, [self.most], np.zeros(len(apart), dtype=np.int64))
        worst = int((apart / below).argmax())
        return Outcome(holds, {"t": int(apart[worst]) / int(below[worst])})

    def describe(self) -> str:
        """Say in words what is required."""
        how = ", in their order" if self.distance == "ordered" else ""
        return (
            f"{self.t}-closeness (values{self.where()} in every group spread as in the whole "
            f"table, at most {self.t} apart{how})"
        )

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say that one group is always close to itself."""
        return "All rows in one group are as far from the table as t = 0."

    def to_spec(self) -> dict[str, Any]:
        """Write the requirement as a plan's table; what is left open is left out."""
        spec = {key: value for key, value in super().to_spec().items() if value is not None}
        return spec | {"t": spelled(self.t)}


@lru_cache(maxsize=16)
def _places(name: str, labels: Labels) -> Ints:
    """Number texts by the order of their numbers; the same number has the same place."""
    read = [None if label is None else as_number(label) for label in labels]
    bare = sum(number is None for number in read)
    if bare:
        raise ParameterError(
            f"An ordered distance needs numbers, and {bare} of {len(read)} values of '{name}' are "
            "none, or missing.",
            'Take distance = "equal", or leave those rows out.',
        )
    place = {number: at for at, number in enumerate(sorted(set(read)))}  # type: ignore[type-var]
    return np.array([place[number] for number in read], dtype=np.int64)
