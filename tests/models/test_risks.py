"""Average and highest risk, and uniqueness: of the whole published table, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import AverageRisk, HighestRisk, KAnonymity, SampleUniqueness
from shoal.checks import check_requirement
from shoal.errors import InfeasibleError, ParameterError
from shoal.models import GroupStatistics, Requirement, holding
from tests.examples import examples
from tests.reference.risks import average, fewest_gone, unique
from tests.tables import seeded

SIZES = st.lists(st.integers(1, 8), min_size=1, max_size=8)
SHARES = st.sampled_from(["1/10", "1/5", "1/4", "2/7", "1/3", "0.4", "1/2", "2/3", "1"])


@settings(max_examples=examples(200), deadline=None)
@given(SIZES, SHARES)
def test_risks_are_those_of_the_slow_twin(sizes: list[int], most: str) -> None:
    groups = GroupStatistics(np.array(sizes))
    for need, twin in ((AverageRisk(most), average), (SampleUniqueness(most), unique)):
        outcome = need.judge(groups)
        assert list(outcome.achieved.values()) == [float(twin(sizes))]
        assert outcome.passed == (twin(sizes) <= Fraction(most))
        # What fails is as few groups as will do, and one turn is enough.
        assert int((~outcome.holds).sum()) == fewest_gone(sizes, twin, Fraction(most))
        assert holding([need], groups).tolist() == outcome.holds.tolist()
    highest = HighestRisk(most).judge(groups)
    assert highest.holds.tolist() == [Fraction(1, size) <= Fraction(most) for size in sizes]


@settings(max_examples=examples(60), deadline=None)
@given(SIZES, SHARES)
def test_what_would_do_for_each_group_does_for_all(sizes: list[int], most: str) -> None:
    groups = GroupStatistics(np.array(sizes))
    for need in (AverageRisk(most), SampleUniqueness(most)):
        told = need.against(groups)
        assert told.complete
        assert not need.complete
        assert told.against(None) == need
        if told.judge(groups).passed:
            assert need.judge(groups).passed


@pytest.mark.parametrize("need", [AverageRisk(0.25), HighestRisk(0.4), SampleUniqueness(0)])
def test_the_contract_with_other_options(need: Requirement) -> None:
    check_requirement(need)


ANY = [kind for kind in shoal.methods.METHODS.values() if kind.carries is None]
NEEDS: list[Requirement] = [AverageRisk(0.15), HighestRisk(0.15), SampleUniqueness(0.02)]
TWIN: dict[str, Any] = {
    "average-risk": average,
    "highest-risk": lambda sizes: Fraction(1, min(sizes)),
    "sample-uniqueness": unique,
}


def people(seed: int, n: int = 150) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    place = pl.Series(rng.choice(["north", "south", "sea", None], n).tolist(), dtype=pl.String)
    return pl.DataFrame(
        {"a": rng.integers(18, 80, n), "b": place, "who": rng.integers(0, n // 2, n)}
    )


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.name)
@pytest.mark.parametrize("kind", ANY, ids=lambda kind: kind.name)
def test_methods_hold_it(kind: type[shoal.methods.Method], need: Requirement) -> None:
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "who": shoal.identifier()})
    made = shoal.anonymize(
        people(3), schema, require=[need], method=seeded(kind, 1), suppression_limit=0.05
    )
    assert made.verification.passed
    sizes = made.table.group_by("a", "b").len()["len"].to_list()
    risk = TWIN[need.name](sizes)
    _, most = need.to_spec().values()
    assert risk <= Fraction(str(most))
    (reached,) = made.verification.achieved.values()
    assert reached == float(risk)


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.name)
@pytest.mark.parametrize("name", ["gaa-cp", "mondrian", "full-domain", "kaca"])
def test_people_are_counted(name: str, need: Requirement) -> None:
    roles = {"a": shoal.quasi(), "b": shoal.quasi(), "who": shoal.identifier()}
    made = shoal.anonymize(
        people(4), shoal.Schema(roles, entity="who"), require=[need, KAnonymity(2)],
        method=seeded(shoal.methods.METHODS[name], 1), suppression_limit=0.1,
    )  # fmt: skip
    assert made.verification.passed
    assert made.verification.counted == "people"


def test_levels_are_chosen_by_the_average_itself() -> None:
    """Full-domain search keeps small classes among large ones; one k for all would not."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": np.append(rng.integers(0, 4, 400), rng.integers(4, 30, 30))})
    schema = shoal.Schema({"a": shoal.quasi()})
    how: dict[str, Any] = {"method": shoal.FullDomain(suppression_limit=0), "suppression_limit": 0}
    made = shoal.anonymize(frame, schema, require=[AverageRisk(0.1)], **how)
    sizes = made.table.group_by("a").len()["len"].to_list()
    assert average(sizes) <= Fraction(1, 10)
    assert min(sizes) < 10
    strict = shoal.anonymize(frame, schema, require=[KAnonymity(10)], **how)
    assert made.measures["loss"] < strict.measures["loss"]


def test_blocks_and_refinement_carry_it() -> None:
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "who": shoal.identifier()})
    for need in NEEDS:
        for more in ({"blocks": 2}, {"refine": {"seconds": 0.3}}):
            made = shoal.anonymize(
                people(5), schema, require=[need], method=shoal.KMember(seed=1), **more
            )  # type: ignore[call-overload]
            assert made.verification.passed


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (AverageRisk(0), "risk must be above 0"),
        (AverageRisk("x"), "risk must be above 0"),
        (AverageRisk(1.1), "risk must be above 0"),
        (HighestRisk(1), "risk must be above 0 and below 1"),
        (HighestRisk(-0.1), "risk must be above 0"),
        (SampleUniqueness(1), "share must be from 0"),
        (SampleUniqueness(-0.1), "share must be from 0"),
    ],
)
def test_wrong_options(need: Requirement, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        need.validate()


def test_what_cannot_be_is_refused() -> None:
    frame, schema = pl.DataFrame({"a": [1, 2, 3]}), shoal.Schema({"a": shoal.quasi()})
    for need in (AverageRisk(0.3), HighestRisk(0.3)):
        with pytest.raises(InfeasibleError, match="1/3"):
            shoal.anonymize(frame, schema, require=[need])
