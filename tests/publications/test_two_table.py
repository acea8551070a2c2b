"""Two tables from a grouping: exact cells, random ids, and no trace of the row order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import ParameterError
from shoal.publications import Made, TwoTable
from shoal.table import Table
from shoal.table.schema import Role

FRAME = pl.DataFrame(
    {
        "name": ["a", "b", "c", "d", "e", "f"],
        "age": [30, 41, None, 22, 25, 99],
        "zip": ["01234", "01235", "", "01234", "9", "9"],
        "ill": ["flu", "HIV", "flu", None, "flu", "cold"],
        "note": [1.5, 2.0, 3.0, 4.0, 5.0, 6.0],
    }
)
SCHEMA = shoal.Schema(
    {
        "name": shoal.identifier(),
        "age": shoal.quasi(),
        "zip": shoal.quasi(),
        "ill": shoal.sensitive(),
        "note": shoal.other(),
    }
)
LABELS = np.array([0, 0, 1, 1, 0, -1], dtype=np.int32)


def made(frame: pl.DataFrame = FRAME, schema: shoal.Schema = SCHEMA, **options: str) -> Made:
    table = Table.encode(frame, schema)
    return TwoTable(**options).make(table, shoal.Grouping(LABELS), np.array([2, 1]))  # type: ignore[arg-type]


def values(two: Made) -> pl.DataFrame:
    return two.published.value_tables["ill"].frame


def test_cells_are_exact_and_a_missing_one_is_a_star() -> None:
    two = made()
    assert two.published.frame.columns == ["age", "zip", "note", "class"]
    assert two.published.frame.rows() == [
        ("30", "01234", 1.5, 2),
        ("41", "01235", 2.0, 2),
        ("*", "*", 3.0, 1),
        ("22", "01234", 4.0, 1),
        ("25", "9", 5.0, 2),
    ]
    assert two.recoded.groups.tolist() == [1, 1, 0, 0, 1]
    assert two.recoded.exact


def test_values_stand_by_class_and_text_never_by_row() -> None:
    two = made()
    assert values(two).rows() == [(1, "flu"), (1, None), (2, "HIV"), (2, "flu"), (2, "flu")]
    backwards = Table.encode(FRAME.reverse(), SCHEMA)
    again = TwoTable().make(backwards, shoal.Grouping(LABELS[::-1].copy()), np.array([2, 1]))
    assert values(again).equals(values(two), null_equal=True)


def test_counts_say_each_value_once() -> None:
    two = made(sensitive_cells="counts")
    assert values(two).columns == ["class", "ill", "count"]
    assert values(two).rows() == [(1, "flu", 1), (1, None, 1), (2, "HIV", 1), (2, "flu", 2)]


def test_generalized_cells_are_those_of_one_table() -> None:
    two = made(quasi_cells="generalized", bounds="observed")
    assert two.published.frame["age"].to_list() == ["[25, 41]", "[25, 41]", "*", "*", "[25, 41]"]
    assert not two.recoded.exact


@pytest.mark.parametrize(
    ("taken", "name"), [("class", "class_1"), ("count", "class"), ("note", "class")]
)
def test_names_that_are_taken_are_left_alone(taken: str, name: str) -> None:
    frame = FRAME.rename({"note": taken} if taken != "note" else {})
    roles = {taken if key == "note" else key: column for key, column in SCHEMA.items()}
    two = made(frame, shoal.Schema(roles), sensitive_cells="counts")
    assert two.published.class_column == name
    assert two.published.value_tables["ill"].count_column == (
        "count_1" if taken == "count" else "count"
    )
    assert set(two.published.frame.columns) & set(values(two).columns) == {name}


def test_a_suppressed_column_shows_nothing() -> None:
    table = Table.encode(FRAME, SCHEMA)
    two = TwoTable().make(table, shoal.Grouping(LABELS), np.array([1, 2]), suppressed=["age"])
    assert set(two.published.frame["age"]) == {"*"}
    assert Counter(two.published.frame["zip"])["*"] == 1


def test_one_sensitive_column_is_needed() -> None:
    schema = SCHEMA.with_column("ill", role=Role.OTHER)
    with pytest.raises(ParameterError, match="exactly one sensitive column, but there are 0"):
        TwoTable().make(Table.encode(FRAME, schema), shoal.Grouping(LABELS), np.array([1, 2]))


def test_a_sensitive_column_may_be_called_a_star() -> None:
    frame = pl.DataFrame({"age": [20, 21, 40, 41], "*": ["a", "b", "a", "c"]})
    schema = shoal.Schema({"age": shoal.quasi(), "*": shoal.sensitive()})
    release = shoal.anonymize(frame, schema, require=2, publication="two-table")
    assert release.tables["quasi"].columns == ["age", "class"]
    assert release.tables["sensitive"].columns == ["class", "*"]
