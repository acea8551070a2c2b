"""A column as values and codes says the same as the column."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given

from shoal.io.frames import Coded, Dictionary, count_pairs, number_rows

CELLS = st.one_of(
    st.lists(st.none() | st.text(max_size=3)).map(lambda v: pl.Series("c", v, dtype=pl.String)),
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)).map(
        lambda v: pl.Series("c", v, dtype=pl.Int64)
    ),
    st.lists(st.none() | st.integers(-128, 127)).map(lambda v: pl.Series("c", v, dtype=pl.Int8)),
    st.lists(st.none() | st.integers(0, 2**64 - 1)).map(
        lambda v: pl.Series("c", v, dtype=pl.UInt64)
    ),
    st.lists(st.none() | st.floats()).map(lambda v: pl.Series("c", v, dtype=pl.Float64)),
    st.lists(st.none() | st.booleans()).map(lambda v: pl.Series("c", v, dtype=pl.Boolean)),
    st.lists(st.none() | st.dates()).map(lambda v: pl.Series("c", v, dtype=pl.Date)),
    st.lists(st.none() | st.sampled_from("abc")).map(
        lambda v: pl.Series("c", v, dtype=pl.Enum(["c", "b", "a"]))
    ),
)


@given(CELLS)
def test_values_and_codes_are_the_column(cells: pl.Series) -> None:
    found = Dictionary.of(cells)
    assert found.cells().equals(cells, null_equal=True)
    expected = cells.unique(maintain_order=True)
    assert found.values.equals(expected, null_equal=True)
    assert found.counts.sum() == len(cells)
    assert (found.counts > 0).all()


@given(CELLS, st.data())
def test_a_part_knows_only_its_own_values(cells: pl.Series, data: st.DataObject) -> None:
    rows = np.array(
        data.draw(st.lists(st.integers(0, len(cells) - 1))) if len(cells) else [], dtype=np.int64
    )
    part = Dictionary.of(cells).take(rows)
    whole = Dictionary.of(cells.gather(rows))
    assert part.values.equals(whole.values, null_equal=True)
    assert part.codes.tolist() == whole.codes.tolist()


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab"), st.none() | st.booleans())))
def test_rows_are_numbered_as_a_set_of_tuples_would(
    rows: list[tuple[int, str, bool | None]],
) -> None:
    if not rows:
        return
    columns = [Dictionary.of(pl.Series(list(column))) for column in zip(*rows, strict=True)]
    numbers, size = number_rows(columns)
    seen: dict[tuple[int, str, bool | None], int] = {}
    assert numbers.tolist() == [seen.setdefault(row, len(seen)) for row in rows]
    assert size == len(seen)


def test_rows_of_many_values_are_numbered_too() -> None:
    rng = np.random.default_rng(1)
    cells = [rng.integers(0, 3000, 4000) for _ in range(8)]  # 3000**8 keys fit no table
    numbers, size = number_rows([Dictionary.of(pl.Series(each)) for each in cells])
    seen: dict[tuple[int, ...], int] = {}
    rows = zip(*(each.tolist() for each in cells), strict=True)
    assert numbers.tolist() == [seen.setdefault(row, len(seen)) for row in rows]
    assert size == len(seen)


@pytest.mark.parametrize("late", [0, 1, 3, 300])
@pytest.mark.parametrize("early", [1, 254, 255, 256])
def test_values_that_come_late_are_numbered_after_all_others(early: int, late: int) -> None:
    rng = np.random.default_rng(2)
    begin = rng.integers(0, early, 5000)
    end = rng.permutation(np.concatenate([rng.integers(0, early + late, 900), begin[:9]]))
    cells = np.concatenate([begin, end])
    found = Dictionary.of(pl.Series(cells))
    seen: dict[int, int] = {}
    assert found.codes.tolist() == [seen.setdefault(cell, len(seen)) for cell in cells.tolist()]
    assert found.values.to_list() == list(seen)
    assert found.codes.dtype == (np.uint8 if len(seen) <= 255 else np.uint16)


@pytest.mark.parametrize("far", [1, 10**9])
def test_pairs_are_counted(far: int) -> None:
    one, other = np.array([0, far, 0, 0]), np.array([2, 1, 2, 0])
    found = count_pairs(one, other, 3)
    assert list(zip(*(each.tolist() for each in found), strict=True)) == [
        (0, 0, 1),
        (0, 2, 2),
        (far, 1, 1),
    ]


def test_decimals_and_times_have_values() -> None:
    for cells in (
        pl.Series("c", [Decimal("1.10"), None, Decimal("1.1")]),
        pl.Series("c", [dt.datetime(2020, 1, 1), None, dt.datetime(1900, 1, 1)]),
        pl.Series("c", [None, None], dtype=pl.Null),
    ):
        assert Dictionary.of(cells).cells().equals(cells, null_equal=True)


def test_a_table_of_dictionaries_is_a_table() -> None:
    frame = pl.DataFrame({"a": ["x", "y", "x"], "b": [1, 2, None]})
    coded = Coded(frame)
    again = Coded({"a": coded["a"], "b": frame["b"]})
    assert again.frame.equals(frame)
    assert again.height == 3
    assert again.take(np.array([2, 0])).frame.equals(frame[[2, 0]])
    changed = coded.with_columns({"a": pl.Series("a", ["z", "z", "z"])})
    assert changed["a"].values.to_list() == ["z"]
    assert changed["b"].codes.tolist() == coded["b"].codes.tolist()
