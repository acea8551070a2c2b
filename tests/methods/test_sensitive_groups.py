"""What every method that builds sensitive groups keeps, whatever it is given."""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import MICD, Decomposition, DecompositionPlus, KAnonymity, MultiLDiversity
from shoal.errors import InfeasibleError, ParameterError
from shoal.methods import Method
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from tests.examples import examples
from tests.methods.secret_tables import SENSITIVE, adult, paper_adult, secret_tables

METHODS = [MICD, Decomposition, DecompositionPlus]


def noise_of(found: Grouping) -> int:
    return sum(len(added) for added in found.padding.values())


def check(table: Table, require: list[Requirement], found: Grouping) -> None:
    assert len(found.labels) == table.n_rows
    assert found.n_suppressed == 0
    assert set(found.labels.tolist()) == set(range(found.n_groups))
    for name, column in table.sensitive.items():
        real = [set(column.codes[found.labels == g].tolist()) for g in range(found.n_groups)]
        added: list[list[int]] = [[] for _ in real]
        if name in found.padding:
            padding = found.padding[name]
            for group, value in zip(padding.group.tolist(), padding.value.tolist(), strict=True):
                added[group].append(value)
        for held, more in zip(real, added, strict=True):
            assert len(more) == len(set(more))
            assert not held & set(more)
            assert set(more) <= set(range(column.size))
            for each in require:
                if isinstance(each, MultiLDiversity):
                    assert len(held) + len(more) >= min(each.l[name], column.size)
    people = np.arange(table.n_rows) if table.people is None else table.people
    for each in require:
        if isinstance(each, KAnonymity):
            assert int(found.distinct(people).min()) >= each.k


@settings(max_examples=examples(150), deadline=None)
@given(
    secret_tables(),
    st.sampled_from(METHODS),
    st.sampled_from(["random", "first"]),
    st.integers(0, 9),
)
def test_groups_hold_what_is_asked(
    case: tuple[Table, list[Requirement], str],
    kind: type[MICD],
    picks: Literal["random", "first"],
    seed: int,
) -> None:
    table, require, primary = case
    method = kind(primary=primary, picks=picks)
    found = method.group(table, require, rng=np.random.default_rng(seed))
    check(table, require, found)
    again = method.group(table, require, rng=np.random.default_rng(seed))
    assert np.array_equal(found.labels, again.labels)
    assert {n: p.value.tolist() for n, p in found.padding.items()} == {
        n: p.value.tolist() for n, p in again.padding.items()
    }


@settings(max_examples=examples(100), deadline=None)
@given(secret_tables(), st.sampled_from(["spread", "paper"]))
def test_without_noise_nothing_is_added_and_nothing_is_lost(
    case: tuple[Table, list[Requirement], str], leftovers: Literal["spread", "paper"]
) -> None:
    table, require, primary = case
    method = MICD(primary, leftovers, noise="never")
    found = method.group(table, require, rng=np.random.default_rng(1))
    assert not found.padding
    check(table, require, found)


def test_values_of_groups_that_are_all_short_are_brought_together() -> None:
    # No two groups have the four values of s1 together, and no group has them alone.
    frame = pl.DataFrame(
        {"x": range(8), "s0": ["a", "b"] * 4, "s1": ["p", "p", "q", "q", "r", "r", "s", "s"]}
    )
    schema = shoal.Schema({"x": shoal.quasi(), "s0": shoal.sensitive(), "s1": shoal.sensitive()})
    require = [MultiLDiversity({"s0": 2, "s1": 4})]
    found = MICD("s0", noise="never", picks="first").group(
        Table.encode(frame, schema), require, rng=np.random.default_rng(0)
    )
    check(Table.encode(frame, schema), list(require), found)


@pytest.mark.parametrize(
    ("several", "least", "primary"),
    [(2, 3, "entropy"), (3, 6, "entropy"), (4, 8, "education"), (5, 3, "education")],
)
def test_micd_adds_no_more_noise_than_decomposition(several: int, least: int, primary: str) -> None:
    columns = SENSITIVE[:several]
    table = paper_adult(columns)
    require: list[Requirement] = [MultiLDiversity(dict.fromkeys(columns, least), lower=True)]
    methods: list[Method] = [kind(primary=primary) for kind in METHODS]
    ours, *theirs = (
        noise_of(each.group(table, require, rng=np.random.default_rng(4))) for each in methods
    )
    assert ours <= min(theirs)


