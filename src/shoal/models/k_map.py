"""k-map: everyone is one of k in the population that the table was drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp, lgamma, log
from typing import Any, ClassVar, Literal, Self

import numpy as np

from shoal.errors import ParameterError
from shoal.models._cases import HandCase
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.limits import exactly
from shoal.models.exact.logarithms import compare_log
from shoal.models.exact.shares import exact, fraction, nudged
from shoal.models.k_anonymity import GROUP_SIZE

_UNSURE = 1e-9


@dataclass(frozen=True)
class KMap(Requirement):
    """Every record is like at least k people of the population.

    Against an attacker who looks for a person without knowing that they are in the table: it
    may hold one of their kind, if the population has k. So groups may be smaller than k where the
    table is a sample. Where the adversary knows that a person is in it, take `KAnonymity`; where
    membership is sensitive, `DeltaPresence`.

    The people are counted in a table of the population (``population=``), or estimated from the
    share of it that the table is (``fraction``).

    Parameters
    ----------
    k
        How many people of the population at least, 2 or more.
    fraction
        The share of the population that the table holds, above 0 and at most 1. A number is read as
        a decimal, a text may be a fraction. Left out: people are counted in a table of the
        population.
    significance
        Of the estimate: the chance, at most, that a group as large as is asked for is drawn from
        no more than k people, above 0 and below 1.
    estimate
        ``"zero-truncated"``: the count of a group follows a Poisson distribution without 0, since
        who is not in the table is in no group (D4). ``"poisson"``: with 0 (D3); it lets smaller
        groups pass.

    Notes
    -----
    A table of the population has a row for each person, those of the published table among them.
    Somebody fits a group if they would show its cells. Since groups become larger only together
    with the people who fit them, a group that holds it holds it whatever rows join.

    For an estimate, the table is taken to be a random sample. Then so many of k people alike are in
    it as a Poisson distribution of mean k · fraction says. The group size that is asked for is the
    least that such a distribution reaches with a probability of at most the significance, and k if
    that is less. It is worked out exactly. Where the schema names an entity column, people are
    counted.

    Examples
    --------
    >>> KMap(10, 0.1).required_size, KMap(10, 0.1, estimate="poisson").required_size
    (5, 5)
    >>> KMap(10, 0.01).required_size, KMap(10, 0.01, estimate="poisson").required_size
    (3, 2)
    >>> groups = GroupStatistics(np.array([1, 4]), population=np.array([12, 9]))
    >>> KMap(10).judge(groups).holds.tolist()
    [True, False]

    References
    ----------
    L. Sweeney: k-anonymity: a model for protecting privacy, 2002.
    K. El Emam, F. Dankar: Protecting privacy using k-anonymity, JAMIA 2008.
    """

    k: int
    fraction: float | str | None = None
    significance: float | str = 0.01
    estimate: Literal["zero-truncated", "poisson"] = "zero-truncated"

    name: ClassVar[str] = "k-map"
    limits: ClassVar = {"k": GROUP_SIZE, "fraction": exactly("(0, 1]")}
    monotone: ClassVar[bool] = True
    presence_unknown: ClassVar[bool] = True
    monotone_in_rows: ClassVar[bool] = True

    @property
    def needs(self) -> frozenset[str]:  # type: ignore[override]
        """People of the population, or of the table where these are estimated."""
        return frozenset({"population"} if self.fraction is None else {"people"})

    @property
    def complete(self) -> bool:  # type: ignore[override]
        """Where people are estimated, the size of a group says all."""
        return self.fraction is not None

    @classmethod
    def example(cls) -> Self:
        return cls(5, 0.1, 0.05)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Draw just so many that two, or one, of k would be too many."""
        groups = GroupStatistics(np.array([1, 2, 3, 4]))
        people = GroupStatistics(np.array([5, 5, 5]), people=np.array([1, 2, 3]))
        at_three, at_two = "0.11841915704", "0.07107230213"  # rounded down
        return [
            HandCase(cls(5, at_three, 0.05), groups, [False, False, True, True]),
            HandCase(cls(5, "0.11841915705", 0.05), groups, [False, False, False, True]),
            HandCase(cls(5, at_two, 0.05, "poisson"), people, [False, True, True]),
            HandCase(
                cls(5),
                GroupStatistics(np.array([1, 1, 6, 4]), population=np.array([4, 5, 6, 4])),
                [False, True, True, False],
            ),
        ]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Ask for one fewer or more, or a bit less or more."""
        made = dict(super().thresholds())
        if self.fraction is not None:
            larger, smaller = map(str, nudged(self.share, 1))
            made["fraction"] = self._with("fraction", smaller, larger)
            made["significance"] = self._with("significance", *map(str, nudged(self.error, 1)))
        return made

    @property
    def share(self) -> Fraction:
        """The share of the population, exactly."""
        return fraction("fraction", self.fraction)

    @property
    def error(self) -> Fraction:
        """The chance of error, exactly."""
        return exact(self.significance) or Fraction(0)

    @property
    def least_size(self) -> int:
        """The least size of a group, by the estimate; one person may do where k are counted."""
        if self.fraction is None:
            return 1
        return _least(self.k, self.share, self.error, self.estimate == "zero-truncated")

    def validate(self) -> None:
        """Refuse shares that are none, and options of the estimate where there is none."""
        super().validate()
        if self.fraction is not None:
            exactly("(0, 1)", "0.01 and 0.05 are usual.").check("significance", self.significance)
            return
        plain = KMap(self.k)
        for name in ("significance", "estimate"):
            if getattr(self, name) != getattr(plain, name):
                raise ParameterError(
                    f"{name} is an option of the estimate, which needs fraction.",
                    f"Give fraction, or leave {name} out to count people of the population.",
                )

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each group's people (or rows) with the size that is asked for."""
        if self.fraction is None:
            fitting = groups.fitting(self.name)
            fewest = int(fitting.min()) if fitting.size else 0
            return Outcome(fitting >= self.k, {"least population": fewest})
        counts = groups.counts
        least = int(counts.min()) if counts.size else 0
        return Outcome(counts >= self.least_size, {"least group": least})

    def describe(self) -> str:
        if self.fraction is None:
            return f"{self.k}-map (every group matches at least {self.k} people of the population)"
        return (
            f"{self.k}-map (every group holds at least {self.least_size}, so it is estimated to "
            f"stand for at least {self.k} people of a population of which the table is "
            f"{self.fraction})"
        )

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the largest group there can be, or the population."""
        if self.fraction is None:
            people = int(whole.fitting(self.name).sum())
            return f"The population has {people} people: lower k, or give a larger population."
        most = int(whole.counts.sum())
        return (
            f"The table has {most} {whole.noun}, but a group of {self.least_size} is "
            "required: lower k, or allow a larger significance."
        )

    def to_spec(self) -> dict[str, Any]:
        """Write the requirement as a plan's table; options of no estimate are left out."""
        if self.fraction is None:
            return {"model": self.name, "k": self.k}
        return super().to_spec()


@lru_cache(maxsize=256)
def _least(k: int, share: Fraction, error: Fraction, truncated: bool) -> int:
    """Find the least size that a group of k people reaches so seldom, and k at most."""
    mean, sure = k * share, 1 - error
    rate = float(mean)
    scale = -np.expm1(-rate) if truncated else 1.0
    below = 0.0
    for size in range(k):  # below is the probability of at most so many
        if size or not truncated:
            below += exp(size * log(rate) - rate - lgamma(size + 1)) / scale
        close = abs(below - float(sure)) <= _UNSURE
        if _reaches(size, mean, sure, truncated) if close else below > float(sure):
            return size + 1
    return k


def _reaches(size: int, mean: Fraction, sure: Fraction, truncated: bool) -> bool:
    """Say whether at most ``size`` is so sure: sums of powers against e to that of the mean."""
    total, term = Fraction(0), Fraction(1)
    for step in range(size + 1):
        term = term * mean / step if step else term
        total += 0 if truncated and not step else term
    needed = total / sure + int(truncated)
    if needed <= 0:
        return False
    return compare_log(needed, mean) >= 0
