"""EBKC's labels equal the slow twin's, row for row."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import EBKC, KAnonymity
from shoal.errors import ParameterError
from shoal.methods.merging import _scales
from shoal.table import CategoricalColumn, Table
from tests.examples import examples
from tests.reference.ebkc import Category, Number, Reference
from tests.tables import adult_table, parents, run_without_jit, tables


def twin(table: Table) -> Reference:
    """Set the slow twin up from the raw cells, not from the table's codes."""
    attributes: list[Number | Category] = []
    for column in table.quasi:
        raw = table.frame[column.name].to_list()
        weight = Fraction(str(column.weight))
        if isinstance(column, CategoricalColumn):
            tree = column.hierarchy
            attributes.append(Category(raw, parents(tree), tree.leaves, weight))
        else:
            attributes.append(Number(raw, weight))
    people = None if table.people is None else table.people.tolist()
    return Reference(attributes, table.n_rows, people=people)


Per = Literal["sum", "mean"]


def labels(
    table: Table, k: int, delta: float = 0.5, seed: int | None = None, per: Per = "mean"
) -> list[int]:
    method = EBKC(delta=delta, per=per, picks="first" if seed is None else "random")
    found = method.group(table, [KAnonymity(k)], rng=np.random.default_rng(seed))
    return found.labels.tolist()


def expected(
    table: Table, k: int, delta: float = 0.5, seed: int | None = None, per: Per = "mean"
) -> list[int]:
    order = np.random.default_rng(seed).permutation(table.n_rows).tolist()
    rows = range(table.n_rows) if seed is None else order
    return twin(table).labels(k, Fraction(str(delta)), rows, per)


@pytest.mark.parametrize(
    ("k", "delta", "seed", "per"),
    [
        (2, 0.5, None, "mean"),
        (5, 0.5, None, "sum"),
        (10, 0.3, None, "mean"),
        (3, 0.2, None, "sum"),
        (5, 0.04, None, "mean"),
        (5, 1.5, 1, "sum"),
        (5, 0.4, 1, "mean"),
    ],
)
def test_labels_equal_the_twin_on_adult(k: int, delta: float, seed: int | None, per: Per) -> None:
    table = adult_table(300, k)
    assert labels(table, k, delta, seed, per) == expected(table, k, delta, seed, per)


@settings(max_examples=examples(150), deadline=None)
@given(
    tables(),
    st.sampled_from([0.5, 0.25, 1 / 3, 0.1, 1]),
    st.sampled_from([None, 0]),
    st.sampled_from(["sum", "mean"]),
    st.sampled_from([-1, 3, 128]),
    st.sampled_from([0, 2, 24]),
)
def test_labels_equal_the_twin_on_random_tables(
    case: tuple[Table, int, int], delta: float, seed: int | None, per: Per, few: int, codes: int
) -> None:
    table, k, _ = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_scales, "PAIRED_VALUES", few)  # small tables have few values everywhere
        patch.setattr(_scales, "CODES_PER_CELL", codes)
        assert labels(table, k, delta, seed, per) == expected(table, k, delta, seed, per)


@pytest.mark.parametrize(("few", "codes"), [(-1, 24), (9, 24), (41, 24), (128, 0), (128, 6)])
def test_labels_equal_the_twin_whatever_is_few(
    few: int, codes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_scales, "PAIRED_VALUES", few)
    monkeypatch.setattr(_scales, "CODES_PER_CELL", codes)
    table = adult_table(250, 3)
    assert labels(table, 5, 0.5, per="sum") == expected(table, 5, 0.5, per="sum")