def test_one_group_does_not_take_in_thousands() -> None:
    table = adult(5000, 1, SENSITIVE)
    require: list[Requirement] = [MultiLDiversity(dict.fromkeys(SENSITIVE, 5), lower=True)]
    sizes = {}
    for leftovers in ("spread", "paper"):
        method = MICD("education", leftovers)  # type: ignore[arg-type]
        sizes[leftovers] = method.group(table, require, rng=np.random.default_rng(0)).sizes.max()
    assert sizes["spread"] < 80 < sizes["paper"]


def people_table() -> Table:
    frame = pl.DataFrame(
        {
            "who": [i // 4 for i in range(40)],
            "x": range(40),
            "s": [f"v{i % 4}" for i in range(40)],
        }
    )
    schema = shoal.Schema(
        {"who": shoal.identifier(), "x": shoal.quasi(), "s": shoal.sensitive()}, entity="who"
    )
    return Table.encode(frame, schema)


@pytest.mark.parametrize("kind", METHODS)
@pytest.mark.parametrize("k", [3, 7, 10])
def test_k_counts_people(kind: type[MICD], k: int) -> None:
    table = people_table()
    require = [MultiLDiversity({"s": 2}), KAnonymity(k)]
    found = kind(picks="first").group(table, require, rng=np.random.default_rng(0))
    check(table, list(require), found)


@pytest.mark.parametrize("kind", METHODS)
def test_what_makes_no_sense_is_refused(kind: type[MICD]) -> None:
    table = adult(50, 1, ["race", "occupation"])
    diverse = MultiLDiversity({"race": 2})
    rng = np.random.default_rng(0)
    with pytest.raises(ParameterError, match="Require MultiLDiversity"):
        kind().group(table, [KAnonymity(3)], rng=rng)
    with pytest.raises(ParameterError, match="'age' is not sensitive"):
        kind("age").group(table, [diverse], rng=rng)
    with pytest.raises(ParameterError, match="a column that has one: race"):
        kind("occupation").group(table, [diverse], rng=rng)
    found = kind().group(table, [diverse], rng=rng)
    assert found.distinct(table.sensitive["race"].codes).max() >= 2


def test_degrees_that_cannot_be_added_up_are_refused() -> None:
    frame = pl.DataFrame({"x": [1, 2], "s": ["a", "b"]})
    schema = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive(degrees={"a": 1e18})})
    with pytest.raises(ParameterError, match="above 1,000,000"):
        MICD().group(
            Table.encode(frame, schema),
            [MultiLDiversity({"s": 2})],
            rng=np.random.default_rng(0),
        )


@pytest.mark.parametrize("kind", METHODS)
def test_releases_verify(kind: type[MICD]) -> None:
    frame = shoal.datasets.adult().head(400).select("age", "sex", "occupation", "race")
    schema = shoal.Schema(
        {
            "age": shoal.quasi(),
            "sex": shoal.quasi(),
            "occupation": shoal.sensitive(missing=["?"]),
            "race": shoal.sensitive(),
        }
    )
    require = [MultiLDiversity({"occupation": 4, "race": 3})]
    made = shoal.anonymize(frame, schema, require=require, method=kind(seed=3))
    assert made.verification.passed
    assert made.measures["noise_ratio"] == noise_of(made.grouping) / 400


def test_too_few_values_are_refused_before_any_work() -> None:
    frame = pl.DataFrame({"x": range(4), "s": ["a", "b"] * 2, "t": ["z"] * 4})
    schema = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive(), "t": shoal.sensitive()})
    for method in (MICD(), Decomposition()):
        with pytest.raises(InfeasibleError, match="has 2 different values"):
            shoal.anonymize(frame, schema, require=MultiLDiversity({"s": 5}), method=method)
        with pytest.raises(InfeasibleError, match="same value in all rows"):
            shoal.anonymize(frame, schema, require=MultiLDiversity({"t": 2}), method=method)
        made = shoal.anonymize(
            frame, schema, require=MultiLDiversity({"s": 5, "t": 2}, lower=True), method=method
        )
        assert made.verification.achieved == {"l of s": 2, "l of t": 1}
