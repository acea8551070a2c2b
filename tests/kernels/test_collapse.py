"""Equal rows get equal numbers, and no others do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from shoal.kernels.collapse import collapse


def obvious(columns: list[list[int]]) -> list[int]:
    """Number the distinct rows in their sorted order."""
    rows = list(zip(*columns, strict=True))
    numbers = {row: number for number, row in enumerate(sorted(set(rows)))}
    return [numbers[row] for row in rows]


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[np.ndarray], list[int]]:
    n = draw(st.integers(1, 30))
    columns, sizes = [], []
    for _ in range(draw(st.integers(1, 8))):
        size = draw(st.sampled_from([1, 2, 3, 256, 65536, 2**31, 2**40]))
        some = st.sampled_from(sorted({0, size // 2, size - 1}))
        dtype = next(t for t in (np.uint8, np.uint16, np.uint32, np.int64) if size - 1 <= _most(t))
        columns.append(np.array(draw(st.lists(some, min_size=n, max_size=n)), dtype=dtype))
        sizes.append(size)
    return columns, sizes


def _most(dtype: type) -> int:
    return int(np.iinfo(dtype).max)


@given(cases())
def test_equals_a_dictionary_of_rows(case: tuple[list[np.ndarray], list[int]]) -> None:
    columns, sizes = case
    found = collapse(columns, sizes)
    assert found.dtype == np.int64
    assert found.tolist() == obvious([column.tolist() for column in columns])


def test_many_wide_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(0)
    base = [rng.integers(0, 2**32, 500, dtype=np.uint32) for _ in range(20)]
    columns = [np.concatenate([column, column]) for column in base]
    found = collapse(columns, [2**32] * 20)
    assert found.tolist() == obvious([column.tolist() for column in columns])
    assert len(set(found.tolist())) == 500


def test_rows_that_differ_only_in_the_first_of_many_columns_stay_apart() -> None:
    same = np.zeros(2, dtype=np.uint8)
    columns = [np.array([0, 1], dtype=np.uint8)] + [same] * 100
    assert collapse(columns, [256] * 101).tolist() == [0, 1]


@pytest.mark.parametrize("n", [0, 1])
def test_few_rows(n: int) -> None:
    assert collapse([np.zeros(n, dtype=np.uint8)], [1]).tolist() == [0] * n


def test_codes_are_not_changed() -> None:
    codes = np.array([3, 1, 3], dtype=np.uint8)
    collapse([codes, codes], [4, 4])
    assert codes.tolist() == [3, 1, 3]