def test_labels_equal_the_twin_with_categories_of_many_values() -> None:
    """More values than a table of distances holds, so that boxes know a node above them."""
    rng = np.random.default_rng(3)
    zips = [f"{value:05d}" for value in rng.integers(0, 100_000, 190) // 37 * 37]
    zips = list(rng.choice(zips, 400))
    frame = pl.DataFrame({"zip": zips, "x": rng.integers(0, 9, 400)})
    prefixes = shoal.hierarchies.Prefixes(keep=1)
    schema = shoal.Schema({"zip": shoal.quasi(hierarchy=prefixes), "x": shoal.quasi()})
    table = Table.encode(frame, schema)
    assert table.quasi[0].size > _scales.PAIRED_VALUES
    for delta in (0.3, 0.8):
        assert labels(table, 4, delta, per="sum") == expected(table, 4, delta, per="sum")


def test_the_mean_bounds_what_the_sum_bounds_times_the_columns() -> None:
    table = adult_table(300, 5)
    whole = labels(table, 5, 0.5, per="sum")
    assert whole == labels(table, 5, 0.5 / len(table.quasi), per="mean")
    assert whole == labels(table, 5, per="sum") != labels(table, 5, per="mean")


def test_labels_equal_the_twin_with_the_jit_off() -> None:
    script = """
import numba, shoal
from shoal.kernels.merging.leader import lead
from tests.methods.test_ebkc_reference import expected, labels
from tests.tables import adult_table

assert numba.config.DISABLE_JIT and not hasattr(lead, "signatures")
table = adult_table(90, 3)
for k, delta, per in ((2, 0.5, "mean"), (4, 0.2, "mean"), (3, 0.5, "sum")):
    assert labels(table, k, delta, None, per) == expected(table, k, delta, None, per)
print("equal")
"""
    assert run_without_jit(script) == "equal"


def test_many_distinct_numbers_need_no_square() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"x": rng.permutation(300_000), "y": rng.integers(0, 2**40, 300_000)})
    schema = shoal.Schema({"x": shoal.quasi(), "y": shoal.quasi()})
    table = Table.encode(frame, schema)
    found = EBKC().group(table, [KAnonymity(5)], rng=rng)
    assert found.sizes.min() >= 5
    assert found.sizes.max() <= 10


@pytest.mark.parametrize("n", [21, 40, 100])
def test_all_classes_hold_k_to_2k(n: int) -> None:
    found = EBKC().group(adult_table(n, 5), [KAnonymity(10)], rng=np.random.default_rng(0))
    assert found.sizes.min() >= 10
    assert found.sizes.max() <= 20


def test_equal_entropies_go_to_the_first_attribute() -> None:
    """Counts of 4, 1, 1, 1, 1 and of 2, 2, 2, 2 have the same entropy: 4⁴ = (2²)⁴."""
    frame = pl.DataFrame({"x": list("aaaabcde"), "y": list("pqrspqrs")})
    for names, halves in (("xy", [0, 0, 0, 0, 1, 1, 1, 1]), ("yx", [0, 0, 1, 1, 0, 0, 1, 1])):
        schema = shoal.Schema({name: shoal.quasi() for name in names})
        assert labels(Table.encode(frame.select(*names), schema), 3, 1) == halves


@pytest.mark.parametrize(
    ("numbers", "weight"),
    [
        ([-(2**63), -1, 0, 2**63 - 1], 1.0),
        ([0, 1, 2**60 + 1, 2**61 - 1], 0.1),
        ([1, 2, 300_000_001, 300_000_007], 1e12),
        ([1, 2, 300_000_001, 300_000_007], 1e-12),
        ([-1.7e308, -1.6e308, 1.6e308, 1.7e308], 1e300),
    ],
)
def test_wide_ranges_go_to_the_documented_grid(numbers: list[Any], weight: float) -> None:
    frame = pl.DataFrame({"x": numbers, "y": ["a", "a", "b", "b"]})
    schema = shoal.Schema({"x": shoal.quasi(weight=weight), "y": shoal.quasi()})
    table = Table.encode(frame, schema)
    assert len(set(labels(table, 2, 0.6))) == 2


@pytest.mark.parametrize("delta", [0, -0.1, 1.5, float("nan"), True, "0.5"])
def test_impossible_thresholds_of_means_are_refused(delta: Any) -> None:
    with pytest.raises(ParameterError, match="delta must be"):
        EBKC(delta=delta, per="mean").validate()


@pytest.mark.parametrize("delta", [0, -0.1, float("nan"), float("inf"), True, "0.5", 1e300])
def test_impossible_thresholds_of_sums_are_refused(delta: Any) -> None:
    with pytest.raises(ParameterError, match="delta must be"):
        EBKC(delta=delta).validate()
