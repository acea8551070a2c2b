"""Population uniqueness: few people are the only one of their kind in the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.base.arrays import Ints
from shoal.models._cases import HandCase
from shoal.models._of_table import FewUnique
from shoal.models._statistics import GroupStatistics
from shoal.models.estimates.estimate import Estimate, Sample, dankar
from shoal.models.estimates.pitman import pitman
from shoal.models.estimates.snb import snb
from shoal.models.estimates.zayatz import zayatz
from shoal.models.exact.limits import exactly
from shoal.models.exact.shares import fraction


@dataclass(frozen=True)
class PopulationUniqueness(FewUnique):
    """At most a share of the population is estimated to be unlike everybody else.

    A record that is unique in the table need not be unique in the population it was drawn from;
    how many are is estimated from the sizes of the groups. For tables that are random samples, and
    an attacker who does not know who is in them. `KMap` requires it of each group, and
    `SampleUniqueness` of the table alone.

    Parameters
    ----------
    share
        The largest share of the population that may be unique, from 0 to below 1. A number is read
        as a decimal, a text may be a fraction.
    fraction
        The share of the population that the table holds, above 0 and at most 1.
    estimate
        ``"pitman"``, ``"zayatz"`` or ``"snb"`` (slide negative binomial); ``"dankar"`` chooses
        among them by the fraction. Where one does not exist for a table, the table fails.

    Notes
    -----
    It is a number of the published table: rows that are suppressed do not count. Where the schema
    names an entity column, people are counted, once in each of their groups. Without a unique
    record the estimate is 0. It need not fall when groups grow, so it is not monotone. Methods that
    choose one level per column weigh the whole table. Others leave nobody unique, which is more
    than is asked.

    Examples
    --------
    >>> import numpy as np
    >>> groups = GroupStatistics(sizes=np.repeat([1, 2, 3, 8], [300, 80, 30, 10]))
    >>> found = PopulationUniqueness(0.2, 0.1).judge(groups)
    >>> found.passed, round(found.achieved["unique in the population"], 3)
    (True, 0.128)

    References
    ----------
    F. Dankar, K. El Emam, A. Neisa, T. Roffey: Estimating the re-identification risk of clinical
    data sets, BMC Medical Informatics and Decision Making 2012.
    """

    share: float | str
    fraction: float | str
    estimate: Literal["dankar", "pitman", "zayatz", "snb"] = "dankar"

    name: ClassVar[str] = "population-uniqueness"
    limits: ClassVar = {**FewUnique.limits, "fraction": exactly("(0, 1]")}
    monotone: ClassVar[bool] = False
    presence_unknown: ClassVar[bool] = True

    @classmethod
    def example(cls) -> Self:
        return cls(0.1, 0.5)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Take the table for the population, where the unique ones can be counted."""
        two = GroupStatistics(np.array([1, 5, 1, 3]))  # 2/10; then 1/9; then 0
        people = GroupStatistics(np.array([4, 4]), people=np.array([1, 4]))  # 1/5
        return [
            HandCase(cls(0.2, 1), two, [True] * 4),
            HandCase(cls("1/9", 1), two, [False, True, True, True]),
            HandCase(cls(0.1, 1), two, [False, True, False, True]),
            HandCase(cls(0.2, 1, "zayatz"), people, [True, True]),
            HandCase(cls(0.1, 1), GroupStatistics(np.array([1, 9])), [True, True]),
        ]

    def surplus(self, counts: Ints) -> int:
        """Leave out unique records until few enough are estimated; as few as halving finds."""
        unique, empty = int((counts == 1).sum()), int((counts < 1).sum())
        if self._fits(counts):
            return 0
        fails, fits = 0, unique
        while fits - fails > 1:
            middle = (fails + fits) // 2
            fails, fits = (
                (fails, middle) if self._fits(counts[empty + middle :]) else (middle, fits)
            )
        return fits + empty

    def _fits(self, counts: Ints) -> bool:
        share = self._estimated(counts).share
        # Estimates are as exact as floating-point numbers are.
        return share is not None and share <= float(self.most) * (1 + 1e-12)

    def _estimated(self, counts: Ints) -> Estimate:
        if not (counts == 1).any():
            return Estimate(self.estimate, 0.0)
        sampled = float(fraction("fraction", self.fraction))
        sample = Sample.of(counts, sampled)
        if self.estimate == "dankar":
            return dankar(sampled, pitman(sample), zayatz(sample), snb(sample))
        return {"pitman": pitman, "zayatz": zayatz, "snb": snb}[self.estimate](sample)

    def reached(self, counts: Ints) -> dict[str, float | int]:
        """Say the estimate; where there is none, what is unique in the sample."""
        share = self._estimated(counts).share
        if share is None:
            return {"unique in the sample": int((counts == 1).sum()) / max(int(counts.sum()), 1)}
        return {"unique in the population": share}

    def describe(self) -> str:
        return (
            f"population uniqueness of {self.share} (at most {self.share} of a population of which "
            f"the table is {self.fraction} are alone in their group, estimated by {self.estimate})"
        )
