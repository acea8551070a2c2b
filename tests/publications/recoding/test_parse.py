"""Anyone's published cells are read, or refused with counts."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import InputError, ParameterError
from shoal.publications.recoding import CategoryCells, NumberCells, parse
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy

TREE = Hierarchy.from_dict({"X": ["a", "b"], "c": []})
SCHEMA = shoal.Schema({"n": shoal.quasi(), "w": shoal.quasi(hierarchy=TREE)})
TABLE = Table.encode(pl.DataFrame({"n": [1, 2, 30, None], "w": ["a", "b", "c", None]}), SCHEMA)
SECRET = "Xanthippe"


def test_cells_of_other_tools() -> None:
    published = pl.DataFrame({"n": ["[0,10)", "2", "[ 30 , 40 ]", None], "w": ["X", "b", "*", "*"]})
    numbers, words = parse(TABLE, published).columns
    assert isinstance(numbers, NumberCells)
    assert isinstance(words, CategoryCells)
    assert numbers.lo[numbers.index[:3]].tolist() == [0, 2, 30]
    assert numbers.hi[numbers.index[:3]].tolist() == [10, 2, 40]
    assert numbers.open_end[numbers.index].tolist() == [True, False, False, False]
    assert numbers.star[numbers.index].tolist() == [False, False, False, True]
    assert [TREE.labels[n] for n in words.nodes[words.index]] == ["X", "b", "*", "*"]
    assert words.star[words.index].tolist() == [False, False, True, True]


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.UInt8])
def test_numbers_need_not_be_text(dtype: pl.DataType) -> None:
    published = pl.DataFrame(
        {"n": pl.Series([1, 2, 30, None], dtype=dtype), "w": ["a", "b", "c", None]}
    )
    numbers = parse(TABLE, published).columns[0]
    assert numbers.texts() == ["1", "2", "30", "*"]


def test_strange_cells_are_counted_not_shown() -> None:
    words = ["a", SECRET, SECRET, "zz"]
    with pytest.raises(InputError, match=r"'w' .* 2 distinct cells") as caught:
        parse(TABLE, pl.DataFrame({"n": [1, 2, 30, None], "w": words}))
    assert SECRET not in str(caught.value)
    with pytest.raises(InputError, match=r"'n' .* 2 distinct cells") as caught:
        parse(TABLE, pl.DataFrame({"n": ["1", SECRET, "[9, 1]", "*"], "w": ["a", "b", "c", "*"]}))
    assert SECRET not in str(caught.value)


def test_a_column_that_is_not_published_is_refused() -> None:
    with pytest.raises(InputError, match="no column 'w'"):
        parse(TABLE, pl.DataFrame({"n": [1, 2, 30, None]}))


def test_tables_of_other_lengths_need_rows() -> None:
    published = pl.DataFrame({"n": ["2", "[1, 2]"], "w": ["b", "X"]})
    with pytest.raises(ParameterError, match="2 rows, the original 4"):
        parse(TABLE, published)
    with pytest.raises(ParameterError, match="rows"):
        parse(TABLE, published, np.array([1]))
    assert parse(TABLE, published, np.array([1, 0])).rows.tolist() == [1, 0]
