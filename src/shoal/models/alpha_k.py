"""(α, k)-anonymity: no sensitive value is frequent in a group."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from shoal.base.arrays import Ints
from shoal.errors import ParameterError
from shoal.models._cases import HandCase, written
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.limits import at_most
from shoal.models.exact.shares import ShareBounds, fraction, least_removed, rounded_up, within
from shoal.models.k_anonymity import GROUP_SIZE, KAnonymity


class LimitedShares(Requirement):
    """Every group holds at least k, and none of its shares is above its limit."""

    k: int

    monotone: ClassVar[bool] = True
    monotone_in_people: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"people", "histograms"})
    complete: ClassVar[bool] = True

    @property
    def required_size(self) -> int:
        """The size that is asked for: k."""
        return self.k

    @property
    @abstractmethod
    def limited(self) -> Mapping[str, Fraction]:
        """The limits, exactly, by what to call the share that was reached."""

    @abstractmethod
    def counted(self, groups: GroupStatistics) -> tuple[Ints, Ints, Ints]:
        """Count what is limited: the group of each, the number of its limit, and the count."""

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each count with its share of the group."""
        held = KAnonymity(self.k).judge(groups)
        group, which, count = self.counted(groups)
        total = groups.counts[group]
        holds = held.holds.copy()
        holds[group[~within(count, total, tuple(self.limited.values()), which)]] = False
        achieved, shares = dict(held.achieved), count / total
        for number, name in enumerate(self.limited):
            achieved[name] = float(shares[which == number].max(initial=0.0))
        return Outcome(holds, achieved)

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        """Count the rows of too frequent values that must go."""
        _, which, count = self.counted(whole)
        rows = int(whole.sizes.sum())
        gone = least_removed(rows, count, tuple(self.limited.values()), which)
        enough = KAnonymity(self.k).judge(whole).passed and rows - gone >= self.k
        return gone if enough else None


@dataclass(frozen=True)
class AlphaK(LimitedShares):
    """Groups of at least k in which no sensitive value has a share above α.

    Against an attacker who finds a person's group and guesses the sensitive value: the guess is
    right with probability at most α. All values are treated alike; where some are worse to reveal
    than others, take `LeveledAlphaK`.

    Parameters
    ----------
    alpha
        The largest share, above 0 and at most 1. A number is read as a decimal (0.3 is
        exactly 3/10); a text may be a fraction, ``"1/3"``.
    k
        The least size of a group, 2 or more.
    value
        Bound only this value ("specific" in the paper) instead of every one; ``""`` is the
        missing one.
    column
        The sensitive column; may be left out where there is one.

    Notes
    -----
    Shares are compared as whole numbers: 1 of 3 is not above ``"1/3"``, but above 0.333. Where
    the schema names an entity column, shares are of people. A missing value counts as a value
    of its own.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 3, "disease": ["flu", "flu", "HIV"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> shoal.verify(table, schema, [shoal.AlphaK(0.5, 3)]).passed
    False
    >>> shoal.verify(table, schema, [shoal.AlphaK(0.5, 3, value="HIV")]).achieved
    {'k': 3, 'alpha': 0.3333333333333333}

    References
    ----------
    Wong, Li, Fu, Wang: (α, k)-anonymity: an enhanced k-anonymity model, KDD 2006.
    """

    alpha: float | str
    k: int
    value: str | None = None
    column: str | None = None

    name: ClassVar[str] = "alpha-k"
    limits: ClassVar = {"k": GROUP_SIZE, "alpha": at_most("(0, 1]")}

    @classmethod
    def example(cls) -> Self:
        return cls(0.6, 3)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Bound every value, a named one, the missing one; count people."""
        every = written(illness=["flu cold", "flu cold HIV", "flu flu cold cold", "flu flu cold"])
        named = written(illness=["HIV", "HIV flu", "HIV HIV flu", "flu flu flu"])
        missing = written(illness=["* flu flu", "* flu", "flu flu", "* * flu flu flu"])
        people = written(
            illness=["flu flu cold", "flu flu", "flu flu"],
            people=["ann ann bob", "ann bob", "ann ann"],
        )
        return [
            HandCase(cls(0.5, 3), every, [False, True, True, False]),
            HandCase(cls(0.5, 2, value="HIV"), named, [False, True, False, True]),
            HandCase(cls("1/3", 2, value=""), missing, [True, False, True, False]),
            HandCase(cls(0.5, 2), people, [True, False, False]),
        ]

    @property
    def share(self) -> Fraction:
        """α as an exact fraction."""
        return fraction("alpha", self.alpha)

    @property
    def least_size(self) -> int:
        """The least size of a group: k, and where every value is bounded, 1/α."""
        return self.k if self.value is not None else max(self.k, math.ceil(1 / self.share))

    @property
    def limited(self) -> dict[str, Fraction]:
        """α alone."""
        return {"alpha": self.share}

    def counted(self, groups: GroupStatistics) -> tuple[Ints, Ints, Ints]:
        """Count every value, or the named one."""
        _, found = groups.histogram(self.column)
        group, count = found.group, found.counts
        if self.value is not None:
            named = found.value == found.code(self.value)
            group, count = group[named], count[named]
        return group, np.zeros(len(group), dtype=np.int64), count

    def describe(self) -> str:
        what = (
            f"no sensitive value{self._of_column} in more than {self.alpha}"
            if self.value is None
            else f"the named value{self._of_column} in at most {self.alpha}"
        )
        return (
            f"({self.alpha}, {self.k})-anonymity (every group holds at least {self.k}, "
            f"and {what} of a group)"
        )

    def require_fitting(self, whole: GroupStatistics) -> None:
        """Refuse a value that no row holds: it may be misspelt, and would protect nobody."""
        super().require_fitting(whole)
        name, found = whole.histogram(self.column)
        if self.value is not None and found.code(self.value) is None:
            raise ParameterError(
                f"The value that '{self.name}' names does not occur in column '{name}'.",
                "Check its spelling, or leave it out to limit every value.",
            )

    def shares(self, whole: GroupStatistics) -> tuple[ShareBounds]:
        """Bound every value, or the named one, by α."""
        name, found = whole.histogram(self.column)
        share, one = self.share, Fraction(1)
        largest = tuple(share if self._is_limited(label) else one for label in found.labels)
        return (ShareBounds(name, np.arange(len(largest)), largest),)

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the least α that the table holds without suppression."""
        name, found = whole.histogram(self.column)
        counts, total = found.totals, int(whole.counts.sum())
        limited = [i for i, label in enumerate(found.labels) if self._is_limited(label)]
        if total < self.k or not limited:
            return KAnonymity(self.k).nearest_feasible(whole)
        most = int(counts[limited].max())
        # The plan names its value, so a message may; any other one would be a cell.
        which = "The most frequent value" if self.value is None else f"'{self.value}'"
        return (
            f"{which} of '{name}' is held by {most} of {total} {whole.noun}: alpha must be at "
            f'least {rounded_up(most, total)} (exactly "{Fraction(most, total)}") to hold without '
            "suppression."
        )

    def published(self, values: Mapping[str, Collection[str | None]]) -> Requirement:
        """Keep to k where only removed rows hold the value: naming it would tell on them."""
        columns = values.values() if self.column is None else [values.get(self.column, ())]
        shown = self.value is None or any((self.value or None) in each for each in columns)
        return self if shown else KAnonymity(self.k)

    def _is_limited(self, label: str | None) -> bool:
        return self.value is None or label == (self.value or None)
