"""Individual risk: sdcMicro's published figures, and the definition by summing."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from shoal import risk
from shoal.errors import ParameterError
from shoal.judging.risk.identity.individual import expected_risk
from tests.examples import examples

THREE = pl.DataFrame(
    {
        "A": [2, 3, 2, 2, 3, 3, 1, 2],
        "B": [3, 3, 3, 3, 3, 3, 4, 3],
        "C": [1, 3, 1, 2, 1, 1, 1, 1],
    }
)
WEIGHTS = [18.0, 45.5, 39.0, 17.0, 92.0, 8.0, 123.5, 51]


def test_exact_figures_of_sdcmicro() -> None:
    """sdcMicro's test of `indivRisk` with ``method = "exact"``."""
    found = risk.individual_risk(THREE, quasi=["A", "B", "C"], weights=WEIGHTS)
    expected = [0.01355297, 0.08579129, 0.01355297, 0.17707583]
    expected += [0.01877883, 0.01877883, 0.03931625, 0.01355297]
    assert found == pytest.approx(expected, abs=1e-8)


def test_missing_cells_of_sdcmicro_match_everything() -> None:
    """The same with missing cells, which sdcMicro counts as wildcards."""
    holes = THREE.with_columns(
        A=pl.Series([2, 3, 2, 2, 3, 3, 1, None]), C=pl.Series([1, 3, None, 2, 1, 1, None, 1])
    )
    found = risk.individual_risk(holes, quasi=["A", "B", "C"], weights=WEIGHTS, stars="wildcard")
    expected = [0.013552968, 0.085791288, 0.010504889, 0.032466112]
    expected += [0.009756889, 0.009756889, 0.039316254, 0.005962551]
    assert found == pytest.approx(expected, abs=1e-9)


@settings(max_examples=examples(100), deadline=None)
@given(size=st.integers(1, 90), p=st.floats(0.02, 1))
def test_the_expectation(size: int, p: float) -> None:
    """Sum 1/F over the negative binomial, term by term."""
    term, total, people = p**size, 0.0, size
    while people < size / p * 4 + 2_000:
        total += term / people
        term *= people / (people - size + 1) * (1 - p)
        people += 1
    found = expected_risk(np.array([float(size)]), np.array([p]))[0]
    assert found == pytest.approx(total, rel=1e-9, abs=1e-300)


def test_a_census_has_no_doubt() -> None:
    found = risk.individual_risk(THREE, quasi=["A", "B", "C"], weights=[1] * 8)
    assert found == pytest.approx([1 / 3, 1, 1 / 3, 1, 0.5, 0.5, 1, 1 / 3])


@pytest.mark.parametrize("wrong", [[1] * 7, [0.5] * 8, ["a"] * 8, [float("nan")] * 8, 3])
def test_wrong_weights(wrong: object) -> None:
    with pytest.raises(ParameterError, match="weights must be"):
        risk.individual_risk(THREE, quasi=["A"], weights=wrong)  # type: ignore[arg-type]
