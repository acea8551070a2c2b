"""How near a release is to the best possible one: what it lost, and what any table loses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from shoal.base.arguments import Optioned, one_of, require_budget
from shoal.base.rounding import towards, two_digits
from shoal.errors import ParameterError, a_type
from shoal.measures.base import Measure

__all__ = ["Bounding", "LossBound"]


@dataclass(frozen=True)
class Bounding(metaclass=Optioned):
    """Compute a lower bound of the loss of any k-anonymous table, and report it with the loss.

    See `shoal.measures.lower_bound`.

    Parameters
    ----------
    seconds
        How long to look; the number then depends on the machine.
    looks
        How many looks at rows in boxes; the same number on every machine. Some 50 million take a
        second.
    measure
        What is bounded: ``"iloss"``, ``"iloss_rate"`` or ``"loss"``.
    times
        How many times as many looks as `shoal.Auto` takes at such a table, instead of a number of
        them; 0 is not at all.

    Examples
    --------
    >>> import shoal
    >>> release = shoal.anonymize(shoal.datasets.patients(1), k=2, drop="name",
    ...     sensitive="disease", quasi=["age", "sex", "zip"], method="gaa-cp",
    ...     bound=shoal.Bounding(looks=1_000_000), bounds="observed", seed=1)
    >>> print(release.bound)
    lost 48 % by iloss; no 2-anonymous table of this kind loses less than 45 %
    """

    seconds: float | None = None
    looks: int | None = None
    measure: str = "iloss"
    times: float | None = None

    @classmethod
    def of(cls, given: Bounding | Mapping[str, Any]) -> Bounding:
        """Take what is given in Python, or a plan's table of options."""
        if isinstance(given, Bounding):
            made = given
        elif isinstance(given, Mapping):
            made = cls(**given)
        else:
            raise ParameterError(
                f"bound must set how long to search for one, but it is {a_type(given)}.",
                'Such as {"seconds": 10} or shoal.Bounding(looks=100_000_000).',
            )
        made.validate()
        return made

    def validate(self) -> None:
        """Refuse options that make no sense (raises `ParameterError`)."""
        require_budget("A bound", looks=self.looks, seconds=self.seconds, times=self.times)
        from shoal.measures import MEASURES  # it knows this file

        one_of("measure", self.measure, [n for n, each in MEASURES.items() if each.additive])

    @property
    def measured(self) -> Measure:
        """The measure that is bounded."""
        from shoal.measures import MEASURES

        return MEASURES[self.measure]

    def in_looks(self, usual: Bounding) -> Bounding | None:
        """Turn `times` into looks; ``None`` if there are none.

        Parameters
        ----------
        usual
            What is taken once.

        Examples
        --------
        >>> Bounding(times=2).in_looks(Bounding(looks=1_000))
        Bounding(seconds=None, looks=2000, measure='iloss', times=None)
        """
        if self.times is None:
            return self
        if not self.times or usual.looks is None:
            return None
        return replace(self, looks=max(round(self.times * usual.looks), 1), times=None)

    def to_spec(self) -> dict[str, Any]:
        """Write it as a plan's table."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class LossBound:
    """What a release lost, and what every table of its kind loses at least.

    Parameters
    ----------
    measure, k
        By what, and for groups of how many rows.
    lost, least
        Shares of what a table of nothing but ``*`` loses.
    partly
        Whether both speak of the rows and columns that were left when those with missing cells
        had been taken out.

    Examples
    --------
    >>> print(LossBound("iloss", 5, lost=0.0204, least=0.0176))
    lost 2.0 % by iloss; no 5-anonymous table of this kind loses less than 1.7 %
    """

    measure: str
    k: int
    lost: float
    least: float
    partly: bool = False

    def __str__(self) -> str:
        lost, least = self.rounded()
        than = f" than {_percent(least)}" if self.lost > self.least else ""
        partly = " (of the rows and columns that were grouped)" if self.partly else ""
        return (
            f"lost {_percent(lost)} by {self.measure}; no {self.k}-anonymous table of this kind "
            f"loses less{than}{partly}"
        )

    def rounded(self) -> tuple[float, float]:
        """Give both with two digits; the least is never said to be more than it is."""
        lost = two_digits(self.lost)
        return lost, min(towards(self.least, 0.0), lost)


def _percent(share: float) -> str:
    """Write a share that has two digits."""
    shown = f"{100 * share:.2g}" if share < 0.995 else "100"
    if "e" in shown:
        return f"{100 * share:.1e} %"
    digits = shown.replace(".", "").lstrip("0")
    if share and share < 0.1 and len(digits) == 1:  # 2.0, not 2
        shown = f"{shown}.0" if "." not in shown else f"{shown}0"
    return f"{shown} %"
