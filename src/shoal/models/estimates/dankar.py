"""Dankar's rule: which estimator to believe, by the sampling fraction (Dankar et al. 2012)."""

from __future__ import annotations

from shoal.models.estimates.estimate import Estimate

SMALL_SAMPLE = 0.1
"""Up to this fraction Pitman's model is the most accurate."""


def dankar(fraction: float, pitman: Estimate, zayatz: Estimate, snb: Estimate) -> Estimate:
    """Choose: Pitman for small samples; else the lower of Zayatz and the negative binomial.

    Where the chosen one has no estimate, Zayatz's stands in, which always has one.
    """
    chosen = zayatz
    if fraction <= SMALL_SAMPLE:
        chosen = zayatz if pitman.share is None else pitman
    elif snb.share is not None and zayatz.share is not None and snb.share <= zayatz.share:
        chosen = snb
    return Estimate("dankar", chosen.share, chosen.name)
