"""Requirements on groups of k in which shares of sensitive values are limited."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from shoal.base.arrays import Ints
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.shares import least_removed, within
from shoal.models.k_anonymity import KAnonymity


class LimitedShares(Requirement):
    """Every group holds at least k, and none of its shares is above its limit."""

    k: int

    monotone: ClassVar[bool] = True
    monotone_in_people: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"people", "histograms"})
    complete: ClassVar[bool] = True

    @property
    def required_size(self) -> int:
        """The size that is asked for: k."""
        return self.k

    @property
    @abstractmethod
    def limited(self) -> Mapping[str, Fraction]:
        """The limits, exactly, by what to call the share that was reached."""

    @abstractmethod
    def counted(self, groups: GroupStatistics) -> tuple[Ints, Ints, Ints]:
        """Count what is limited: the group of each, the number of its limit, and the count."""

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each count with its share of the group."""
        held = KAnonymity(self.k).judge(groups)
        group, which, count = self.counted(groups)
        total = groups.counts[group]
        holds = held.holds.copy()
        holds[group[~within(count, total, tuple(self.limited.values()), which)]] = False
        achieved, shares = dict(held.achieved), count / total
        for number, name in enumerate(self.limited):
            achieved[name] = float(shares[which == number].max(initial=0.0))
        return Outcome(holds, achieved)

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        """Count the rows of too frequent values that must go."""
        _, which, count = self.counted(whole)
        rows = int(whole.sizes.sum())
        gone = least_removed(rows, count, tuple(self.limited.values()), which)
        enough = KAnonymity(self.k).judge(whole).passed and rows - gone >= self.k
        return gone if enough else None
