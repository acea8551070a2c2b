"""A published table against its original: every tampered cell is found."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import shoal
from shoal import GAACP, KAnonymity
from shoal.errors import ParameterError, ShoalError
from shoal.table.hierarchies import Hierarchy

TREE = Hierarchy.from_dict(
    {"Public": {"federal": [], "Lower": ["state", "local"]}, "Self": ["shop"], "none": []}
)
SCHEMA = shoal.Schema(
    {
        "age": shoal.quasi(kind="numeric"),
        "work": shoal.quasi(hierarchy=TREE),
        "d": shoal.sensitive(),
        "note": shoal.other(),
    }
)
COVER = "cells cover their originals"


def make(n: int = 40, seed: int = 0) -> tuple[pl.DataFrame, shoal.Release]:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": [None if rng.random() < 0.1 else int(v) for v in rng.integers(-20, 90, n)],
            "work": [None if rng.random() < 0.1 else str(v) for v in rng.choice(TREE.leaves, n)],
            "d": [str(v) for v in rng.integers(0, 9, n)],
            "note": rng.integers(0, 5, n),
        }
    )
    need = [KAnonymity(3)]
    return frame, shoal.anonymize(frame, SCHEMA, require=need, method=GAACP(picks="first"))


FRAME, RELEASE = make()


def findings(
    published: pl.DataFrame,
    original: pl.DataFrame = FRAME,
    schema: shoal.Schema = SCHEMA,
    **options: Any,
) -> dict[str, bool]:
    result = shoal.verify(published, schema, [KAnonymity(2)], original=original, **options)
    return {finding.check: finding.passed for finding in result.findings}


def changed(column: str, row: int, cell: object) -> pl.DataFrame:
    cells = RELEASE.frame[column].to_list()
    cells[row] = cell
    return RELEASE.frame.with_columns(pl.Series(column, cells, dtype=RELEASE.frame[column].dtype))


def test_an_honest_release_passes() -> None:
    assert all(findings(RELEASE.frame).values())


def above(leaf: str) -> set[str]:
    node, way = TREE.node(leaf), set()
    while node >= 0:
        way.add(TREE.labels[node])
        node = int(TREE.parent[node])
    return way


@given(st.integers(0, FRAME.height - 1), st.sampled_from([*TREE.labels, "nowhere", ""]))
def test_a_changed_category_is_found(row: int, cell: str) -> None:
    true = FRAME["work"][row]
    honest = cell == "*" or (true is not None and cell in above(true))
    assert findings(changed("work", row, cell))[COVER] == honest


@given(st.integers(0, FRAME.height - 1), st.integers(-25, 95), st.integers(0, 20), st.booleans())
def test_a_changed_interval_is_found(row: int, lo: int, width: int, half_open: bool) -> None:
    true, hi = FRAME["age"][row], lo + width
    cell = f"[{lo}, {hi}{')' if half_open else ']'}"
    honest = true is not None and (lo <= true < hi or (true == hi and not half_open))
    assert findings(changed("age", row, cell))[COVER] == honest


@pytest.mark.parametrize("cell", ["", "young", "[1; 2]", "nan", "[-99, 99", "-inf", "[99, -99]"])
def test_what_is_no_interval_covers_nothing(cell: str) -> None:
    assert not findings(changed("age", 0, cell))[COVER]


def test_a_missing_cell_is_published_only_as_star() -> None:
    row = FRAME["age"].to_list().index(None)
    assert findings(changed("age", row, "*"))[COVER]
    assert findings(changed("age", row, None))[COVER]
    assert not findings(changed("age", row, "[-99, 999]"))[COVER]


def test_half_open_ends() -> None:
    original = pl.DataFrame({"age": [20, 29, 30], "work": ["none"] * 3, "d": [*"abc"]})
    published = original.with_columns(age=pl.lit("[20, 30)"))
    assert not findings(published, original)[COVER]
    assert findings(published[:2], original[:2])[COVER]
    assert findings(original.with_columns(age=pl.lit("[20, 30]")), original)[COVER]


@pytest.mark.parametrize(
    "ages",
    [
        [0.1, 0.2, 0.3, 0.1 + 0.2],
        [2**53 + 1, 2**53 + 3, 2**53 + 5, 2**53 + 7],
        [2**53 + 1] * 4,
        [-(2**63), -(2**63) + 1, 2**63 - 2, 2**63 - 1],
        [-0.0, 0.0, 1e-9, 1e300],
        [1e-300, 2e-300, 5e-324, 1.0],
        [" 7", "8 ", "1e1", "+3"],
    ],
)
@pytest.mark.parametrize("bounds", ["observed", "rounded"])
def test_numbers_of_any_size_cover_themselves(ages: list[Any], bounds: str) -> None:
    frame = pl.DataFrame({"age": ages, "d": [*"abcd"]})
    schema = shoal.Schema({"age": shoal.quasi(kind="numeric"), "d": shoal.sensitive()})
    release = shoal.anonymize(
        frame, schema, require=[KAnonymity(2)], method=GAACP(picks="first"), bounds=bounds
    )
    assert release.verification.reasons() == []


def _swaps(column: str) -> dict[str, tuple[int, int]]:
    """Two rows of one class, and two of different ones, that hold different values."""
    cells = RELEASE.frame.select("age", "work").rows()
    values = RELEASE.frame[column].to_list()
    pairs = [(i, j) for i in range(len(values)) for j in range(i) if values[i] != values[j]]
    return {
        "same class": next((i, j) for i, j in pairs if cells[i] == cells[j]),
        "two classes": next((i, j) for i, j in pairs if cells[i] != cells[j]),
    }


@pytest.mark.parametrize("where", ["same class", "two classes"])
@pytest.mark.parametrize("column", ["d", "note"])
def test_two_swapped_values_are_found(column: str, where: str) -> None:
    """Each row has its own value, not only all rows together theirs."""
    i, j = _swaps(column)[where]
    values = RELEASE.frame[column].to_list()
    values[i], values[j] = values[j], values[i]
    damaged = RELEASE.frame.with_columns(pl.Series(column, values))
    rows = np.random.default_rng(3).permutation(FRAME.height)
    for published, options in ((damaged, {}), (damaged[rows], {"rows": rows})):
        found = findings(published, **options)
        assert [check for check, passed in found.items() if not passed] == [f"values of '{column}'"]


def test_values_in_reverse_are_found() -> None:
    wrong = sum(a != b for a, b in zip(FRAME["d"], FRAME["d"].reverse(), strict=True))
    published = RELEASE.frame.with_columns(pl.col("d").reverse())
    result = shoal.verify(published, SCHEMA, [KAnonymity(2)], original=FRAME)
    assert result.reasons() == [f"values of 'd': {wrong} values differ"]


@given(st.integers(0, FRAME.height - 1), st.sampled_from([-1, 10**6, None]))
def test_a_changed_other_cell_is_found(row: int, cell: int | None) -> None:
    assert not findings(changed("note", row, cell))["values of 'note'"]


@given(st.integers(0, FRAME.height - 1), st.sampled_from(["other", "", "*", None]))
def test_a_changed_sensitive_value_is_found(row: int, cell: str | None) -> None:
    assert not findings(changed("d", row, cell))["values of 'd'"]


def test_how_many_values_differ() -> None:
    cells = ["new", "newer", *RELEASE.frame["d"].to_list()[2:]]
    result = shoal.verify(
        RELEASE.frame.with_columns(d=pl.Series(cells)), SCHEMA, [KAnonymity(2)], original=FRAME
    )
    assert result.reasons() == ["values of 'd': 2 values differ"]


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 2, None],
        [1.5, -0.0, 1e-7, None],
        [True, False, None, True],
        ["", "x", "x", "y"],
    ],
)
def test_untouched_columns_of_any_type(values: list[Any]) -> None:
    original = pl.DataFrame({"age": [1, 2, 3, 4], "work": ["none"] * 4, "d": values})
    published = original.with_columns(age=pl.lit("[1, 4]"))
    assert all(findings(published, original).values())
    assert all(findings(published[[3, 1]], original, rows=[3, 1]).values())


def test_a_selection_of_rows() -> None:
    rows = [7, 3, 21]
    assert all(findings(RELEASE.frame[rows], rows=rows).values())
    assert not all(findings(RELEASE.frame[rows], rows=[3, 7, 22]).values())


@pytest.mark.parametrize(
    "rows",
    [[0, 0], [-1, 0], [0, 40], [0], [0, 1, 2], [[0], [1]], [0.5, 1.5], [True, False], ["a", "b"]],
)
def test_rows_that_are_no_selection_are_refused(rows: list[Any]) -> None:
    with pytest.raises(ParameterError, match="rows"):
        findings(RELEASE.frame[:2], rows=rows)


def test_other_lengths_need_rows() -> None:
    with pytest.raises(ParameterError, match="2 rows, the original 40"):
        findings(RELEASE.frame[:2])


@pytest.mark.parametrize("column", ["age", "work", "d"])
def test_an_original_that_lacks_a_column_is_refused(column: str) -> None:
    with pytest.raises(ShoalError, match=f"'{column}'"):
        findings(RELEASE.frame, FRAME.drop(column))


def test_messages_hold_no_cells() -> None:
    published = changed("work", 0, "Xanthippe").with_columns(d=pl.lit("Xanthippe"))
    result = shoal.verify(published, SCHEMA, [KAnonymity(9)], original=FRAME)
    assert len(result.reasons()) == 3
    assert "Xanthippe" not in str(result.to_dict()) + "".join(result.reasons())


def test_cells_that_are_no_numbers_are_counted_without_missing_ones() -> None:
    frame = pl.DataFrame({"age": ["1", "x", "?", "x", "?", "2"]})
    schema = shoal.Schema({"age": shoal.quasi(kind="numeric")}, missing=["?"])
    published = pl.DataFrame({"age": ["*"] * 6})
    with pytest.raises(ShoalError, match=r"'age'.* 2 "):
        findings(published, frame, schema)
