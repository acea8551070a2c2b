"""Sample uniqueness: few records are the only one of their kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, ClassVar, Self

import numpy as np

from shoal.errors import ParameterError
from shoal.models._cases import HandCase
from shoal.models._of_table import OfTable
from shoal.models._statistics import GroupStatistics
from shoal.models.exact.shares import Ints, exact, nudged, spelled

__all__ = ["SampleUniqueness"]


@dataclass(frozen=True)
class SampleUniqueness(OfTable):
    """At most a share of the published records are unlike all others.

    The weakest of requirements: a record that is unique in the table need not be unique in the
    population it was drawn from. Where no person may be unique, use `KAnonymity`.

    Parameters
    ----------
    share
        The largest share of unique records, from 0 to below 1. A number is read as a decimal, a
        text may be a fraction. With 0, no person may be unique: k = 2.

    Notes
    -----
    It is a number of the published table: rows that are suppressed do not count. Where the schema
    names an entity column, people are counted, once in each of their groups. Methods that choose
    one level per column weigh the whole table. Others leave nobody unique, which is more than is
    asked.

    Examples
    --------
    >>> import numpy as np
    >>> groups = GroupStatistics(sizes=np.array([1, 4, 1, 4]))
    >>> SampleUniqueness(0.2).judge(groups).achieved
    {'unique': 0.2}
    >>> SampleUniqueness("1/8").judge(groups).holds.tolist()
    [False, True, True, True]

    References
    ----------
    C. Skinner, M. Elliot, A measure of disclosure risk for microdata, JRSS B 2002.
    """

    share: float | str

    name: ClassVar[str] = "sample-uniqueness"

    @classmethod
    def example(cls) -> Self:
        """Let one in ten be unique."""
        return cls(0.1)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Count the groups of one; leave some out until they are few enough."""
        two = GroupStatistics(np.array([1, 5, 1, 3]))  # 2/10; then 1/9; then 0
        people = GroupStatistics(np.array([4, 4]), people=np.array([1, 4]))  # 1/5
        return [
            HandCase(cls(0.2), two, [True] * 4),
            HandCase(cls("1/9"), two, [False, True, True, True]),
            HandCase(cls("1/10"), two, [False, True, False, True]),
            HandCase(cls("1/5"), people, [True, True]),
            HandCase(cls("1/10"), GroupStatistics(np.array([1, 9])), [True, True]),
        ]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Allow a bit more or less; less than nobody cannot be asked for."""
        if not self.most:
            return {}
        larger, smaller = nudged(self.most, 1)
        return {"share": (replace(self, share=str(larger)), replace(self, share=str(smaller)))}

    @property
    def most(self) -> Fraction:
        """The largest share, exactly."""
        return exact(self.share) or Fraction(0)

    @property
    def enough(self) -> int:
        """Nobody is unique in groups of two."""
        return 2

    def validate(self) -> None:
        """Refuse a share outside [0, 1), as 1 would ask for nothing."""
        read = exact(self.share)
        if read is None or read >= 1:
            raise ParameterError(
                f"share must be from 0 to below 1, not {self.share!r}.",
                'Write 0.01, or a fraction as text: "1/1000".',
            )

    def surplus(self, counts: Ints) -> int:
        """Leave out unique records until those left are few enough."""
        unique, records = int((counts == 1).sum()), int(counts.sum())
        empty = int((counts < 1).sum())  # before them in order, and nobody's
        if unique <= self.most * records:
            return 0
        return ceil((unique - self.most * records) / (1 - self.most)) + empty

    def reached(self, counts: Ints) -> dict[str, float | int]:
        """Divide unique records by all."""
        return {"unique": int((counts == 1).sum()) / max(int(counts.sum()), 1)}

    def describe(self) -> str:
        """Say in words what is required."""
        return f"sample uniqueness of {self.share} (at most {self.share} of the records are unique)"

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say that only one record by itself is unique in one group."""
        return f"The table has {int(whole.counts.sum())} {whole.noun}: add records, or allow more."

    def to_spec(self) -> dict[str, Any]:
        """Write the requirement as a plan's table."""
        return {"model": self.name, "share": spelled(self.share)}
