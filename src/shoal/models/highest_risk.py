"""Highest re-identification risk: nobody is found with more than a certain probability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar, Self

import numpy as np

from shoal.errors import ParameterError
from shoal.models._cases import HandCase
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.shares import fraction, nudged, rounded_up, spelled

__all__ = ["HighestRisk"]


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
    monotone: ClassVar[bool] = True
    monotone_in_rows: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset({"people"})
    complete: ClassVar[bool] = True

    @classmethod
    def example(cls) -> Self:
        """Give a risk of one in three."""
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

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Allow a bit more or less."""
        larger, smaller = nudged(self.most)
        return {"risk": (replace(self, risk=str(larger)), replace(self, risk=str(smaller)))}

    @property
    def most(self) -> Fraction:
        """The largest probability, exactly."""
        return fraction("risk", self.risk)

    @property
    def least_size(self) -> int:
        """The least size of a group: 1/risk."""
        return ceil(1 / self.most)

    def validate(self) -> None:
        """Refuse a risk outside (0, 1), as 1 would ask for nothing."""
        if self.most == 1:
            raise ParameterError(
                f"risk must be above 0 and below 1, not {self.risk!r}.",
                "0.2 is usual, and 0.09 for public files.",
            )

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each group's people (or rows) with 1/risk."""
        counts = groups.counts
        worst = 1 / max(int(counts.min()), 1) if counts.size else 1.0
        return Outcome(counts >= self.least_size, {"highest risk": worst})

    def describe(self) -> str:
        """Say in words what is required."""
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

    def to_spec(self) -> dict[str, Any]:
        """Write the requirement as a plan's table."""
        return {"model": self.name, "risk": spelled(self.risk)}
