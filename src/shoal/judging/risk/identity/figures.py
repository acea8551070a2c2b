"""Risks of people in a few figures: highest, average, lowest, and how many are above a limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.base.arguments import is_number
from shoal.base.arrays import Floats, Ints
from shoal.errors import ParameterError

THRESHOLDS = (0.05, 0.09, 0.2, 0.33)
"""Limits in use: groups of 20 and of 11 (public data), of 5 and of 3 (trusted readers)."""


@dataclass(frozen=True)
class RiskFigures:
    """How likely people are found.

    Parameters
    ----------
    highest, average, lowest
        Over people: the probability that a guess at whose record it is hits.
    above
        For each threshold the share of people whose probability is above it.

    Examples
    --------
    >>> made = RiskFigures.of(np.array([1.0, 0.5, 0.5, 0.2]), (0.2, 0.5))
    >>> made.highest, made.average, made.above
    (1.0, 0.55, {0.2: 0.75, 0.5: 0.25})
    """

    highest: float
    average: float
    lowest: float
    above: Mapping[float, float]

    @classmethod
    def of(
        cls, risks: Floats, thresholds: Iterable[float], people: Ints | None = None
    ) -> RiskFigures:
        """Sum up the probability of each person, or of groups of people."""
        return cls(
            float(risks.max()),
            float(np.average(risks, weights=people)),
            float(risks.min()),
            {
                float(limit): float(np.average(risks > limit, weights=people))
                for limit in thresholds
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """Write them for programs."""
        return {
            "highest": self.highest,
            "average": self.average,
            "lowest": self.lowest,
            "above": {f"{limit:g}": share for limit, share in self.above.items()},
        }


def read_thresholds(given: Iterable[float]) -> tuple[float, ...]:
    """Take thresholds, and refuse what is no probability.

    Examples
    --------
    >>> read_thresholds([2])
    Traceback (most recent call last):
    shoal.errors.ParameterError: thresholds must be numbers from 0 to 1. Such as 0.05, 0.2.
    """
    usual = "Such as 0.05, 0.2."
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError("thresholds must be a list of numbers.", usual)
    made = tuple(given)
    if not all(is_number(each) and 0 <= each <= 1 for each in made):
        raise ParameterError("thresholds must be numbers from 0 to 1.", usual)
    return tuple(dict.fromkeys(map(float, made)))
