"""β-likeness: no value is much more frequent in a group than in the whole table."""

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
from shoal.models.exact.shares import within


@dataclass(frozen=True)
class BetaLikeness(Compared):
    """In every group, the share of a value is at most 1 + β times its share in the table.

    Against an adversary who gains from a person's group: what was one in a hundred is at most 1 + β
    in a hundred there. It bounds the gain of every value, however rare, where `TCloseness` bounds
    the sum of differences. That a value becomes rarer counts for nothing; where it should, take
    `DeltaDisclosure`. It sets no size for groups; add `KAnonymity`.

    Parameters
    ----------
    beta
        The largest gain relative to the share in the table, above 0. A number is read as a decimal,
        a text may be a fraction.
    kind
        ``"enhanced"``: also at most −ln p, where p is the share in the table, so that frequent
        values may not become certain. ``"basic"``: β alone.
    column
        The sensitive column; may be left out where there is one.

    Notes
    -----
    The table is the published one: rows that are suppressed do not count. Gains are compared
    exactly; one of exactly β holds. Where the schema names an entity column, shares are of people:
    a person counts once for each of their values in each group. A missing value counts as one of
    its own.

    Two groups that hold it hold it together, if what they are compared with stays: the union's
    shares lie between those of the two.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["young"] * 3 + ["old"] * 3,
    ...     "disease": ["flu", "flu", "HIV", "flu", "HIV", "HIV"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> shoal.verify(table, schema, [shoal.BetaLikeness(1)]).achieved
    {'beta': 0.3333333333333333}

    References
    ----------
    Cao, Karras: Publishing microdata with a robust privacy guarantee, VLDB 2012.
    """

    beta: float | str
    kind: Literal["enhanced", "basic"] = "enhanced"
    column: str | None = None

    name: ClassVar[str] = "beta-likeness"
    limits: ClassVar = {"beta": at_most("(0, inf)", 'Write 2, or a fraction as text: "3/2".')}

    @classmethod
    def example(cls) -> Self:
        return cls(4, "basic")

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Bound the gains of rare and of frequent values."""
        # Of 8 rows 2 are ill: 1/2 is a gain of 1, 0 and 1/4 are none.
        rare = written(illness=["ill fit", "fit fit", "ill fit fit fit"])
        # Of 8 rows 6 are ill: all ill is a gain of 1/3, above −ln 3/4 = 0.288; 2/5 fit is one of
        # 3/5. Above, all fit is a gain of 1/3, too.
        often = written(illness=["ill ill ill", "ill ill ill fit fit"])
        return [
            HandCase(cls(1, "basic"), rare, [True, True, True]),
            HandCase(cls("1/3", "basic"), often, [True, False]),
            HandCase(cls("3/5", "basic"), often, [True, True]),
            HandCase(cls(1), rare, [True, False, True]),
            HandCase(cls("3/5"), often, [False, True]),
        ]

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare the gain of each value with β, and with −ln p."""
        holds, group, above, unit, counts, rows, _ = self.beside(groups)
        gain = above - unit
        holds[group[~within(gain, unit, [self.most], np.zeros(len(gain), dtype=np.int64))]] = False
        if self.kind == "enhanced":
            more = np.flatnonzero(gain > 0)
            of_all = np.broadcast_to(rows, len(gain))[more]
            signs = compare_logs(of_all, counts[more], (gain[more], unit[more]))
            holds[group[more[signs < 0]]] = False
        gains = gain.astype(np.float64) / unit.astype(np.float64)
        return Outcome(holds, {"beta": float(gains.max(initial=0.0))})

    def describe(self) -> str:
        also = ", nor more than -ln of it" if self.kind == "enhanced" else ""
        return (
            f"{self.kind} {self.beta}-likeness (the share of each value{self._of_column} in every "
            f"group larger than in the whole table by no more than {self.beta} times that{also})"
        )

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say that one group gains nothing."""
        return "All rows in one group have the shares of the table: any beta above 0 holds."
