"""m-invariance: from release to release, everyone stands among the same m values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from shoal.base.plural import counted
from shoal.errors import InfeasibleError
from shoal.models._cases import HandCase, written
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.eligible import most_of_one
from shoal.models.exact.limits import at_least


@dataclass(frozen=True)
class MInvariance(Requirement):
    """Every class shows m or more values of a sensitive column, each once, in every release.

    For a table that is published again when it has grown or changed. A person in two releases is
    among the same values in both, so comparing them rules out none. A first release asks for
    classes of m different values alone; a later one names the release before it (``again=``, or
    ``shoal run --again``). Where a class lacks a value, it shows one that belongs to no person: a
    counterfeit. Of two tables, how many a class has is published; in one table they are rows.

    Parameters
    ----------
    m
        How many values, 2 or more: a guess of a person's value is right with a probability of at
        most 1/m.
    column
        The sensitive column; may be left out where there is one.

    Notes
    -----
    It is asked for alone, since it says what a class is. Everyone has one row. A missing value
    counts as a separate one. Where it is unknown which rows of equal cells form a class, they must
    be
    such that they can be cut into such classes (`of_equal_cells`). Of one release a recount can
    tell that classes hold m different values; that signatures stay needs the release before, with
    its private folder.

    Examples
    --------
    >>> groups = written(illness=["flu cold HIV", "flu cold", "flu flu cold HIV"])
    >>> MInvariance(3).judge(groups).holds.tolist()
    [True, False, False]
    >>> MInvariance(2).judge(groups).achieved
    {'m': 0}

    References
    ----------
    Xiao, Tao: m-invariance: towards privacy preserving re-publication of dynamic datasets,
    SIGMOD 2007.
    """

    m: int
    column: str | None = None

    name: ClassVar[str] = "m-invariance"
    limits: ClassVar = {"m": at_least(2, "Larger is safer: 3 to 10 are usual.")}
    monotone: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"histograms"})
    across_releases: ClassVar[bool] = True

    @property
    def least_size(self) -> int:
        """The least number of values of a class: m."""
        return self.m

    @classmethod
    def example(cls) -> Self:
        return cls(2)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Count values that occur once; a missing one is a value, too."""
        groups = written(
            illness=["flu cold HIV", "flu cold", "flu cold HIV HIV", "flu cold *", "a b c d", "* *"]
        )
        return [
            HandCase(cls(3), groups, [True, False, False, True, True, False]),
            HandCase(cls(2), groups, [True, True, False, True, True, False]),
        ]

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Count the different values of each class; one that shows a value twice has none."""
        _, found = groups.histogram(self.column)
        n = len(groups.sizes)
        reached = found.different(n)
        reached[found.held(n) != reached] = 0
        return Outcome(reached >= self.m, {"m": int(reached.min()) if reached.size else 0})

    def of_equal_cells(self) -> MInvariance:
        """Ask that rows of equal cells can be cut into such classes."""
        return _OfEqualCells(self.m, self.column)

    def describe(self) -> str:
        where = self._of_column
        return f"{self.m}-invariance (every class shows {self.m} or more values{where}, each once)"

    def require_fitting(self, whole: GroupStatistics) -> None:
        """Refuse a table without the column, or with several and none named."""
        super().require_fitting(whole)
        whole.histogram(self.column)

    def require_feasible(self, whole: GroupStatistics, *, suppression_limit: float = 0.0) -> None:
        """Refuse a table whose rows cannot be dealt into such classes.

        That one value is held by at most 1/m of the rows is what it takes (eligibility).
        """
        self.validate()
        self.require_fitting(whole)
        _, found = whole.histogram(self.column)
        most = most_of_one(found.totals, self.m)
        if not most:
            raise InfeasibleError(f"{self.describe()} cannot hold.", self.nearest_feasible(whole))
        needed = int(np.maximum(found.totals - most, 0).sum())
        why = f": at most one row in {self.m} may hold the same value"
        self._refuse_beyond(suppression_limit, needed, whole, why)

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the largest m that the rows can be dealt by."""
        name, found = whole.histogram(self.column)
        counts = found.totals
        rows, frequent = int(counts.sum()), int(counts.max(initial=0))
        most = min(rows // frequent, int((counts > 0).sum())) if frequent else 0
        if most < 2:
            return f"More than half of the rows hold one value of '{name}': no m is possible."
        return (
            f"Column '{name}' has {counted(int((counts > 0).sum()), 'different value')}, the "
            f"most frequent in {frequent} of {rows} rows: m = {most} is the largest possible "
            "without suppression."
        )


class _OfEqualCells(MInvariance):
    """Rows of equal cells that can be cut into classes of m or more values, each once.

    They can just if no value is held by more than one row in m (eligibility). Then they show m
    different values. The union of two such sets of rows is one.
    """

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Divide the rows of each class by those of its most frequent value."""
        _, found = groups.histogram(self.column)
        n = len(groups.sizes)
        most = np.zeros(n, dtype=np.int64)
        np.maximum.at(most, found.group, found.counts)
        reached = found.held(n) // np.maximum(most, 1)
        return Outcome(reached >= self.m, {"m": int(reached.min()) if reached.size else 0})

    def describe(self) -> str:
        where = self._of_column
        return f"{self.m}-invariance (no value{where} in more than 1 of {self.m} rows of a class)"
