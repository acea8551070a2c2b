"""k-member's labels equal the slow twin's, row for row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import KAnonymity, KMember
from shoal.errors import ParameterError, SchemaError
from shoal.table import NumericColumn, Table
from shoal.table.hierarchies import Hierarchy, Intervals
from tests.examples import examples
from tests.methods.test_gaacp_reference import twin
from tests.methods.test_kaim_reference import as_leaves
from tests.reference.kmember import KMemberReference
from tests.tables import adult_table, by_scan_and_by_index, large_table, repeated_table, tables


class Fixed:
    def __init__(self, first: int) -> None:
        self.first = first

    def integers(self, n: int) -> int:
        return self.first


def compare(table: Table, k: int, first: int, numbers: str = "intervals") -> None:
    """Compare with the twin, which reads numbers as leaves of trees if that is asked for."""
    other = twin(table)
    attributes = as_leaves(table) if numbers == "tree" else other.attributes
    expected = KMemberReference(attributes, other.n, other.people).labels(k, first)
    method = KMember(numbers=numbers)
    found = by_scan_and_by_index(lambda: method.group(table, [KAnonymity(k)], rng=Fixed(first)))
    assert found == expected


def with_trees(table: Table, bins: int) -> Table:
    """Give every number a tree: of so many intervals, or with 0 the values below one root."""
    columns = []
    for column in table.quasi:
        if isinstance(column, NumericColumn) and column.hierarchy is None:
            labels = pl.Series([column.label(code) for code in range(column.size)])
            tree = Intervals(bins=bins).build(labels) if bins else Hierarchy.flat(labels.to_list())
            column = replace(column, hierarchy=tree)
        columns.append(column)
    return replace(table, quasi=tuple(columns))


@pytest.mark.parametrize(("k", "uneven"), [(2, True), (5, False), (10, True)])
@pytest.mark.parametrize("numbers", ["intervals", "tree"])
def test_labels_equal_the_twin_on_adult(k: int, uneven: bool, numbers: str) -> None:
    compare(with_trees(adult_table(600, k, uneven=uneven), 16), k, 3, numbers)


@pytest.mark.parametrize("make", [large_table, repeated_table])
@pytest.mark.parametrize("seed", range(100, 100 + examples(16, 6)))
def test_labels_equal_the_twin_on_larger_tables(make: Any, seed: int) -> None:
    compare(*make(seed))


@pytest.mark.parametrize("make", [large_table, repeated_table])
@pytest.mark.parametrize("seed", range(300, 300 + examples(8, 3)))
def test_labels_by_trees_equal_the_twin_on_larger_tables(make: Any, seed: int) -> None:
    table, k, first = make(seed)
    compare(with_trees(table, seed % 7 + 1), k, first, "tree")


@settings(max_examples=examples(150), deadline=None)
@given(tables())
def test_labels_equal_the_twin_on_random_tables(case: tuple[Table, int, int]) -> None:
    compare(*case)


@settings(max_examples=examples(150), deadline=None)
@given(tables(), st.integers(0, 6))
def test_labels_by_trees_equal_the_twin_on_random_tables(
    case: tuple[Table, int, int], bins: int
) -> None:
    table, k, first = case
    compare(with_trees(table, bins), k, first, "tree")


def test_numbers_without_a_hierarchy_are_refused() -> None:
    frame = pl.DataFrame({"age": [21, 33, 40, 58], "sex": ["f", "f", "m", "m"]})
    schema = {"age": shoal.quasi(kind="numeric"), "sex": shoal.quasi()}
    with pytest.raises(SchemaError, match=r"'age' is numeric and has no hierarchy.*Give it one"):
        shoal.anonymize(
            frame, schema, require=[KAnonymity(2)], method=KMember(numbers="tree", seed=1)
        )
    words = {"sex": shoal.quasi()}
    table = Table.encode(frame.select("sex"), words)
    found = KMember(numbers="tree").group(table, [KAnonymity(2)], rng=np.random.default_rng(1))
    assert found.n_groups == 2


def test_other_forms_of_numbers_are_refused() -> None:
    with pytest.raises(ParameterError, match="numbers must be one of 'intervals', 'tree'"):
        KMember(numbers="trees").validate()
