"""δ-disclosure, β-likeness and p-sensitive k: exact, as their slow twins, and held by methods."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import BetaLikeness, DeltaDisclosure, KAnonymity, PSensitiveK
from shoal.checks import check_requirement
from shoal.errors import InfeasibleError, ParameterError
from shoal.models import GroupStatistics, Requirement
from shoal.models.exact.logarithms import compare_logs
from shoal.publications.groups.grouping import Grouping
from shoal.table.sensitive import SensitiveColumn
from tests.examples import examples
from tests.reference.gains import discloses, gains, sensitive
from tests.tables import seeded

GROUPS = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=1, max_size=6)
SCHEMA = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive()})


def counted(groups: list[list[int]], **more: list[list[int]]) -> GroupStatistics:
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups]).astype(np.int32)
    columns = {}
    for name, each in {"s": groups, **more}.items():
        rows = [value for group in each for value in group]
        known = sorted(set(map(str, rows)))
        codes = np.array([known.index(str(value)) for value in rows], dtype=np.int64)
        columns[name] = SensitiveColumn(codes, tuple(known))
    return Grouping(labels).statistics(None, columns)


@settings(max_examples=examples(200), deadline=None)
@given(GROUPS, st.sampled_from(["1/10", "0.4", "2/3", "1", "1.5", "3"]), st.booleans())
def test_disclosure_is_that_of_the_slow_twin(
    groups: list[list[int]], delta: str, refused: bool
) -> None:
    whole = [value for group in groups for value in group]
    need = DeltaDisclosure(delta, absent="refused" if refused else "allowed")
    expected = [not discloses(each, whole, Fraction(delta), absent=refused) for each in groups]
    outcome = need.judge(counted(groups))
    assert outcome.holds.tolist() == expected
    told = need.against(counted([whole]))
    alone = [bool(told.judge(counted([group])).holds[0]) for group in groups]
    assert alone == expected


@settings(max_examples=examples(200), deadline=None)
@given(GROUPS, st.sampled_from(["1/10", "1/4", "1/3", "1/2", "1", "3/2", "4"]), st.booleans())
def test_gains_are_those_of_the_slow_twin(
    groups: list[list[int]], beta: str, enhanced: bool
) -> None:
    whole = [value for group in groups for value in group]
    need = BetaLikeness(beta, "enhanced" if enhanced else "basic")
    expected = [not gains(each, whole, Fraction(beta), enhanced=enhanced) for each in groups]
    assert need.judge(counted(groups)).holds.tolist() == expected
    told = need.against(counted([whole]))
    assert [bool(told.judge(counted([group])).holds[0]) for group in groups] == expected


@settings(max_examples=examples(60), deadline=None)
@given(GROUPS, st.integers(2, 4), st.integers(2, 4))
def test_values_are_those_of_the_slow_twin(groups: list[list[int]], p: int, k: int) -> None:
    other = [[value // 2 for value in group] for group in groups]
    found = counted(groups, job=other)
    both = zip(groups, other, strict=True)
    assert PSensitiveK(p, k).judge(found).holds.tolist() == [sensitive(each, p, k) for each in both]
    alone = PSensitiveK(p, k, column="s").judge(found).holds.tolist()
    assert alone == [sensitive([group], p, k) for group in groups]


@settings(max_examples=examples(200), deadline=None)
@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(-(10**9), 10**9))
def test_logarithms_are_compared_to_the_last_digit(above: int, below: int, off: int) -> None:
    """A bound as near to a logarithm as floats go, and nearer."""
    near = Fraction(math.log(above / below)) + Fraction(off, 10**27)
    signs = compare_logs(
        np.array([above]), np.array([below]), ([near.numerator], [near.denominator])
    )
    from decimal import Decimal, localcontext

    with localcontext(prec=90):
        exact = (Decimal(above) / Decimal(below)).ln()
        gap = exact - Decimal(near.numerator) / Decimal(near.denominator)
    assert signs.tolist() == [(gap > 0) - (gap < 0)]


def test_counts_past_64_bits_stay_exact() -> None:
    factor = 10**10
    small = counted([[0, 0, 1], [0, 1, 1, 1]])
    found = small.histograms["s"]
    large = GroupStatistics(
        small.sizes,
        None,
        {"s": type(found)(found.group, found.value, found.counts * factor, found.labels)},
    )
    for need in (
        DeltaDisclosure("0.4"),
        DeltaDisclosure("0.5"),
        BetaLikeness("1/3"),
        BetaLikeness(1),
    ):
        assert need.judge(small).holds.tolist() == need.judge(large).holds.tolist()


EXACT: list[Requirement] = [
    DeltaDisclosure(1.2, absent="allowed"),
    BetaLikeness(2),
    PSensitiveK(2, 3, column="illness"),
]


@pytest.mark.parametrize("need", EXACT, ids=lambda need: need.describe()[:30])
def test_the_contract_with_other_options(need: Requirement) -> None:
    check_requirement(need)


def test_allowed_absence_is_not_monotone() -> None:
    """Of 40 rows 20 are ill. One group has none ill, one half, the union too few: a quarter."""
    groups = counted([[1] * 10, [0] * 5 + [1] * 5, [0] * 15 + [1] * 5])
    need = DeltaDisclosure("0.7", absent="allowed").against(groups)
    assert need.judge(groups).holds.tolist() == [True, True, True]
    union = counted([[1] * 15 + [0] * 5])
    assert not DeltaDisclosure("0.69", absent="allowed").against(groups).judge(union).passed
    assert not need.monotone
    assert DeltaDisclosure("0.7").monotone


ANY = [kind for kind in shoal.methods.METHODS.values() if kind.carries is None]
NEEDS: list[Requirement] = [
    DeltaDisclosure(1.5),
    DeltaDisclosure(0.8, absent="allowed"),
    BetaLikeness(1.5, "basic"),
    BetaLikeness(1),
    PSensitiveK(3, 4),
]


def skewed(seed: int, n: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n)
    place = pl.Series(rng.choice(["north", "south", "sea", None], n).tolist(), dtype=pl.String)
    return pl.DataFrame(
        {
            "a": age,
            "b": place,
            "who": rng.integers(0, n // 2, n),
            "s": [f"v{x}" for x in age // 32 + rng.integers(0, 2, n)],
        }
    )


def slow(need: Requirement, group: list[str], whole: list[str]) -> bool:
    if isinstance(need, DeltaDisclosure):
        return not discloses(group, whole, need.most, absent=need.absent == "refused")
    if isinstance(need, BetaLikeness):
        return not gains(group, whole, need.most, enhanced=need.kind == "enhanced")
    assert isinstance(need, PSensitiveK)
    return sensitive([group], need.p, need.k)


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.describe()[:28])
@pytest.mark.parametrize("kind", ANY, ids=lambda kind: kind.name)
def test_methods_hold_it(kind: type[shoal.methods.Method], need: Requirement) -> None:
    roles = {"who": shoal.identifier(), "s": shoal.sensitive()}
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), **roles})
    made = shoal.anonymize(
        skewed(3), schema, require=[KAnonymity(3), need], method=seeded(kind, 1),
        suppression_limit=0.05,
    )  # fmt: skip
    assert made.verification.passed
    whole = made.table["s"].to_list()
    for _, group in made.table.group_by("a", "b"):
        assert slow(need, group["s"].to_list(), whole)


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.describe()[:28])
@pytest.mark.parametrize("name", ["gaa-cp", "mondrian", "full-domain", "kaca"])
def test_people_are_counted(name: str, need: Requirement) -> None:
    roles = {"who": shoal.identifier(), "s": shoal.sensitive()}
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), **roles}, entity="who")
    frame = skewed(4)
    made = shoal.anonymize(
        frame, schema, require=[KAnonymity(3), need], suppression_limit=0.1,
        method=seeded(shoal.methods.METHODS[name], 1),
    )  # fmt: skip
    assert made.verification.passed
    assert made.verification.counted == "people"


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.describe()[:28])
def test_two_tables_and_refinement_carry_it(need: Requirement) -> None:
    frame = skewed(5).select("a", "s")
    options: dict[str, Any] = {"require": [KAnonymity(3), need], "method": shoal.KMember(seed=1)}
    made = shoal.anonymize(frame, SCHEMA, publication="two-table", **options)
    assert made.verification.passed
    made = shoal.anonymize(frame, SCHEMA, refine={"seconds": 0.5}, **options)
    assert made.verification.passed


def test_values_shown_once_carry_different_values_alone() -> None:
    frame = pl.DataFrame({"a": range(30), "s": ["x", "y", "z"] * 10})
    for need in (DeltaDisclosure(1), BetaLikeness(1)):
        with pytest.raises(ParameterError, match="counts how often a value occurs"):
            shoal.anonymize(frame, SCHEMA, require=[need], publication="sensitive-groups")
    made = shoal.anonymize(
        frame, SCHEMA, require=[PSensitiveK(2, 3)], publication="sensitive-groups"
    )
    assert made.verification.passed


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (DeltaDisclosure(0), "delta must be a number above 0"),
        (DeltaDisclosure("x"), "delta must be a number above 0"),
        (DeltaDisclosure(float("nan")), "delta must be a number above 0"),
        (DeltaDisclosure(1, absent="no"), "absent"),  # type: ignore[arg-type]
        (BetaLikeness(-1), "beta must be a number above 0"),
        (BetaLikeness(1, "other"), "kind"),  # type: ignore[arg-type]
        (PSensitiveK(1, 3), "p must be a whole number"),
        (PSensitiveK(4, 3), "p must not exceed k"),
        (PSensitiveK(2, 1), "k must be a whole number"),
    ],
)
def test_wrong_options(need: Requirement, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        need.validate()


def test_what_cannot_be_is_refused() -> None:
    frame = pl.DataFrame({"a": range(6), "s": ["x", "y"] * 3})
    with pytest.raises(InfeasibleError, match="p = 2 is the largest possible"):
        shoal.anonymize(frame, SCHEMA, require=[PSensitiveK(3, 4)])
    bare = shoal.Schema({"a": shoal.quasi(), "s": shoal.other()})
    for need in (DeltaDisclosure(1), BetaLikeness(1), PSensitiveK(2, 3)):
        with pytest.raises(ParameterError, match="no column is sensitive"):
            shoal.anonymize(frame, bare, require=[need])
