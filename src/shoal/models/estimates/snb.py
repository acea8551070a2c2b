"""The slide negative binomial model (Chen and Keller-McNulty 1998).

A class of the population has 1 + X people, X negative binomial with parameters α and β. Then
K β^α of K classes are unique. In a sample of a fraction f, with q = 1 - β and s = 1 - f,

    classes of 1 = K f (β/(1-qs))^α (1 + αqs/(1-qs))
    classes of 2 = K f² α q β^α (2 - (1-α)qs) / (2 (1-qs)^(α+2))

and K comes from the sizes in the sample by Shlosser's estimator, as Haas and Stokes (1998) mended
it. The two equations are solved for α and β without derivatives: their ratio gives α for each β.
"""

from __future__ import annotations

from math import inf, isfinite, log, sqrt

import numpy as np

from shoal.models.estimates.estimate import Estimate, Sample

_NAME = "snb"
_NONE = "no parameters give as many classes of one and of two as the sample has"


def snb(sample: Sample) -> Estimate:
    """Estimate the share of the population that is unique, by the slide negative binomial."""
    ones, twos = sample.of_size(1), sample.of_size(2)
    if ones == 0:
        return Estimate(_NAME, 0.0)
    if twos == 0:
        return Estimate(_NAME, None, "no class of the sample has two people")
    if sample.fraction >= 1:
        return Estimate(_NAME, ones / sample.people)
    classes = classes_in_population(sample)
    if not isfinite(classes) or classes <= 0:
        return Estimate(_NAME, None, "the number of classes in the population is not estimated")
    found = _solve(classes, sample.fraction, ones, twos)
    if len(found) != 1:
        return Estimate(_NAME, None, _NONE if not found else "several parameters fit the sample")
    alpha, beta = found[0]
    share = classes * beta**alpha / sample.population
    if not 0 <= share <= 1:
        return Estimate(_NAME, None, "the parameters give no share of the population")
    return Estimate(_NAME, share)


def classes_in_population(sample: Sample) -> float:
    """Estimate how many classes the population has (Haas and Stokes 1998, mended Shlosser)."""
    f, size, count = sample.fraction, sample.size.astype(np.float64), sample.count
    kept = (1 - f) ** size
    first = size * f**2 * (1 - f**2) ** (size - 1) @ count
    second = kept * ((1 + f) ** size - 1) @ count
    third = kept @ count
    fourth = size * f * (1 - f) ** (size - 1) @ count
    if second <= 0 or fourth <= 0:
        return inf
    return float(sample.classes + sample.of_size(1) * (first / second) * (third / fourth) ** 2)


def _alpha(q: float, f: float, ratio: float) -> float:
    """Solve the ratio of both equations for α: a quadratic with one root above 0."""
    s = 1 - f
    qs = q * s
    # f α q (2 - (1-α)qs) = 2 ratio (1-qs) (1-qs+αqs)
    a = f * q * qs
    b = f * q * (2 - qs) - 2 * ratio * (1 - qs) * qs
    c = -2 * ratio * (1 - qs) ** 2
    root = sqrt(b * b - 4 * a * c)
    return (-2 * c) / (b + root) if b > 0 else (root - b) / (2 * a)


def _solve(classes: float, f: float, ones: int, twos: int) -> list[tuple[float, float]]:
    """Find every α and β that fit, by halving where the first equation changes its sign."""
    s, ratio = 1 - f, twos / ones

    def missed(q: float) -> float:
        """Give the logarithm of how far off the first equation is."""
        alpha, qs = _alpha(q, f, ratio), q * s
        inner = 1 - qs
        powers = alpha * (log(1 - q) - log(inner))
        return log(classes * f / ones) + powers + log(1 + alpha * qs / inner)

    # β may be very small: a grid in its logarithm, from both ends.
    near = np.geomspace(1e-12, 0.5, 400)
    grid = np.unique(np.concatenate([near, 1 - near]))
    values = [missed(float(q)) for q in grid]
    found = []
    for k in range(len(grid) - 1):
        if (values[k] > 0) == (values[k + 1] > 0):
            continue
        low, high, sign = float(grid[k]), float(grid[k + 1]), values[k] > 0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if (missed(middle) > 0) == sign else (low, middle)
        found.append((_alpha(low, f, ratio), 1 - low))
    return found
