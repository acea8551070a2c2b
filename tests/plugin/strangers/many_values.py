"""A requirement: every group shows several values of its sensitive column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from shoal.base.arguments import require_whole
from shoal.models import GroupStatistics, HandCase, Outcome, Requirement, written


@dataclass(frozen=True)
class ManyValues(Requirement):
    """Every group shows at least so many different values."""

    values: int

    name: ClassVar[str] = "many-values"
    monotone: ClassVar[bool] = True
    monotone_in_rows: ClassVar[bool] = True
    counts_matter: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"histograms"})

    @property
    def least_size(self) -> int:
        """A row shows one value."""
        return self.values

    @classmethod
    def example(cls) -> Self:
        """Ask for two."""
        return cls(2)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Count by hand."""
        return [HandCase(cls(2), written(ill=["flu flu", "flu HIV"]), [False, True])]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Ask for one fewer or one more."""
        less, more = (replace(self, values=self.values + step) for step in (-1, 1))
        return {"values": (less, more)}

    def validate(self) -> None:
        """Refuse what every group shows."""
        require_whole("values", self.values, 2)

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Count the different values of each group."""
        _, found = groups.histogram(None)
        shown = np.bincount(found.group, minlength=len(groups.sizes))
        return Outcome(shown >= self.values, {"values": int(shown.min(initial=0))})

    def describe(self) -> str:
        """Say it in words."""
        return f"{self.values} values in every group"

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the most that the table has."""
        _, found = groups = whole.histogram(None)
        return f"The table has {len(set(found.value.tolist()))} values of '{groups[0]}'."
