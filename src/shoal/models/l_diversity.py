"""l-diversity: the values of a sensitive column are well spread in every group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from math import ceil, floor, inf
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.base.arguments import is_whole
from shoal.base.arrays import Ints
from shoal.base.limits import Limit
from shoal.errors import ParameterError
from shoal.models._cases import HandCase, written
from shoal.models._statistics import GroupStatistics, Histogram
from shoal.models.alpha_k import AlphaK
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.conditions import Spread
from shoal.models.exact.eligible import largest
from shoal.models.exact.limits import exactly
from shoal.models.exact.shares import exact, nudged, rounded_up
from shoal.models.exact.spread import as_even_as, evenness, recursion

_WHOLE = Limit(
    "a whole number of at least 2",
    '3 is usual; only kind = "entropy" takes numbers in between.',
    lambda given: is_whole(given) and (exact(given) or 0) >= 2,
)
_EVEN = exactly("(1, inf)", 'Write 3, 2.5, or a fraction as text: "5/2".')


@dataclass(frozen=True)
class LDiversity(Requirement):
    """Every group shows at least l well spread values of a sensitive column.

    Against an adversary who finds a person's group, and knows that some values are not the
    person's. For several sensitive columns at once take `MultiLDiversity`; where a group should
    reveal no more than the whole table does, `TCloseness`.

    Parameters
    ----------
    l
        How many values. A whole number, 2 or more; with ``"entropy"`` any number above 1, also a
        fraction as text.
    kind
        ``"distinct"``: l different values. ``"entropy"``: an entropy of at least ln l, that of l
        equally frequent values. ``"recursive"``: the most frequent value is rarer than c times
        all values from the l-th most frequent on together.
    c
        With ``"recursive"``: how often the most frequent value may occur. A number above 0, read as
        a decimal, or a fraction as text.
    column
        The sensitive column; may be left out where there is one.

    Notes
    -----
    All comparisons are exact: three values, equally frequent, have an entropy of ln 3. A missing
    value counts as one of its own. Where the schema names an entity column, ``"entropy"`` and
    ``"recursive"`` count people; one who holds two values counts with both.

    Two groups that hold it hold it together. Distinct: the union shows what either shows.
    Entropy: it is concave, and the union's shares lie between those of the two. Recursive: the
    l − 1 largest counts of a sum are at most those of its parts, so what the rest weighs adds up
    at least, and the largest count at most.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 4, "disease": ["flu", "flu", "HIV", "cold"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> shoal.verify(table, schema, [shoal.LDiversity(3)]).passed
    True
    >>> shoal.verify(table, schema, [shoal.LDiversity(3, "entropy")]).achieved
    {'l': 2.828427125}
    >>> shoal.verify(table, schema, [shoal.LDiversity(2, "recursive", c=1)]).passed
    False

    References
    ----------
    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-diversity: privacy beyond k-anonymity,
    TKDD 2007.
    """

    l: float | str  # noqa: E741 - the name of the field
    kind: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: float | str | None = None
    column: str | None = None

    name: ClassVar[str] = "l-diversity"
    limits: ClassVar = {}
    monotone: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset({"histograms"})

    @classmethod
    def example(cls) -> Self:
        return cls(2)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Count values, compare entropies with ln l, weigh the rare against the frequent."""
        values = written(illness=["flu cold HIV", "flu cold flu", "flu cold HIV flu", "flu cold *"])
        thirds = written(illness=["flu cold HIV", "flu flu cold HIV", "flu flu cold cold HIV HIV"])
        # ln 8 − (4 ln 4) / 8 = ln 4, with five values.
        uneven = written(illness=["flu flu flu flu a b c d", "flu flu flu flu flu a b c d"])
        # 2 < 2 · 1 fails, 3 < 2 · 2 holds, 1 < 2 · 1 holds, 4 < 2 · 2 fails.
        weighed = written(
            illness=["flu flu cold", "flu flu flu cold cold", "flu cold", "flu flu flu flu a b"]
        )
        return [
            HandCase(cls(3), values, [True, False, True, True]),
            HandCase(cls(3, "entropy"), thirds, [True, False, True]),
            HandCase(cls(4, "entropy"), uneven, [True, False]),
            HandCase(cls(2, "recursive", c=2), weighed, [False, True, True, False]),
        ]

    def least_values(self, whole: GroupStatistics) -> Mapping[str, int]:
        """Say how many different values each group shows: no kind holds with fewer than l."""
        name, _ = whole.histogram(self.column)
        return {name: ceil(self.least)}

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Ask for one value fewer or more, or for a bit less or more; nudge c likewise."""
        larger, smaller = nudged(self.least)
        if self.kind == "entropy":
            return {"l": self._with("l", str(smaller), str(larger))}
        made = {"l": self._with("l", int(self.least) - 1, int(self.least) + 1)}
        if self.kind == "recursive":
            made["c"] = self._with("c", *map(str, nudged(self.factor)))
        return made

    @property
    def monotone_in_people(self) -> bool:  # type: ignore[override]
        """Only where values are not counted."""
        return self.kind == "distinct"

    monotone_in_rows = monotone_in_people  # more rows may make one value frequent

    @property
    def counts_matter(self) -> bool:  # type: ignore[override]
        """Not for different values."""
        return self.kind != "distinct"

    @property
    def least(self) -> Fraction:
        """The number l, exactly."""
        return exact(self.l) or Fraction(0)

    @property
    def factor(self) -> Fraction:
        """The number c, exactly; 1 where there is none."""
        return exact(self.c) or Fraction(1)

    @property
    def least_size(self) -> int:
        """The least number of rows: l, and more where c is so small that single values weigh."""
        if self.kind != "recursive":
            return ceil(self.least)
        return int(self.least) + floor(1 / self.factor)

    def conditions(self, whole: GroupStatistics) -> tuple[Spread]:
        """Ask for the spread alone."""
        name, _ = whole.histogram(self.column)
        return (Spread(name, self.kind, self.least, self.factor),)

    def as_shares(self) -> AlphaK:
        """Bound every value as if there were `least_size` of them, each as often."""
        return AlphaK(f"1/{self.least_size}", 2, column=self.column)

    def validate(self) -> None:
        """Refuse an unknown kind, an l that asks for nothing, and a c that is not used."""
        super().validate()
        (_EVEN if self.kind == "entropy" else _WHOLE).check("l", self.l)
        if self.kind != "recursive":
            if self.c is not None:
                raise ParameterError(
                    f"c is not used with kind = '{self.kind}'.",
                    'Leave it out, or set kind = "recursive".',
                )
        elif self.c is None:
            raise ParameterError(
                "kind = 'recursive' needs c: how often the most frequent value may occur.",
                "With c = 2, the most frequent value occurs less than twice as often as all "
                "from the l-th on.",
            )
        elif not exact(self.c):
            raise ParameterError(
                f"c must be above 0, not {self.c!r}.", 'Write 2, 0.5, or a fraction: "1/3".'
            )

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare the spread of each group's values with l."""
        _, found = groups.histogram(self.column)
        n = len(groups.sizes)
        if self.kind == "entropy":
            holds = as_even_as(found, n, self.least)
            worst = float(evenness(found, n).min()) if n else 0.0
            return Outcome(holds, {"l": round(worst, 9)})
        reached = self._reached(found, n)
        return Outcome(reached >= int(self.least), {"l": int(reached.min()) if n else 0})

    def _reached(self, found: Histogram, groups: int) -> Ints:
        """Find the largest whole l of each group."""
        if self.kind == "distinct":
            return found.different(groups)
        return recursion(found, groups, self.factor)

    def describe(self) -> str:
        where = self._of_column
        if self.kind == "distinct":
            return f"{self.l}-diversity (at least {self.l} different values{where} in every group)"
        if self.kind == "entropy":
            return (
                f"entropy {self.l}-diversity (values{where} in every group spread at least as "
                f"evenly as {self.l} equally frequent ones)"
            )
        return (
            f"recursive ({self.c}, {self.l})-diversity (the most frequent value{where} in every "
            f"group rarer than {self.c} times all from number {self.l} on)"
        )

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        """Count the rows of frequent values that must go.

        Where people have several rows, one may stand in several groups, so that these hold it
        though all rows together do not: then nothing is said but whether there are values enough.
        """
        if self.judge(whole).passed:
            return 0
        _, found = whole.histogram(self.column)
        kept = self._kept(found.totals)
        if kept is None:
            return None
        if whole.people is not None and int(whole.people.sum()) < int(whole.sizes.sum()):
            return 0
        return int((found.totals - kept).sum())

    def most_of_each(self, whole: GroupStatistics) -> Mapping[str, Ints]:
        """Let fewer of the frequent values stay, where all rows together fail."""
        name, found = whole.histogram(self.column)
        kept = None if self.judge(whole).passed else self._kept(found.totals)
        return {} if kept is None else {name: kept}

    def _kept(self, totals: Ints) -> Ints | None:
        """Say how many of each value one group can hold; ``None`` if there are too few values."""
        order = np.argsort(totals, kind="stable")
        order = order[totals[order] > 0]
        counts = totals[order]
        if len(counts) < self.least_size or not self.counts_matter:
            return None
        cap = largest(int(counts[-1]), lambda most: self._alone(np.minimum(counts, most)))
        capped = np.minimum(counts, cap)
        if self.kind == "entropy":  # some of the next level may stay
            above_cap = np.flatnonzero(counts > cap)
            more = largest(
                len(above_cap), lambda some: self._alone(_raised(capped, above_cap[-some:]))
            )
            capped = _raised(capped, above_cap[len(above_cap) - more :])
        kept = np.zeros_like(totals)
        kept[order] = capped
        return kept

    def _alone(self, counts: Ints) -> bool:
        """Judge one group by the counts of its values."""
        one = Histogram(np.zeros_like(counts), np.arange(len(counts)), counts, ())
        if self.kind == "entropy":
            return bool(as_even_as(one, 1, self.least)[0])
        return bool(self._reached(one, 1)[0] >= int(self.least))

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name an l, or a c, that the whole table holds."""
        name, found = whole.histogram(self.column)
        least = inf if self.kind == "distinct" else self.least
        if few := found.too_few(name, least, "l", "no l is possible"):
            return few
        counts = np.sort(found.totals[found.totals > 0])[::-1]
        if self.kind == "entropy":
            return self._nearest_entropy(name, counts)
        rest = int(counts[int(self.least) - 1 :].sum())
        return (
            f"The most frequent value of '{name}' is held by {counts[0]} {whole.noun}, all from "
            f"number {self.l} on by {rest}: any c above {rounded_up(int(counts[0]), rest)} holds "
            "without suppression."
        )

    def _nearest_entropy(self, name: str, counts: Ints) -> str:
        one = Histogram(np.zeros_like(counts), np.arange(len(counts)), counts, ())
        step = Decimal("0.0001")
        most = Decimal(float(evenness(one, 1)[0]) + 1e-9).quantize(step, ROUND_FLOOR)
        while most > 1 and not as_even_as(one, 1, Fraction(most))[0]:
            most -= step
        if most <= 1:
            return f"Nearly all rows hold one value of '{name}'. Require distinct values only."
        number = f"{most.normalize():f}"
        return (
            f"The values of '{name}' are spread as evenly as {number} equally frequent ones: l "
            f"= {number} is the largest possible without suppression."
        )


def _raised(counts: Ints, which: Ints) -> Ints:
    """Let some counts be one higher."""
    made = counts.copy()
    made[which] += 1
    return made
