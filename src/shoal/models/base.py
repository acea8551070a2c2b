"""The contract of a requirement: it judges plain arrays, whoever counted them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from shoal.errors import InfeasibleError

__all__ = ["GroupStatistics", "Outcome", "Requirement"]


@dataclass(frozen=True)
class GroupStatistics:
    """What is known about each group; one entry per group in every array.

    Parameters
    ----------
    sizes
        Rows per group.
    people
        Distinct people per group, where the table names an entity column.
    """

    sizes: npt.NDArray[np.int64]
    people: npt.NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Outcome:
    """A requirement's judgement: which groups hold it, and how far the worst one goes.

    Parameters
    ----------
    holds
        A truth value per group.
    achieved
        The level that all groups reach, in the requirement's own terms (k, l, …).
    """

    holds: npt.NDArray[np.bool_]
    achieved: dict[str, float | int]

    @property
    def passed(self) -> bool:
        """Whether every group holds the requirement."""
        return bool(self.holds.all())


class Requirement(ABC):
    """What must hold for every group of a release.

    Subclasses are frozen dataclasses. They state facts about themselves, so that methods
    prune and grow only on what is true:

    ``name``
        The spelling in plans and at the command line.
    ``monotone``
        Whether the union of two groups that hold it holds it too.
    ``needs``
        The `GroupStatistics` it reads.
    """

    name: ClassVar[str]
    monotone: ClassVar[bool]
    needs: ClassVar[frozenset[str]]

    @classmethod
    @abstractmethod
    def example(cls) -> Self:
        """Give a modest instance, for the contract checks and the documentation."""

    @abstractmethod
    def validate(self) -> None:
        """Refuse parameters that make no sense (raises `ParameterError`)."""

    @abstractmethod
    def judge(self, groups: GroupStatistics) -> Outcome:
        """Say which groups hold the requirement."""

    @abstractmethod
    def describe(self) -> str:
        """Say in words what is required."""

    @abstractmethod
    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say which weaker parameters the whole table, as one group, could hold."""

    def require_feasible(self, whole: GroupStatistics) -> None:
        """Refuse a table that could not hold the requirement even as one group."""
        self.validate()
        if not self.judge(whole).passed:
            raise InfeasibleError(
                f"{self.describe()} cannot hold, not even with all rows in one group.",
                self.nearest_feasible(whole),
            )

    def to_spec(self) -> dict[str, Any]:
        """Write the requirement as a plan's table."""
        return {"model": self.name, **asdict(self)}  # type: ignore[call-overload]
