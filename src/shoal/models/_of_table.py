"""Requirements on a number of the whole published table, such as the average risk."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from shoal.base.arrays import Ints
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.limits import at_most
from shoal.models.exact.shares import exact


class OfTable(Requirement):
    """The published groups hold it together; it fails the smallest of them, as few as will do.

    Told what to judge by, it asks of each group the size that would do for all of them.
    """

    needs: ClassVar[frozenset[str]] = frozenset({"people"})
    monotone: ClassVar[bool] = True
    monotone_in_people: ClassVar[bool] = False
    relative: ClassVar[bool] = True
    of_table: ClassVar[bool] = True

    @property
    @abstractmethod
    def enough(self) -> int:
        """The size of groups that, if all have it, hold the requirement."""

    @abstractmethod
    def surplus(self, counts: Ints) -> int:
        """Say how many of the smallest groups must go; their sizes are given in order."""

    @abstractmethod
    def reached(self, counts: Ints) -> dict[str, float | int]:
        """Say what groups of such sizes reach."""

    @property
    def complete(self) -> bool:  # type: ignore[override]
        """Where groups are judged one by one, their size is all that is asked."""
        return self.judges_alone

    @property
    def least_size(self) -> int:
        """The size that would do, where groups are judged one by one."""
        return self.enough if self.judges_alone else 1

    def against(self, whole: GroupStatistics | None) -> Self:
        """Judge groups one by one, or all together (``None``)."""
        return self._told(whole)

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Fail the smallest groups, as few as will do."""
        counts = groups.counts
        if self.judges_alone:
            return Outcome(counts >= self.enough, self.reached(counts))
        order = np.argsort(counts, kind="stable")
        holds = np.ones(len(counts), dtype=np.bool_)
        holds[order[: self.surplus(counts[order])]] = False
        return Outcome(holds, self.reached(counts))


class FewUnique(OfTable):
    """At most a share is unique."""

    share: float | str

    limits: ClassVar = {"share": at_most("[0, 1)", 'Write 0.01, or a fraction as text: "1/1000".')}

    @property
    def most(self) -> Fraction:
        """The largest share, exactly."""
        return exact(self.share) or Fraction(0)

    @property
    def enough(self) -> int:
        """Nobody is unique in groups of two."""
        return 2

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say that only one record by itself is unique in one group."""
        return f"The table has {int(whole.counts.sum())} {whole.noun}: add records, or allow more."
