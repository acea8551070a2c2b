"""(l₁ … l_d)-diversity: enough different values of every sensitive column in a group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from shoal.errors import ParameterError
from shoal.models._cases import HandCase, written
from shoal.models._statistics import GroupStatistics, Histogram
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.limits import at_least


@dataclass(frozen=True)
class MultiLDiversity(Requirement):
    """Every group shows at least lᵢ different values of each sensitive column.

    For tables with several sensitive columns. It counts values only: with 9 of 10 records
    alike, two values are two. Where frequency matters, add `AlphaK`.

    Parameters
    ----------
    l
        How many different values each sensitive column must show in a group, 2 or more.
    lower
        Ask for as many values as the table has where a column has fewer than its l, and say so
        in the report. Otherwise that is refused.

    Notes
    -----
    Published values count, values that a method adds included. A missing value counts as one of
    its own.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["*"] * 3, "disease": ["flu", "flu", "HIV"],
    ...                       "income": ["low", "high", "high"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive(),
    ...                        "income": shoal.sensitive()})
    >>> require = [shoal.MultiLDiversity({"disease": 2, "income": 2})]
    >>> shoal.verify(table, schema, require).achieved
    {'l of disease': 2, 'l of income': 2}

    References
    ----------
    Ye, Liu, Wang: Decomposition: privacy preservation for multiple sensitive attributes,
    DASFAA 2009.
    """

    l: Mapping[str, int]  # noqa: E741 - the name of the field
    lower: bool = False

    name: ClassVar[str] = "multi-l-diversity"
    limits: ClassVar = {}
    monotone: ClassVar[bool] = True
    monotone_in_rows: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset({"histograms"})
    counts_matter: ClassVar[bool] = False

    @classmethod
    def example(cls) -> Self:
        return cls({"illness": 2})

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Ask for values of two columns, and for no more than there are."""
        both = written(
            illness=["flu cold", "flu flu", "flu cold", "flu cold HIV"],
            job=["clerk smith", "clerk smith", "clerk clerk", "clerk smith smith"],
        )
        lowered = written(illness=["flu cold *", "flu cold cold", "cold flu flu *"])
        return [
            HandCase(cls({"illness": 2, "job": 2}), both, [True, False, False, True]),
            HandCase(cls({"illness": 3}, lower=True), lowered, [True, False, True]),
        ]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Ask for one value of a column fewer or more."""
        return {
            f"l of {column}": self._with(
                "l", {**self.l, column: least - 1}, {**self.l, column: least + 1}
            )
            for column, least in self.l.items()
        }

    def validate(self) -> None:
        """Refuse an l below 2, and no column at all."""
        if not isinstance(self.l, Mapping) or not self.l:
            raise ParameterError(
                "l must name at least one sensitive column.", 'Such as {"disease": 3}.'
            )
        for column, least in self.l.items():
            at_least(2, "3 is usual.").check(f"l of '{column}'", least)
        super().validate()

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Count the different values of each group."""
        holds = np.ones(len(groups.sizes), dtype=np.bool_)
        achieved: dict[str, float | int] = {}
        for column in self.l:
            _, found = groups.histogram(column)
            shown = found.different(len(groups.sizes))
            holds &= shown >= self.least_of(column, found)
            achieved[f"l of {column}"] = int(shown.min()) if shown.size else 0
        return Outcome(holds, achieved)

    def least_of(self, column: str, found: Histogram) -> int:
        """Say how many values must be there, given those of the table."""
        return min(self.l[column], len(found.labels)) if self.lower else self.l[column]

    @property
    def required_values(self) -> Mapping[str, int]:
        """The l of each column."""
        return self.l

    def describe(self) -> str:
        listed = ", ".join(f"{least} of '{column}'" for column, least in self.l.items())
        fewer = ", or all where a column has fewer" if self.lower else ""
        counts = ", ".join(map(str, self.l.values()))
        return f"({counts})-diversity (different values in every group: {listed}{fewer})"

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the columns that have too few values."""
        few = [
            whole.histogram(column)[1].too_few(column, least, column, "leave it out")
            for column, least in self.l.items()
        ]
        way_out = "Or set lower = true, so that no column needs more values than it has."
        return " ".join(filter(None, [*few, way_out]))

    def remarks(self, whole: GroupStatistics) -> list[str]:
        """Say which columns have fewer values than asked for, and which nothing is asked of."""
        made = []
        for column, least in self.l.items():
            _, found = whole.histogram(column)
            shown = len(np.unique(found.value))
            if not self.lower or shown >= least:
                continue
            why = "the number of values it has"
            if shown == 1:
                why = "since all rows have the same value, which every reader sees"
            made.append(f"l of '{column}' was lowered from {least} to {shown}, {why}.")
        named = ", ".join(f"'{column}'" for column in self.l)
        made += [
            f"The diversity of {named} does not protect '{column}', which is sensitive, too."
            for column in whole.histograms
            if column not in self.l
        ]
        return made
