"""Average re-identification risk: of all people together, few can be found."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar, Self

import numpy as np

from shoal.base.arrays import Ints
from shoal.models._cases import HandCase
from shoal.models._of_table import OfTable
from shoal.models._statistics import GroupStatistics
from shoal.models.exact.limits import at_most
from shoal.models.exact.shares import below, fraction, rounded_up


@dataclass(frozen=True)
class AverageRisk(OfTable):
    """The average probability of finding a person, over all published records, is limited.

    Someone who looks for a person among n records that are alike finds the right one with
    probability 1/n. The average of that over all records is the number of groups over the number
    of records: the share that a marketer finds who links everybody. A few small groups do no harm
    among large ones; where each person counts, take `HighestRisk` or `KAnonymity`.

    Parameters
    ----------
    risk
        The largest average, above 0 and at most 1. A number is read as a decimal, a text may be a
        fraction.

    Notes
    -----
    It is a number of the published table: rows that are suppressed do not count. Where the schema
    names an entity column, people are counted, once in each of their groups. Methods that choose
    one level per column weigh the whole table. Others make every group large enough, 1/risk, which
    is more than is asked.

    Examples
    --------
    >>> import numpy as np
    >>> groups = GroupStatistics(sizes=np.array([1, 4, 5]))
    >>> AverageRisk(0.3).judge(groups).achieved
    {'average risk': 0.3}
    >>> AverageRisk(0.25).judge(groups).holds.tolist()
    [False, True, True]

    References
    ----------
    K. El Emam, Guide to the de-identification of personal health information, 2013.
    """

    risk: float | str

    name: ClassVar[str] = "average-risk"
    limits: ClassVar = {"risk": at_most("(0, 1]")}

    @classmethod
    def example(cls) -> Self:
        return cls("1/3")

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Divide groups by records; leave out the smallest until that is enough."""
        four = GroupStatistics(np.array([1, 2, 3, 6]))  # 4/12; then 3/11; then 2/9
        people = GroupStatistics(np.array([4, 4]), people=np.array([1, 4]))  # 2/5; then 1/4
        return [
            HandCase(cls("1/3"), four, [True] * 4),
            HandCase(cls("3/11"), four, [False, True, True, True]),
            HandCase(cls("2/9"), four, [False, False, True, True]),
            HandCase(cls(0.4), people, [True, True]),
            HandCase(cls(0.25), people, [False, True]),
        ]

    @property
    def most(self) -> Fraction:
        """The largest average, exactly."""
        return fraction("risk", self.risk)

    @property
    def enough(self) -> int:
        """Groups of 1/risk each have that average."""
        return ceil(1 / self.most)

    def surplus(self, counts: Ints) -> int:
        """Leave out groups below 1/risk until the groups left are few enough for their records."""
        left = int(counts.sum()) - np.append(0, np.cumsum(counts))
        most = below(self.most, max(int(left[0]), 1))  # judges so few records alike, in 64 bits
        fits = np.arange(len(left))[::-1] * most.denominator <= left * most.numerator
        return int(fits.argmax())

    def reached(self, counts: Ints) -> dict[str, float | int]:
        """Divide groups by records."""
        return {"average risk": len(counts) / max(int(counts.sum()), 1)}

    def describe(self) -> str:
        return (
            f"average risk of {self.risk} (the groups are at most {self.risk} of the records, "
            "all together)"
        )

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the least risk the table can hold."""
        most = int(whole.counts.sum())
        if most < 1:
            return "The table is empty, so it has no risk."
        return (
            f"The table has {most} {whole.noun}: in one group the risk is {rounded_up(1, most)}, "
            f'exactly "1/{most}".'
        )
