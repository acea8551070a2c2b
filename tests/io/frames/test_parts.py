"""A column in parts is the column that would have come at once."""

from __future__ import annotations

import hypothesis.strategies as st
import polars as pl
from hypothesis import given

from shoal.io.frames import Dictionary
from shoal.io.frames.parts import Parts

CELLS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "", None]), max_size=6), min_size=1)


@given(CELLS)
def test_dictionaries_are_joined_in_the_order_of_first_cells(parts: list[list[str | None]]) -> None:
    made = Parts()
    for cells in parts:
        made.add(Dictionary.of(pl.Series(cells, dtype=pl.String)))
    found = made.whole()
    expected = Dictionary.of(
        pl.Series([cell for cells in parts for cell in cells], dtype=pl.String)
    )
    assert isinstance(found, Dictionary)
    assert found.values.to_list() == expected.values.to_list()
    assert found.codes.tolist() == expected.codes.tolist()
    assert found.codes.dtype == expected.codes.dtype


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=8), min_size=1), st.booleans())
def test_numbers_become_a_dictionary_only_if_they_repeat(
    parts: list[list[int]], repeats: bool
) -> None:
    made = Parts(repeats=repeats)
    for cells in parts:
        made.add(pl.Series(cells, dtype=pl.Int64))
    found = made.whole()
    few = repeats and 2 * len(set(parts[0])) <= len(parts[0])
    assert isinstance(found, Dictionary) == few
    cells = found.cells() if isinstance(found, Dictionary) else found
    assert cells.to_list() == [cell for part in parts for cell in part]
    assert cells.dtype == pl.Int64
