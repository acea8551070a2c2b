"""Sample uniqueness: few records are the only one of their kind."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar, Self

import numpy as np

from shoal.base.arrays import Ints
from shoal.models._cases import HandCase
from shoal.models._of_table import FewUnique
from shoal.models._statistics import GroupStatistics


@dataclass(frozen=True)
class SampleUniqueness(FewUnique):
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
        return (
            f"sample uniqueness of {self.share} (at most {self.share} of the records are alone in "
            "their group)"
        )
