"""Sums of priced cells are the measure, whatever the tree, the range and the missing cells."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given

import shoal
from shoal.errors import ParameterError
from shoal.improve.cell_costs import price_cells
from shoal.measures import Pair
from shoal.publications.groups.grouping import Grouping, number_by_first
from shoal.publications.recoding import generalize
from shoal.table import Table
from tests.reference.cell_costs import cost_of_groups
from tests.tables import tables

ADDITIVE = ["iloss", "iloss_rate", "loss"]


@given(tables(), st.sampled_from(ADDITIVE), st.sampled_from(["observed", "rounded"]), st.data())
def test_costs_add_up_to_the_measure(drawn, name, bounds, data) -> None:
    table: Table = drawn[0]
    numbers = data.draw(st.sampled_from(["intervals", "tree"]))
    labels = data.draw(
        st.lists(st.integers(0, 3), min_size=table.n_rows, max_size=table.n_rows), label="labels"
    )
    grouping = Grouping(number_by_first(np.array(labels)).astype(np.int32))
    published = generalize(table, grouping, bounds=bounds, numbers=numbers)
    measure = shoal.measures.MEASURES[name]
    priced = price_cells(table, measure, numbers=numbers, bounds=bounds)
    found = cost_of_groups(priced, grouping)
    # The grid of rounded ranges follows the values of groups without a missing cell.
    if bounds == "observed" or numbers == "tree" or not table.missing.any():
        assert float(found) == pytest.approx(measure.of(Pair(table, published)), abs=1e-9)


@given(tables(), st.sampled_from(ADDITIVE))
def test_rounded_down_costs_are_never_above(drawn, name) -> None:
    table: Table = drawn[0]
    measure = shoal.measures.MEASURES[name]
    one = Grouping(np.zeros(table.n_rows, dtype=np.int32))
    priced = price_cells(table, measure, rounding="down")
    true = measure.of(Pair(table, generalize(table, one, bounds="observed")))
    assert float(cost_of_groups(priced, one)) <= true + 1e-12


def test_a_measure_that_is_no_sum_is_refused() -> None:
    schema = shoal.Schema({"a": shoal.quasi()})
    table = Table.encode(shoal.datasets.patients(1).select(a="age"), schema)
    with pytest.raises(ParameterError, match="'discernibility' is not a sum over cells"):
        price_cells(table, shoal.measures.discernibility)


@pytest.mark.filterwarnings("error")
def test_the_ends_of_64_bits_are_priced() -> None:
    frame = pl.DataFrame({"a": [-(2**63) + 1, 2**63 - 1, 0]})
    table = Table.encode(frame, {"a": "quasi"})
    measure = shoal.measures.MEASURES["iloss_rate"]
    priced = price_cells(table, measure, numbers="intervals", bounds="rounded")
    one = Grouping(np.zeros(3, dtype=np.int32))
    published = generalize(table, one, bounds="rounded", numbers="intervals")
    assert float(cost_of_groups(priced, one)) == pytest.approx(measure.of(Pair(table, published)))
