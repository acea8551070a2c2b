"""An estimate, or why there is none; what estimators start from, and which of them to believe."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shoal.base.arrays import Ints


@dataclass(frozen=True)
class Estimate:
    """A share of the population that is unique in it; ``None`` where no estimate exists.

    Parameters
    ----------
    name
        The estimator.
    share
        The share of the population that is unique.
    reason
        Why there is no estimate, or which estimator a rule chose.
    """

    name: str
    share: float | None
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Write it for programs."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Sample:
    """Sizes of classes in rising order, how many have each, and how large the population is."""

    size: Ints
    count: Ints
    population: float

    @classmethod
    def of(cls, sizes: Ints, fraction: float) -> Sample:
        """Count the sizes of classes, and scale the sample up."""
        size, count = np.unique(sizes[sizes > 0], return_counts=True)
        return cls(size, count.astype(np.int64), float(sizes.sum()) / fraction)

    @cached_property
    def people(self) -> int:
        """How many people are in the sample."""
        return int(self.size @ self.count)

    @cached_property
    def classes(self) -> int:
        """How many classes the sample has."""
        return int(self.count.sum())

    @property
    def fraction(self) -> float:
        """Which part of the population the sample is."""
        return self.people / self.population

    def of_size(self, size: int) -> int:
        """Count the classes of one size."""
        found = np.flatnonzero(self.size == size)
        return int(self.count[found[0]]) if len(found) else 0


SMALL_SAMPLE = 0.1
"""Up to this fraction Pitman's model is the most accurate."""


def dankar(fraction: float, pitman: Estimate, zayatz: Estimate, snb: Estimate) -> Estimate:
    """Choose as Dankar et al. (2012) do, by the sampling fraction.

    Pitman for small samples; else the lower of Zayatz and the negative binomial.
    Where the chosen one has no estimate, Zayatz's stands in, which always has one.
    """
    chosen = zayatz
    if fraction <= SMALL_SAMPLE:
        chosen = zayatz if pitman.share is None else pitman
    elif snb.share is not None and zayatz.share is not None and snb.share <= zayatz.share:
        chosen = snb
    return Estimate("dankar", chosen.share, chosen.name)
