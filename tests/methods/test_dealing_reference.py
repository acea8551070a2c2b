"""Records that are dealt like cards: the labels equal the slow twin's, row for row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import GCA, AlphaK, LeveledAlphaK, LeveledGCA
from shoal.methods.buckets._gca import deal
from shoal.methods.buckets._terms import terms_of
from shoal.models import Requirement
from shoal.publications.groups.share_limits import publishable
from shoal.table import Table
from tests.examples import examples
from tests.methods.test_gca_reference import (
    ALPHAS,
    LEVELS,
    SECRET,
    adult,
    cases,
    twin,
    visits,
)


def compare_dealt(
    table: Table, require: Sequence[Requirement], leveled: bool, order: Sequence[int] | None = None
) -> list[int]:
    rows = np.arange(table.n_rows) if order is None else np.array(order)
    found = deal(table, terms_of(table, require, leveled=leveled), rows)
    expected = twin(table, require, leveled=leveled, near=False).dealt(order)
    assert found.labels.tolist() == expected
    return expected


@settings(max_examples=examples(400), deadline=None)
@given(cases(), st.booleans(), st.booleans())
def test_dealt_labels_equal_the_twin(
    case: tuple[Table, list[Requirement], list[int]], leveled: bool, shuffled: bool
) -> None:
    table, require, order = case
    if table.people is not None:  # the method takes them only where each has one record
        people = pl.Series("who", range(table.n_rows))
        table = Table.encode(table.frame.with_columns(people), table.schema)
    compare_dealt(table, require, leveled, order if shuffled else None)


@pytest.mark.parametrize("leveled", [True, False])
@pytest.mark.parametrize("k", [2, 4, 5, 7])
def test_dealt_labels_equal_the_twin_on_rows_of_adult(k: int, leveled: bool) -> None:
    table = adult(600, k)
    require = [LeveledAlphaK(LEVELS, ALPHAS, k, column=SECRET)]
    found = np.bincount(compare_dealt(table, require, leveled))
    assert found.max() - found.min() <= 1
    level = np.array([LEVELS[value or ""] for value in table.frame[SECRET].to_list()])
    made = (LeveledGCA if leveled else GCA)(spend="even")
    labels = made.group(table, require, rng=np.random.default_rng(0)).labels
    for each in range(1, 6) if leveled else ():
        counts = np.bincount(labels[level == each], minlength=len(found))
        assert counts.max() - counts.min() <= 1


def test_what_the_whole_table_has_too_much_of_is_not_dealt() -> None:
    frame = pl.DataFrame({"x": range(12), SECRET: ["a"] * 9 + ["b", "c", "b"]})
    schema = shoal.Schema({"x": shoal.quasi(), SECRET: shoal.sensitive()})
    table, require = Table.encode(frame, schema), [AlphaK(0.5, 2)]
    labels = GCA(spend="even").group(table, require, rng=np.random.default_rng(0)).labels
    assert np.flatnonzero(labels < 0).tolist() == [3, 4, 5, 6, 7, 8]
    kept = publishable(table, require)
    assert labels[kept].tolist() == compare_dealt(table.select(kept), require, leveled=False)


def test_dealing_refuses_what_it_would_ignore() -> None:
    table = visits([0, 0, 1, 2], ["v0", "v1", "v0", "v1"])
    for method, message in (
        (GCA(spend="even", within="nearest"), "within sets how a class chooses"),
        (GCA(spend="even", stop="paper"), "stop sets how a class chooses"),
        (LeveledGCA(spend="even", passes="largest"), "passes sets how a class chooses"),
        (LeveledGCA(spend="even", farthest_from="record"), "farthest_from sets how a class"),
        (LeveledGCA(spend="evenly"), "spend must be one of"),  # type: ignore[arg-type]
        (LeveledGCA(passes="all"), "passes must be one of"),  # type: ignore[arg-type]
        (LeveledGCA(farthest_from="top"), "farthest_from must be one of"),  # type: ignore[arg-type]
    ):
        with pytest.raises(shoal.errors.ParameterError, match=message):
            method.validate()
    GCA(spend="even", picks="random", seed=3).validate()
    with pytest.raises(shoal.errors.ParameterError, match="some people have several"):
        GCA(spend="even").group(table, [AlphaK(0.5, 2)], rng=np.random.default_rng(0))
