"""δ-presence: whether somebody of the population is in the table stays open."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from shoal.errors import ParameterError
from shoal.models._cases import HandCase
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.limits import exactly
from shoal.models.exact.shares import exact, nudged, rounded_up, within


@dataclass(frozen=True)
class DeltaPresence(Requirement):
    """Every person of the population is in the table with a probability between two limits.

    Against an attacker who has a table of the population and wants to learn who is in the published
    one, where membership is sensitive: a register of a disease, of debtors. The chance is that of a
    person's class: its published rows over the people of the population who fit it. `KMap` asks
    how many people fit, and says nothing about how many of them are in the table.

    Parameters
    ----------
    least, most
        The bounds δmin and δmax: 0 ≤ least ≤ most ≤ 1, and most above 0. A number is read as a
        decimal, a text may be a fraction.

    Notes
    -----
    A table of the population has a row for each person, those of the published table among them.
    Only published rows count: who is suppressed is not in the table.

    People who fit no published row have a chance of 0. So with ``least`` above 0 there must be
    none: a class without a row fails the table, and no class may be suppressed that somebody fits.
    Then one class that fails lets all fail. With ``least = 0`` nobody is told to be in the table by
    more than ``most``, and that somebody is not in it may be told.

    Where nothing is suppressed, classes that hold it hold it together, also with people who fit no
    row, since a sum of rows over a sum of people lies between the shares of both (Nergiz, Atzori
    and Clifton call it anti-monotone). But a class that fails may have parts that hold it.

    Examples
    --------
    >>> groups = GroupStatistics(np.array([1, 3]), population=np.array([4, 4]))
    >>> DeltaPresence(0, "1/2").judge(groups).holds.tolist()
    [True, False]
    >>> DeltaPresence(0, "1/2").judge(groups).achieved
    {'least presence': 0.25, 'most presence': 0.75}

    References
    ----------
    Nergiz, Atzori, Clifton: Hiding the presence of individuals from shared databases, SIGMOD 2007.
    """

    least: float | str
    most: float | str

    name: ClassVar[str] = "delta-presence"
    limits: ClassVar = dict.fromkeys(("least", "most"), exactly("[0, 1]"))
    monotone: ClassVar[bool] = True
    presence_unknown: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset({"people", "population"})

    @property
    def relative(self) -> bool:  # type: ignore[override]
        """With a least chance, groups that go leave people without a published row."""
        return self.lower > 0

    @property
    def monotone_in_people(self) -> bool:  # type: ignore[override]
        """Not with a least chance: a person in both groups counts once in their union."""
        return not self.lower

    @classmethod
    def example(cls) -> Self:
        return cls(0, "2/5")

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Compare shares; people who fit no group have none."""
        sizes, fitting = np.array([1, 2, 3, 4]), np.array([8, 8, 8, 8])
        groups = GroupStatistics(sizes, population=fitting)
        without = GroupStatistics(sizes, population=fitting, elsewhere=1)
        people = GroupStatistics(np.array([9, 9]), np.array([1, 2]), population=np.array([3, 3]))
        # After the paper's example: three of six in America, two of three in Europe.
        paper = GroupStatistics(np.array([3, 2]), population=np.array([6, 3]))
        return [
            HandCase(cls("1/4", "3/8"), groups, [False, True, True, False]),
            HandCase(cls("1/4", "3/8"), without, [False] * 4),
            HandCase(cls(0, "3/8"), without, [True, True, True, False]),
            HandCase(cls(0, "1/3"), people, [True, False]),
            HandCase(cls("1/2", "2/3"), paper, [True, True]),
        ]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Move either bound a bit; one at its end, or at the other, is left."""
        made = {}
        larger, smaller = nudged(self.upper, 1)
        if smaller >= self.lower and self.upper < 1:
            made["most"] = self._with("most", str(larger), str(smaller))
        larger, smaller = nudged(self.lower, 1)
        if self.lower and larger <= self.upper:
            made["least"] = self._with("least", str(smaller), str(larger))
        return made

    @property
    def lower(self) -> Fraction:
        """The least chance, exactly."""
        return exact(self.least) or Fraction(0)

    @property
    def upper(self) -> Fraction:
        """The largest chance, exactly."""
        return exact(self.most) or Fraction(0)

    def validate(self) -> None:
        """Refuse bounds that are no shares, or that leave nothing between them."""
        super().validate()
        if not self.upper or self.lower > self.upper:
            raise ParameterError(
                f"most must be above 0 and no less than least, not {self.most!r} with "
                f"{self.least!r}.",
                "Such as least = 0 and most = 0.5.",
            )

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare the rows (or people) of each group with those of the population who fit it."""
        shown, fitting = groups.counts, groups.fitting(self.name)
        first = np.zeros(len(shown), dtype=np.int64)
        holds = within(shown, fitting, (self.upper,), first)
        if self.lower:
            holds &= within(fitting, shown, (1 / self.lower,), first)
            holds &= not groups.elsewhere
        shares = shown / np.maximum(fitting, 1)
        lowest = 0.0 if groups.elsewhere else float(shares.min(initial=1.0))
        highest = float(shares.max(initial=0.0))
        reached = {"least presence": round(lowest, 12), "most presence": round(highest, 12)}
        return Outcome(holds, dict(reached))

    def describe(self) -> str:
        return (
            f"({self.least}, {self.most})-presence (of the people in the population who match "
            f"a group, at least {self.least} and at most {self.most} are in the table)"
        )

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        """Say how many rows are too many for the population; ``None`` if they are too few."""
        if self.judge(whole).passed:
            return 0
        rows, people = int(whole.counts.sum()), int(whole.fitting(self.name).sum())
        most = people * self.upper.numerator // self.upper.denominator
        if most <= 0 or rows <= most:
            return None
        return rows - most

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the share of the population that the table is."""
        rows, people = int(whole.counts.sum()), int(whole.fitting(self.name).sum())
        if rows > people:
            return (
                f"The population has {people} people, fewer than the table: give the whole "
                "population."
            )
        return (
            f"The table holds {rows} of {people} people of the population: choose least and most "
            f"so that {rounded_up(rows, people)} lies between them."
        )
