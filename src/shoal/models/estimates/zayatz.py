"""Zayatz's estimate: the sample's classes stand for the population's (Zayatz 1991)."""

from __future__ import annotations

from math import exp, lgamma, log

from shoal.models.estimates.estimate import Estimate, Sample


def zayatz(sample: Sample) -> Estimate:
    """Estimate the share of the population that is unique, as Zayatz does.

    How likely is it that somebody unique in the sample is unique in the population? Sizes of
    classes in the population are taken to be as frequent as in the sample; a class of each size
    leaves one person in the sample with the hypergeometric probability.
    """
    uniques = sample.of_size(1)
    if uniques == 0:
        return Estimate("zayatz", 0.0)
    n, whole = sample.people, sample.population
    alone = [
        count * _one_drawn(size, n, whole)
        for size, count in zip(sample.size.tolist(), sample.count.tolist(), strict=True)
    ]
    return Estimate("zayatz", uniques / n * (alone[0] / sum(alone)))


def _one_drawn(size: int, drawn: int, whole: float) -> float:
    """Give the probability that one of a class is among those drawn without putting back."""
    others = whole - size
    if drawn - 1 > others + 1e-9 * whole:
        return 0.0
    return exp(log(size) + _choose(others, drawn - 1) - _choose(whole, drawn))


def _choose(n: float, k: float) -> float:
    """Give the logarithm of a binomial coefficient."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(max(n - k, 0.0) + 1)
