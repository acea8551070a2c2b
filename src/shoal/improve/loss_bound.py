"""How near a release is to the best possible one: what it lost, and what any table loses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.base.rounding import towards, two_digits
from shoal.improve.refinement import Budget


@dataclass(frozen=True)
class Bounding(Budget):
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

    unit: ClassVar[str] = "looks"
    words: ClassVar[tuple[str, str, str]] = (
        "A bound",
        "bound must set how long to search for one",
        'Such as {"seconds": 10} or shoal.Bounding(looks=100_000_000).',
    )


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
        Whether both speak of the rows and columns that were grouped, because others were left out
        before, or some were suppressed and the rest encoded anew.

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
