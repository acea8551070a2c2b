"""δ-disclosure privacy: no value is much more, or much less, frequent in a group than in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.models._cases import HandCase, written
from shoal.models._compared import Compared
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome
from shoal.models.exact.limits import at_most
from shoal.models.exact.logarithms import compare_logs


@dataclass(frozen=True)
class DeltaDisclosure(Compared):
    """In every group, each value has nearly the share that it has in the published table.

    Nearly: the logarithm of the ratio of the two shares is below δ, up and down. It is stricter
    than `TCloseness`, which sums differences: a rare value may not become frequent anywhere. Where
    only gains count, and not that a value becomes rarer, take `BetaLikeness`. It sets no size for
    groups; add `KAnonymity`.

    Parameters
    ----------
    delta
        The bound, above 0. A number is read as a decimal, a text may be a fraction. With 0.69
        no share is twice, or half, that of the table.
    column
        The sensitive column; may be left out where there is one.
    absent
        What becomes of a group that lacks a value of the table. ``"refused"``: it fails, as the
        paper's formula says (the logarithm of 0). ``"allowed"``: only values that a group
        shows are compared, as other programs do.

    Notes
    -----
    The table is the published one: rows that are suppressed do not count. Logarithms are natural,
    and compared exactly. Where the schema names an entity column, shares are of people: a person
    counts once for each of their values in each group. A missing value counts as one of its own.

    Two groups that hold it hold it together, if what they are compared with stays: the union's
    shares lie between those of the two. Not with ``absent = "allowed"``: what is absent from one
    group may be too rare in the union.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["young"] * 3 + ["old"] * 3,
    ...     "disease": ["flu", "flu", "HIV", "flu", "HIV", "HIV"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> shoal.verify(table, schema, [shoal.DeltaDisclosure(0.5)]).achieved
    {'delta': 0.405465108108}

    References
    ----------
    Brickell, Shmatikov: The cost of privacy: destruction of data-mining utility in anonymized data
    publishing, KDD 2008.
    """

    delta: float | str
    column: str | None = None
    absent: Literal["refused", "allowed"] = "refused"

    name: ClassVar[str] = "delta-disclosure"
    limits: ClassVar = {"delta": at_most("(0, inf)", 'Write 0.7, or a fraction as text: "2/3".')}

    @property
    def monotone(self) -> bool:  # type: ignore[override]
        """Not where what a group lacks is not looked at."""
        return self.absent == "refused"

    @classmethod
    def example(cls) -> Self:
        return cls(2)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Compare shares with those of all groups; a value may be absent."""
        # Half of all rows are ill. Ratios: 1 and 1; 3/2 and 1/2; 1/2 and 3/2.
        half = written(illness=["ill fit", "ill ill ill fit", "ill fit fit fit"])
        # Of 10 rows 4 are ill. The second group: 2/3 over 2/5, 1/3 over 3/5: ln 9/5 down.
        four = written(illness=["ill fit fit fit fit", "ill ill fit", "ill fit"])
        # Of 4 rows 2 are ill; the first group is all ill: ln 2 up, and nobody is fit.
        lacking = written(illness=["ill", "ill fit fit"])
        ln_2, ln_9_5 = "0.693147180560", "0.587786664903"  # both rounded up
        return [
            HandCase(cls(ln_2), half, [True, True, True]),
            HandCase(cls("0.693147180559"), half, [True, False, False]),
            HandCase(cls(ln_9_5), four, [False, True, True]),
            HandCase(cls(ln_2), lacking, [False, True]),
            HandCase(cls(ln_2, absent="allowed"), lacking, [True, True]),
        ]

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare the shares of each group's values with those of the whole."""
        holds, group, above, below, _, _, values = self.beside(groups)
        upper, lower = np.maximum(above, below), np.minimum(above, below)
        line = np.full(len(upper), self.most.numerator), np.full(len(upper), self.most.denominator)
        holds[group[compare_logs(upper, lower, line) >= 0]] = False
        gaps = np.log(upper.astype(np.float64)) - np.log(lower.astype(np.float64))
        achieved: dict[str, float | int] = {"delta": round(float(gaps.max(initial=0.0)), 12)}
        if self.absent == "refused":
            lacking = np.bincount(group, minlength=len(holds)) < values
            holds &= ~lacking
            if lacking.any():
                achieved["classes that lack a value"] = int(lacking.sum())
        return Outcome(holds, achieved)

    def describe(self) -> str:
        lacking = ", absent values aside" if self.absent == "allowed" else ""
        return (
            f"{self.delta}-disclosure privacy (the share of each value{self._of_column} in every "
            f"group less than {self.delta} from that in the whole table, in logarithms{lacking})"
        )

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say that one group has the shares of the table."""
        return "All rows in one group have the shares of the table: any delta above 0 holds."
