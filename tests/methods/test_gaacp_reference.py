"""GAA-CP's labels equal the slow twin's, row for row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal import GAACP, KAnonymity
from shoal.table import CategoricalColumn, Table
from tests.examples import examples
from tests.reference.gaacp import Category, Number, Reference
from tests.tables import (
    adult_table,
    by_scan_and_by_index,
    large_table,
    parents,
    repeated_table,
    tables,
)


def twin(table: Table, *, exact_loss: bool = False) -> Reference:
    """Set the slow twin up from the raw cells, not from the table's codes."""
    attributes = []
    for column in table.quasi:
        raw = table.frame[column.name].to_list()
        weight = Fraction(str(column.weight))
        if isinstance(column, CategoricalColumn):
            attributes.append(Category(raw, parents(column.hierarchy), weight))
        else:
            attributes.append(Number(raw, weight))
    people = None if table.people is None else table.people.tolist()
    return Reference(attributes, table.n_rows, exact_loss=exact_loss, people=people)


def labels(table: Table, k: int, *, first: int = 0, distance: str = "paper") -> list[int]:
    class Fixed:
        def integers(self, n: int) -> int:
            return first

    method = GAACP(distance=distance)
    return by_scan_and_by_index(lambda: method.group(table, [KAnonymity(k)], rng=Fixed()))


@pytest.mark.parametrize(
    ("k", "seed", "uneven"), [(2, 0, False), (5, 1, True), (10, 2, True), (5, 3, False)]
)
def test_labels_equal_the_twin_on_2000_rows_of_adult(k: int, seed: int, uneven: bool) -> None:
    table = adult_table(2000, seed, uneven=uneven)
    first = 0 if seed == 0 else int(np.random.default_rng(seed).integers(2000))
    assert labels(table, k, first=first) == twin(table).labels(k, first)


def test_exact_loss_labels_equal_the_twin_on_adult() -> None:
    table = adult_table(500, 4, uneven=True)
    expected = twin(table, exact_loss=True).labels(5, 0)
    assert labels(table, 5, distance="loss") == expected


@pytest.mark.parametrize("make", [large_table, repeated_table])
@pytest.mark.parametrize("seed", range(examples(16, 6)))
def test_labels_equal_the_twin_on_larger_tables(make: Any, seed: int) -> None:
    table, k, first = make(seed)
    for distance in ("paper", "loss"):
        expected = twin(table, exact_loss=distance == "loss").labels(k, first)
        assert labels(table, k, first=first, distance=distance) == expected


@settings(max_examples=examples(200), deadline=None)
@given(tables(), st.sampled_from(["paper", "loss"]))
def test_labels_equal_the_twin_on_random_tables(
    case: tuple[Table, int, int], distance: str
) -> None:
    table, k, first = case
    expected = twin(table, exact_loss=distance == "loss").labels(k, first)
    assert labels(table, k, first=first, distance=distance) == expected
