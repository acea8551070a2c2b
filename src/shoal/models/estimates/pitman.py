"""Pitman's model: classes arise as tables fill in a restaurant (Hoshino 2001).

The sizes of classes follow Pitman's sampling formula with two parameters, θ and α. They are
estimated by maximum likelihood from the sizes in the sample, and give the expected number of
classes of size 1 in a population of any size.
"""

from __future__ import annotations

from math import exp, isfinite, lgamma
from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Floats
from shoal.models.estimates.estimate import Estimate, Sample

_STEPS = 200
_EXACT = 1e-10
_NAME = "pitman"


class Parameters(NamedTuple):
    """θ and α of Pitman's sampling formula: 0 < α < 1, θ > -α."""

    theta: float
    alpha: float


def pitman(sample: Sample) -> Estimate:
    """Estimate the share of the population that is unique, by Pitman's model."""
    uniques = sample.of_size(1)
    if uniques == 0:
        return Estimate(_NAME, 0.0)
    if sample.fraction >= 1:
        return Estimate(_NAME, uniques / sample.people)
    if uniques == sample.people:
        return Estimate(_NAME, None, "everyone is unique in the sample, whatever the parameters")
    found = fit(sample)
    if found is None:
        return Estimate(_NAME, None, "the likelihood has no maximum with α between 0 and 1")
    theta, alpha = found
    n = sample.population
    # The expectation itself; for large n it is Γ(θ+1)/Γ(θ+α) n^α, as the literature writes it.
    share = exp(
        lgamma(theta + 1)
        - lgamma(theta + alpha)
        + lgamma(n + theta + alpha - 1)
        - lgamma(n + theta)
    )
    if not isfinite(share) or not 0 <= share <= 1:
        return Estimate(_NAME, None, "the parameters give no share of the population")
    return Estimate(_NAME, share)


def fit(sample: Sample) -> Parameters | None:
    """Find the parameters of the largest likelihood; ``None`` where there are none inside.

    Newton's iteration from Hoshino's moments. A step that would leave the parameters' range, or
    make the sample less likely, is halved, so that it cannot run away.
    """
    likelihood = _Likelihood(sample)
    at = _moments(sample)
    here = likelihood.at(*at)
    for _ in range(_STEPS):
        slope, bend = likelihood.derivatives(*at)
        step = _newton(slope, bend)
        scale = 1.0
        while scale > 1e-12:
            to = Parameters(at.theta + scale * step[0], at.alpha + scale * step[1])
            if _inside(to) and (there := likelihood.at(*to)) >= here - 1e-9 * abs(here):
                break
            scale /= 2
        else:
            break
        moved = max(abs(to.theta - at.theta) / (1 + abs(at.theta)), abs(to.alpha - at.alpha))
        at, here = to, there
        if moved < _EXACT:
            break
    slope, _ = likelihood.derivatives(*at)
    flat = abs(slope[0]) * (1 + abs(at.theta)) < 1e-4 and abs(slope[1]) < 1e-3
    inside = 1e-6 < at.alpha < 1 - 1e-6
    return at if flat and inside else None


def _inside(at: Parameters) -> bool:
    return 0 < at.alpha < 1 and at.theta > -at.alpha and isfinite(at.theta)


def _newton(slope: tuple[float, float], bend: tuple[float, float, float]) -> tuple[float, float]:
    """Give the step of Newton's iteration; uphill where the likelihood is not bent downwards."""
    (x, y), (xx, xy, yy) = slope, bend
    det = xx * yy - xy * xy
    if xx < 0 and det > 0:
        return (xy * y - yy * x) / det, (xy * x - xx * y) / det
    return x / max(abs(xx), 1e-12), y / max(abs(yy), 1e-12)


def _moments(sample: Sample) -> Parameters:
    """Guess the parameters from the classes of sizes 1 and 2."""
    n, u = float(sample.people), float(sample.classes)
    ones, twos = float(sample.of_size(1)), float(sample.of_size(2) or 1)
    c = ones * (ones - 1) / twos
    below = 2 * ones * u + ones * c - n * c
    if below != 0:
        theta = (n * u * c - ones * (n - 1) * (2 * u + c)) / below
        guess = Parameters(theta, (theta * (ones - n) + (n - 1) * ones) / (n * u))
        if _inside(guess):
            return guess
    return Parameters(max(1.0, u / 10), 0.5)


class _Likelihood:
    """The logarithm of Pitman's sampling formula, and its derivatives, for one sample."""

    def __init__(self, sample: Sample) -> None:
        self.tables = np.arange(1, sample.classes, dtype=np.float64)
        self.seats = np.arange(1, sample.people, dtype=np.float64)
        most = int(sample.size[-1])
        self.places = np.arange(1, most, dtype=np.float64)
        larger = np.zeros(most + 1)
        larger[sample.size] = sample.count
        self.larger: Floats = (larger[::-1].cumsum()[::-1])[2:]

    def at(self, theta: float, alpha: float) -> float:
        first = float(np.log(theta + alpha * self.tables).sum())
        second = float((self.larger * np.log(self.places - alpha)).sum())
        return first + second - float(np.log(theta + self.seats).sum())

    def derivatives(
        self, theta: float, alpha: float
    ) -> tuple[tuple[float, float], tuple[float, float, float]]:
        """Give the slopes by θ and α, and the three second derivatives."""
        held = 1 / (theta + alpha * self.tables)
        seated = 1 / (theta + self.seats)
        left = 1 / (self.places - alpha)
        weighed = self.tables * held
        slope = (
            float(held.sum() - seated.sum()),
            float(weighed.sum() - (self.larger * left).sum()),
        )
        bend = (  # sums, not dot products: those wait for threads that others keep busy
            float((seated * seated).sum() - (held * held).sum()),
            float(-(weighed * held).sum()),
            float(-(weighed * weighed).sum() - (self.larger * left * left).sum()),
        )
        return slope, bend
