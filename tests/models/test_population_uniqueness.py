"""Population uniqueness as a requirement: the estimates of `shoal.risk`, and who must go."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import FullDomain, KAnonymity, PopulationUniqueness
from shoal.checks import check_requirement
from shoal.errors import ParameterError
from shoal.models import GroupStatistics, holding
from tests.examples import examples
from tests.tables import seeded

SIZES = st.lists(st.integers(1, 6), min_size=1, max_size=40)
SHARES = st.sampled_from(["0", "1/1000", "1/50", "1/10", "1/3"])
FRACTIONS = st.sampled_from(["1/1000", "0.05", "1/10", "0.3", "1"])
ESTIMATES = ("dankar", "pitman", "zayatz", "snb")


def estimated(sizes: list[int], fraction: str, estimate: str) -> float | None:
    """The estimate of the risk report, from a table of such classes."""
    frame = pl.DataFrame({"a": np.repeat(np.arange(len(sizes)), sizes)})
    part = float(shoal.models.exact.shares.exact(fraction) or 0)
    found = shoal.risk.population_uniqueness(frame, quasi=["a"], sampling_fraction=part)
    share: float | None = getattr(found, estimate).share
    return share


@settings(max_examples=examples(120), deadline=None)
@given(SIZES, SHARES, FRACTIONS, st.sampled_from(ESTIMATES))
def test_it_is_what_the_risk_report_says(
    sizes: list[int], share: str, fraction: str, estimate: str
) -> None:
    need = PopulationUniqueness(share, fraction, estimate)  # type: ignore[arg-type]
    groups = GroupStatistics(np.array(sizes))
    outcome = need.judge(groups)
    expected = estimated(sizes, fraction, estimate)
    if expected is None:
        assert not outcome.passed
        assert "unique in the sample" in outcome.achieved
    else:
        assert outcome.achieved == {"unique in the population": expected}
        assert outcome.passed == (expected <= float(need.most) * (1 + 1e-12))
    # Only unique records fail, the rest holds it, and one turn is enough.
    assert (np.array(sizes)[~outcome.holds] == 1).all()
    assert need.judge(groups.only(outcome.holds)).passed
    assert holding([need], groups).tolist() == outcome.holds.tolist()
    # With one fewer of them gone it would not hold.
    gone = np.flatnonzero(~outcome.holds)
    if len(gone):
        back = outcome.holds.copy()
        back[gone[-1]] = True
        assert not need.judge(groups.only(back)).passed


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_the_contract_with_other_options(estimate: str) -> None:
    check_requirement(PopulationUniqueness(0.05, 0.2, estimate))  # type: ignore[arg-type]


ANY = [kind for kind in shoal.methods.METHODS.values() if kind.carries is None]


@pytest.mark.parametrize("kind", ANY, ids=lambda kind: kind.name)
def test_methods_hold_it(kind: type[shoal.methods.Method]) -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"a": rng.integers(18, 60, 120), "b": rng.choice(list("xyz"), 120)})
    made = shoal.anonymize(
        frame,
        {"a": "quasi", "b": "quasi"},
        require=[PopulationUniqueness(0.01, 0.1)],
        method=seeded(kind, 1),
        suppression_limit=0.05,
    )
    assert made.verification.passed
    sizes = made.table.group_by("a", "b").len()["len"].to_list()
    share = estimated(sizes, "0.1", "dankar")
    assert share is not None
    assert share <= 0.01


def test_levels_are_chosen_by_the_estimate_itself() -> None:
    """Full-domain search leaves some unique in the table, since few are in the population."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": np.append(rng.integers(0, 8, 400), rng.integers(8, 30, 12))})
    how = {"method": FullDomain(suppression_limit=0), "suppression_limit": 0.0}
    need = PopulationUniqueness(0.02, 0.01)
    made = shoal.anonymize(frame, {"a": "quasi"}, require=[need], **how)  # type: ignore[arg-type]
    strict = shoal.anonymize(frame, {"a": "quasi"}, require=[KAnonymity(2)], **how)  # type: ignore[arg-type]
    assert made.verification.passed
    assert made.measures["loss"] <= strict.measures["loss"]
    assert made.table.group_by("a").len()["len"].min() == 1


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (PopulationUniqueness(1, 0.1), "share must be from 0"),
        (PopulationUniqueness("x", 0.1), "share must be from 0"),
        (PopulationUniqueness(0.1, 0), "fraction must be above 0"),
        (PopulationUniqueness(0.1, 2), "fraction must be above 0"),
        (PopulationUniqueness(0.1, 0.1, "guess"), "estimate"),  # type: ignore[arg-type]
    ],
)
def test_wrong_options(need: PopulationUniqueness, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        need.validate()
