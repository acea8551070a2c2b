"""p-sensitive k-anonymity: groups of k with p different values of every sensitive column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from shoal.errors import ParameterError
from shoal.models._cases import HandCase, written
from shoal.models._statistics import GroupStatistics, Histogram
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.conditions import Spread
from shoal.models.exact.limits import at_least
from shoal.models.k_anonymity import GROUP_SIZE, KAnonymity


@dataclass(frozen=True)
class PSensitiveK(Requirement):
    """Groups of at least k that show at least p different values of each sensitive column.

    k-anonymity and distinct l-diversity in one, of all sensitive columns alike. With different
    numbers per column take `MultiLDiversity`; where frequency matters, another kind of
    `LDiversity`.

    Parameters
    ----------
    p
        How many different values, 2 or more, and at most k.
    k
        The least size of a group, 2 or more.
    column
        One sensitive column; left out, every one.

    Notes
    -----
    Where the schema names an entity column, k counts people. A missing value counts as one of its
    own.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["young"] * 3, "disease": ["flu", "flu", "HIV"],
    ...                       "job": ["clerk", "clerk", "clerk"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive(),
    ...                        "job": shoal.sensitive()})
    >>> shoal.verify(table, schema, [shoal.PSensitiveK(2, 3)]).achieved
    {'k': 3, 'p': 1}
    >>> shoal.verify(table, schema, [shoal.PSensitiveK(2, 3, column="disease")]).passed
    True

    References
    ----------
    Truta, Vinay: Privacy protection: p-sensitive k-anonymity property, ICDE Workshops 2006.
    """

    p: int
    k: int
    column: str | None = None

    name: ClassVar[str] = "p-sensitive-k"
    limits: ClassVar = {"p": at_least(2, "2 and 3 are usual."), "k": GROUP_SIZE}
    monotone: ClassVar[bool] = True
    monotone_in_rows: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset({"people", "histograms"})
    counts_matter: ClassVar[bool] = False

    @classmethod
    def example(cls) -> Self:
        return cls(2, 3)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Count rows, people, and values of one or of all columns."""
        both = written(
            illness=["flu cold HIV", "flu flu flu", "flu cold flu", "flu cold"],
            job=["clerk smith clerk", "clerk smith smith", "clerk clerk clerk", "clerk smith"],
        )
        people = written(
            illness=["flu cold *", "flu cold cold", "flu flu flu"],
            people=["ann bob eve", "ann ann bob", "ann bob eve"],
        )
        return [
            HandCase(cls(2, 3), both, [True, False, False, False]),
            HandCase(cls(2, 3, column="illness"), both, [True, False, True, False]),
            HandCase(cls(3, 3), people, [True, False, False]),
            HandCase(cls(2, 2), people, [True, True, False]),
        ]

    @property
    def least_size(self) -> int:
        """The least size of a group: k, which p does not exceed."""
        return max(self.k, self.p)

    @property
    def required_size(self) -> int:
        """The size that is asked for: k."""
        return self.k

    def validate(self) -> None:
        """Refuse a k or p below 2, and a p above k."""
        super().validate()
        if self.p > self.k:
            raise ParameterError(
                f"p must not exceed k, but p = {self.p} and k = {self.k}.", "Lower p, or raise k."
            )

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Count the people (or rows) and the different values of each group."""
        held = KAnonymity(self.k).judge(groups)
        n = len(groups.sizes)
        shown = [found.different(n) for found in self._histograms(groups).values()]
        least = np.minimum.reduce(shown)
        achieved = {**held.achieved, "p": int(least.min()) if n else 0}
        return Outcome(held.holds & (least >= self.p), achieved)

    def _histograms(self, groups: GroupStatistics) -> Mapping[str, Histogram]:
        """Find the columns that are asked of: the named one, or all."""
        if self.column is not None or not groups.histograms:
            return dict([groups.histogram(self.column)])
        return groups.histograms

    def conditions(self, whole: GroupStatistics) -> tuple[Spread, ...]:
        """Ask for different values of each column."""
        return tuple(Spread(name, "distinct", Fraction(self.p)) for name in self._histograms(whole))

    @property
    def required_values(self) -> Mapping[str, int]:
        """The p of the column, where one is named."""
        return {} if self.column is None else {self.column: self.p}

    def least_values(self, whole: GroupStatistics) -> Mapping[str, int]:
        """Say how many different values each group shows: p of each column."""
        return dict.fromkeys(self._histograms(whole), self.p)

    def describe(self) -> str:
        of = "every sensitive column" if self.column is None else f"'{self.column}'"
        return (
            f"{self.p}-sensitive {self.k}-anonymity (every group holds at least {self.k}, and at "
            f"least {self.p} different values of {of})"
        )

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the columns that have too few values, or the largest k."""
        found_by_name = self._histograms(whole).items()
        few = [
            found.too_few(name, self.p, "p", "no p is possible") for name, found in found_by_name
        ]
        return " ".join(filter(None, few)) or KAnonymity(self.k).nearest_feasible(whole)
