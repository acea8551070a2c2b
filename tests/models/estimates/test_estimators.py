"""Estimators of population uniqueness: their definitions, simulations, and what does not exist."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal import risk
from shoal.judging.risk.uniqueness.population import PopulationUniqueness
from shoal.models.estimates.estimate import Estimate, Sample, dankar
from shoal.models.estimates.pitman import _Likelihood, fit, pitman
from shoal.models.estimates.snb import _alpha, _solve, snb
from shoal.models.estimates.zayatz import zayatz
from tests.examples import examples

sizes_ = st.lists(st.integers(1, 12), min_size=1, max_size=60).map(np.array)
fractions = st.floats(0.001, 1)


@settings(max_examples=examples(150), deadline=None)
@given(sizes=sizes_, fraction=fractions)
def test_every_sample_has_an_answer_or_a_reason(
    sizes: np.ndarray[tuple[int], np.dtype[np.int64]], fraction: float
) -> None:
    sample = Sample.of(sizes, fraction)
    models = pitman(sample), zayatz(sample), snb(sample)
    rule = dankar(fraction, *models)
    for each in models:
        assert (each.share is None) == bool(each.reason)
    for each in (*models, rule):
        assert each.share is None or 0 <= each.share <= 1
    assert rule.share is not None
    assert rule.reason in ("pitman", "zayatz", "snb")


@settings(max_examples=examples(60), deadline=None)
@given(sizes=sizes_)
def test_pitman_is_at_the_top_of_its_likelihood(
    sizes: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> None:
    sample = Sample.of(sizes, 0.1)
    found = fit(sample) if 0 < sample.of_size(1) < sample.people else None
    if found is None:
        return
    likelihood = _Likelihood(sample)
    top = likelihood.at(*found)
    for step in (1e-3, -1e-3):
        assert likelihood.at(found.theta + step, found.alpha) <= top + 1e-8
        assert likelihood.at(found.theta, found.alpha + step) <= top + 1e-8


@pytest.mark.parametrize(("theta", "alpha"), [(0.5, 0.2), (12.0, 0.7), (-0.1, 0.4)])
def test_slopes_of_pitmans_likelihood(theta: float, alpha: float) -> None:
    likelihood = _Likelihood(Sample.of(np.array([1, 1, 1, 2, 2, 5, 9]), 0.1))
    (by_theta, by_alpha), (xx, xy, yy) = likelihood.derivatives(theta, alpha)
    e = 1e-5

    def change(one: float, other: float) -> float:
        return (
            likelihood.at(theta + one, alpha + other) - likelihood.at(theta - one, alpha - other)
        ) / (2 * e)

    assert by_theta == pytest.approx(change(e, 0), rel=1e-6)
    assert by_alpha == pytest.approx(change(0, e), rel=1e-6)
    more, less = (
        likelihood.derivatives(theta, alpha + e)[0],
        likelihood.derivatives(theta, alpha - e)[0],
    )
    assert xy == pytest.approx((more[0] - less[0]) / (2 * e), rel=1e-5)
    assert yy == pytest.approx((more[1] - less[1]) / (2 * e), rel=1e-5)
    right, left = (
        likelihood.derivatives(theta + e, alpha)[0],
        likelihood.derivatives(theta - e, alpha)[0],
    )
    assert xx == pytest.approx((right[0] - left[0]) / (2 * e), rel=1e-5)


def test_pitman_finds_the_parameters_that_made_a_sample() -> None:
    """A restaurant fills with θ = 20, α = 0.6: a new table, or one by its guests."""
    rng = np.random.default_rng(7)
    theta, alpha, tables = 20.0, 0.6, [1]
    for guests in range(1, 6_000):
        new = (theta + alpha * len(tables)) / (theta + guests)
        if rng.random() < new:
            tables.append(1)
        else:
            weights = np.array(tables) - alpha
            tables[int(rng.choice(len(tables), p=weights / weights.sum()))] += 1
    found = fit(Sample.of(np.array(tables), 0.1))
    assert found is not None
    assert found.alpha == pytest.approx(alpha, abs=0.05)


def test_zayatz_by_the_hypergeometric_distribution() -> None:
    sample = Sample.of(np.array([1, 1, 1, 2, 3]), 0.25)
    n, whole = 8, 32

    def one(size: int) -> float:
        return size * comb(whole - size, n - 1) / comb(whole, n)

    chance = 3 * one(1) / (3 * one(1) + one(2) + one(3))
    assert zayatz(sample).share == pytest.approx(3 * chance / 0.25 / whole)


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.3), (2.0, 0.4), (0.1, 0.05)])
def test_snb_finds_the_share_in_a_large_sample(alpha: float, beta: float) -> None:
    rng = np.random.default_rng(1)
    people = 1 + rng.negative_binomial(alpha, beta, 100_000)
    drawn = rng.binomial(people, 0.5)
    found = snb(Sample.of(drawn[drawn > 0], 0.5))
    assert found.share == pytest.approx((people == 1).sum() / people.sum(), rel=0.05)


def test_snb_solves_its_equations() -> None:
    classes, f, ones, twos = 1_000.0, 0.3, 200, 60
    [(alpha, beta)] = _solve(classes, f, ones, twos)
    q, s = 1 - beta, 1 - f
    held = (beta / (1 - q * s)) ** alpha
    assert classes * f * held * (1 + alpha * q * s / (1 - q * s)) == pytest.approx(ones)
    assert classes * f**2 * alpha * q * beta**alpha * (2 - (1 - alpha) * q * s) / (
        2 * (1 - q * s) ** (alpha + 2)
    ) == pytest.approx(twos)
    assert _alpha(q, f, twos / ones) == pytest.approx(alpha)


def test_reasons() -> None:
    alone = Sample.of(np.ones(9, dtype=np.int64), 0.1)
    assert "everyone is unique" in pitman(alone).reason
    assert "no class of the sample has two" in snb(alone).reason
    crowd = Sample.of(np.array([4, 5]), 0.1)
    assert pitman(crowd).share == zayatz(crowd).share == snb(crowd).share == 0


def test_the_rule_falls_back() -> None:
    none, some = Estimate("pitman", None, "why"), Estimate("zayatz", 0.3)
    assert dankar(0.05, none, some, Estimate("snb", 0.1)).reason == "zayatz"
    assert dankar(0.5, none, some, Estimate("snb", None, "why")).reason == "zayatz"
    assert dankar(0.5, none, some, Estimate("snb", 0.4)).share == 0.3


def test_it_is_private_and_names_no_cell() -> None:
    import polars as pl

    table = pl.DataFrame({"job": ["spy-7", "cook", "cook"]})
    found = risk.population_uniqueness(table, quasi=["job"], sampling_fraction=0.1)
    assert isinstance(found, PopulationUniqueness)
    assert "spy-7" not in str(found.to_dict())
