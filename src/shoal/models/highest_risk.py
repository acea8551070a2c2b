"""Highest re-identification risk: nobody is found with more than a certain probability."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar, Self

import numpy as np

from shoal.models._cases import HandCase
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.limits import at_most
from shoal.models.exact.shares import fraction, rounded_up


@dataclass(frozen=True)
class HighestRisk(Requirement):
    """No person is found among equal records with a probability above the risk.

    `KAnonymity` in other words: a risk of 0.2 is k = 5, and one of 0.3 is k = 4. Where only the
    average counts, take `AverageRisk`.

    Parameters
    ----------
    risk
        The largest probability, above 0 and below 1. A number is read as a decimal, a text may be
        a fraction.

    Notes
    -----
    Where the schema names an entity column, people are counted instead of rows.

    Examples
    --------
    >>> import numpy as np
    >>> groups = GroupStatistics(sizes=np.array([5, 3, 4]))
    >>> HighestRisk(0.3).judge(groups).holds.tolist()
    [True, False, True]
    >>> HighestRisk(0.3).judge(groups).achieved
    {'highest risk': 0.3333333333333333}

    References
    ----------
    K. El Emam, Guide to the de-identification of personal health information, 2013.
    """

    risk: float | str

    name: ClassVar[str] = "highest-risk"
    limits: ClassVar = {"risk": at_most("(0, 1)", "0.2 is usual, and 0.09 for public files.")}
    monotone: ClassVar[bool] = True
    monotone_in_rows: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset({"people"})
    complete: ClassVar[bool] = True

    @classmethod
    def example(cls) -> Self:
        return cls("1/3")

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Count rows, and people where they are told apart."""
        sizes = GroupStatistics(np.array([2, 3, 4, 5]))
        people = GroupStatistics(np.array([3, 3, 3]), people=np.array([1, 2, 3]))
        return [
            HandCase(cls("1/3"), sizes, [False, True, True, True]),
            HandCase(cls(0.25), sizes, [False, False, True, True]),
            HandCase(cls(0.5), people, [False, True, True]),
        ]

    @property
    def least_size(self) -> int:
        """The least size of a group: 1/risk."""
        return ceil(1 / fraction("risk", self.risk))

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each group's people (or rows) with 1/risk."""
        counts = groups.counts
        worst = 1 / max(int(counts.min()), 1) if counts.size else 1.0
        return Outcome(counts >= self.least_size, {"highest risk": worst})

    def describe(self) -> str:
        return f"highest risk of {self.risk} (every group holds at least {self.least_size})"

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the least risk the table can hold."""
        most = int(whole.counts.sum())
        if most < 2:
            return f"The table has {most} {whole.noun}; no risk below 1 is possible."
        return (
            f"The table has {most} {whole.noun}: the least possible risk is "
            f'{rounded_up(1, most)}, exactly "1/{most}".'
        )
