"""KAIM's labels equal the slow twin's, row for row, for both distances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal import KAIM, KAnonymity
from shoal.base.cells import number_text
from shoal.table import NumericColumn, Table
from tests.examples import examples
from tests.reference.gaacp import Category
from tests.reference.kaim import KaimReference
from tests.tables import (
    adult_table,
    by_scan_and_by_index,
    large_table,
    parents,
    repeated_table,
    tables,
)

DISTANCES = ["entropy-change", "equation-9"]


def as_leaves(table: Table) -> list[Category]:
    """Set attributes up from the raw cells, numbers as leaves of their trees."""
    attributes = []
    for column, tree in zip(table.quasi, table.trees, strict=True):
        raw = table.frame[column.name].to_list()
        if isinstance(column, NumericColumn):
            raw = [None if value is None else number_text(float(value)) for value in raw]
        attributes.append(Category(raw, parents(tree.hierarchy), Fraction(str(column.weight))))
    return attributes


def twin(table: Table, distance: str) -> KaimReference:
    people = None if table.people is None else table.people.tolist()
    return KaimReference(as_leaves(table), table.n_rows, distance, people)


def compare(table: Table, k: int, distance: str) -> None:
    method = KAIM(distance=distance, picks="first")
    found = by_scan_and_by_index(
        lambda: method.group(table, [KAnonymity(k)], rng=np.random.default_rng(0))
    )
    assert found == twin(table, distance).labels(k)


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize(("k", "uneven"), [(5, False), (3, True)])
def test_labels_equal_the_twin_on_2000_rows_of_adult(k: int, uneven: bool, distance: str) -> None:
    table = adult_table(2000, k, uneven=uneven)
    assert table.missing.any()
    compare(table, k, distance)


@pytest.mark.parametrize("make", [large_table, repeated_table])
@pytest.mark.parametrize("seed", range(200, 200 + examples(12, 5)))
def test_labels_equal_the_twin_on_larger_tables(make: Any, seed: int) -> None:
    table, k, _ = make(seed)
    for distance in DISTANCES:
        compare(table, k, distance)


@settings(max_examples=examples(150), deadline=None)
@given(tables(), st.sampled_from(DISTANCES))
def test_labels_equal_the_twin_on_random_tables(
    case: tuple[Table, int, int], distance: str
) -> None:
    compare(*case[:2], distance)


@settings(max_examples=examples(50), deadline=None)
@given(tables(), st.integers(0, 99), st.sampled_from(DISTANCES))
def test_random_seeds_are_taken_in_the_generators_order(
    case: tuple[Table, int, int], seed: int, distance: str
) -> None:
    table, k, _ = case
    order = np.random.default_rng(seed).permutation(table.n_rows).tolist()
    found = KAIM(distance=distance).group(table, [KAnonymity(k)], rng=np.random.default_rng(seed))
    assert found.labels.tolist() == twin(table, distance).labels(k, order)


def test_classes_hold_k_and_only_left_overs_more() -> None:
    table = adult_table(503, 7)
    found = KAIM(picks="first").group(table, [KAnonymity(5)], rng=np.random.default_rng(0))
    assert found.n_groups == 100
    assert found.n_suppressed == 0
    assert sorted(found.sizes.tolist())[:97] == [5] * 97
    assert found.sizes.sum() == 503
