"""k-anonymity: nobody stands out of a group of k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from shoal.models._cases import HandCase
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.limits import at_least

GROUP_SIZE = at_least(2, "Larger is safer: 5 and 10 are usual.")
"""What k may be."""


@dataclass(frozen=True)
class KAnonymity(Requirement):
    """Every record shares its quasi-identifiers with at least k − 1 others.

    Where the schema names an entity column, k counts people instead of rows: a patient with ten
    visits is one. It does not protect sensitive values, which may all be equal in a group.

    Parameters
    ----------
    k
        The least size of a group, 2 or more.

    Examples
    --------
    >>> import numpy as np
    >>> groups = GroupStatistics(sizes=np.array([5, 3, 4]))
    >>> KAnonymity(4).judge(groups).holds.tolist()
    [True, False, True]
    >>> KAnonymity(4).judge(groups).achieved
    {'k': 3}

    References
    ----------
    L. Sweeney, k-anonymity: a model for protecting privacy, 2002.
    """

    k: int

    name: ClassVar[str] = "k-anonymity"
    limits: ClassVar = {"k": GROUP_SIZE}
    monotone: ClassVar[bool] = True
    monotone_in_rows: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset({"people"})
    complete: ClassVar[bool] = True

    @property
    def least_size(self) -> int:
        """The least size of a group: k."""
        return self.k

    @classmethod
    def example(cls) -> Self:
        return cls(3)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Count rows, and people where they are told apart."""
        people = GroupStatistics(np.array([3, 3, 3]), people=np.array([1, 2, 3]))
        return [
            HandCase(cls(3), GroupStatistics(np.array([2, 3, 4])), [False, True, True]),
            HandCase(cls(2), people, [False, True, True]),
        ]

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each group's people (or rows) with k."""
        counts = groups.counts
        return Outcome(counts >= self.k, {"k": int(counts.min()) if counts.size else 0})

    def describe(self) -> str:
        return f"{self.k}-anonymity (every group holds at least {self.k})"

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the largest k the table can hold."""
        most, noun = int(whole.counts.sum()), whole.noun
        if most < 2:
            return f"The table has {most} {noun}; no k is possible."
        return f"The table has {most} {noun}: k = {most} is the largest possible."
