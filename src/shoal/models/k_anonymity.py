"""k-anonymity: nobody stands out of a group of k."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from shoal.base.arguments import is_whole
from shoal.errors import ParameterError
from shoal.models._cases import HandCase
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement

__all__ = ["KAnonymity"]


@dataclass(frozen=True)
class KAnonymity(Requirement):
    """Every record shares its quasi-identifiers with at least k − 1 others.

    Where the schema names an entity column, k counts people instead of rows: a patient
    with ten visits is one. It says nothing about sensitive values, which may all be equal
    in a group.

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
        """Give 3-anonymity."""
        return cls(3)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Count rows, and people where they are told apart."""
        people = GroupStatistics(np.array([3, 3, 3]), people=np.array([1, 2, 3]))
        return [
            HandCase(cls(3), GroupStatistics(np.array([2, 3, 4])), [False, True, True]),
            HandCase(cls(2), people, [False, True, True]),
        ]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Ask for one fewer or one more."""
        return {"k": (replace(self, k=self.k - 1), replace(self, k=self.k + 1))}

    def validate(self) -> None:
        """Refuse a k below 2."""
        if not is_whole(self.k) or self.k < 2:
            raise ParameterError(
                f"k must be a whole number of at least 2, not {self.k!r}.",
                "Larger is safer: 5 and 10 are usual.",
            )

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each group's people (or rows) with k."""
        counts = groups.sizes if groups.people is None else groups.people
        return Outcome(counts >= self.k, {"k": int(counts.min()) if counts.size else 0})

    def describe(self) -> str:
        """Say in words what is required."""
        return f"{self.k}-anonymity (every group holds at least {self.k})"

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the largest k the table can hold."""
        counts, noun = (whole.sizes, "rows") if whole.people is None else (whole.people, "people")
        most = int(counts.sum())
        if most < 2:
            return f"The table has {most} {noun}; no k is possible."
        return f"The table has {most} {noun}: k = {most} is the largest possible."
