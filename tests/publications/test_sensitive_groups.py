"""A table per sensitive column: the values of groups, with added ones among them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import ParameterError
from shoal.publications import SensitiveGroups, TwoTable
from shoal.publications.groups.grouping import Padding
from shoal.publications.recoding import expected_count
from shoal.table import Table

FRAME = pl.DataFrame(
    {
        "age": [30, 41, None, 22, 25, 99],
        "ill": ["flu", "HIV", "flu", None, "flu", "cold"],
        "pay": [1, 1, 2, 3, 1, 9],
        "group": [1.5, 2.0, 3.0, 4.0, 5.0, 6.0],
    }
)
SCHEMA = shoal.Schema(
    {
        "age": shoal.quasi(),
        "ill": shoal.sensitive(),
        "pay": shoal.sensitive(),
        "group": shoal.other(),
    }
)
LABELS = np.array([0, 0, 1, 1, 0, -1], dtype=np.int32)
TABLE = Table.encode(FRAME, SCHEMA)


def padding(column: str, group: int, label: str | None) -> dict[str, Padding]:
    code = TABLE.sensitive[column].labels.index(label)
    return {column: Padding(np.array([group]), np.array([code]))}


def test_each_column_is_a_table_and_shows_each_value_once() -> None:
    made = SensitiveGroups().make(TABLE, shoal.Grouping(LABELS), np.array([2, 1]))
    assert made.published.class_column == "group_1"
    assert made.published.frame.columns == ["age", "group", "group_1"]
    assert made.published.frame["age"].to_list() == ["30", "41", "*", "22", "25"]
    assert made.published.value_tables["ill"].frame.rows() == [
        (1, "flu"),
        (1, None),
        (2, "HIV"),
        (2, "flu"),
    ]
    assert made.published.value_tables["pay"].frame.rows() == [(1, 2), (1, 3), (2, 1)]
    assert made.recoded.shown["pay"].counts.tolist() == [1, 1, 1]


def test_added_values_are_among_the_others_and_keep_their_type() -> None:
    grouping = shoal.Grouping(LABELS, padding("pay", 0, "3") | padding("ill", 1, "HIV"))
    made = SensitiveGroups().make(TABLE, grouping, np.array([2, 1]))
    assert made.published.value_tables["pay"].frame.rows() == [(1, 2), (1, 3), (2, 1), (2, 3)]
    assert made.published.value_tables["pay"].frame["pay"].dtype == FRAME["pay"].dtype
    assert made.published.value_tables["ill"].frame.rows() == [
        (1, "HIV"),
        (1, "flu"),
        (1, None),
        (2, "HIV"),
        (2, "flu"),
    ]


def test_rows_and_counts_are_those_of_the_records() -> None:
    grouping = shoal.Grouping(LABELS)
    rows = SensitiveGroups(sensitive_cells="rows").make(TABLE, grouping, np.array([2, 1]))
    counts = SensitiveGroups(sensitive_cells="counts").make(TABLE, grouping, np.array([2, 1]))
    assert rows.published.value_tables["pay"].frame.rows() == [
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 1),
        (2, 1),
    ]
    assert counts.published.value_tables["pay"].frame.rows() == [(1, 2, 1), (1, 3, 1), (2, 1, 3)]
    assert not rows.recoded.shown
    assert not counts.recoded.shown


def test_an_order_depends_on_content_alone() -> None:
    backwards = Table.encode(FRAME.reverse(), SCHEMA)
    again = SensitiveGroups().make(backwards, shoal.Grouping(LABELS[::-1].copy()), np.array([2, 1]))
    made = SensitiveGroups().make(TABLE, shoal.Grouping(LABELS), np.array([2, 1]))
    for name in ("ill", "pay"):
        assert again.published.value_tables[name].frame.equals(
            made.published.value_tables[name].frame, null_equal=True
        )


def test_counting_takes_the_values_of_a_group_for_equally_likely() -> None:
    grouping = shoal.Grouping(LABELS, padding("pay", 0, "3"))
    made = SensitiveGroups().make(TABLE, grouping, np.array([2, 1]))
    pay = TABLE.sensitive["pay"].labels
    asked = {"pay": {pay.index("3")}}
    assert expected_count(TABLE, made.recoded, {}, asked) == pytest.approx(3 / 2 + 2 / 2)
    assert expected_count(TABLE, made.recoded, {"age": (30, 41)}, asked) == pytest.approx(1)
    rows = SensitiveGroups(sensitive_cells="rows").make(
        TABLE, shoal.Grouping(LABELS), np.array([2, 1])
    )
    both = {"pay": {pay.index("1")}, "ill": {TABLE.sensitive["ill"].labels.index("flu")}}
    assert expected_count(TABLE, rows.recoded, {}, both) == pytest.approx(3 * 2 / 3)


def test_added_values_are_refused_where_they_would_show() -> None:
    grouping = shoal.Grouping(LABELS, padding("pay", 0, "3"))
    for how in ("rows", "counts"):
        with pytest.raises(ParameterError, match="counts would distinguish them"):
            SensitiveGroups(sensitive_cells=how).make(TABLE, grouping, np.array([2, 1]))
    one = Table.encode(FRAME, shoal.Schema(dict(SCHEMA) | {"ill": shoal.other()}))
    with pytest.raises(ParameterError, match="which the form 'two-table' cannot"):
        TwoTable().make(one, grouping, np.array([2, 1]))


def test_a_value_that_only_a_suppressed_row_holds_cannot_be_added() -> None:
    with pytest.raises(ParameterError, match="that no published row holds") as caught:
        SensitiveGroups().make(
            TABLE, shoal.Grouping(LABELS, padding("ill", 0, "cold")), np.array([2, 1])
        )
    assert "cold" not in str(caught.value)


def test_a_sensitive_column_is_needed() -> None:
    roles = dict(SCHEMA) | {"ill": shoal.other(), "pay": shoal.other()}
    with pytest.raises(ParameterError, match="needs a sensitive column"):
        SensitiveGroups().make(
            Table.encode(FRAME, shoal.Schema(roles)), shoal.Grouping(LABELS), np.array([1, 2])
        )
