"""Conditions on dates, in Python and on the command line."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.errors import ParameterError
from shoal.release.query.where import read_where

CELLS = pl.DataFrame({"birth": ["1955 to 1956", "1957", "1958-03-01", "*"]})
SCHEMA = shoal.Schema({"birth": shoal.quasi(kind="date")})


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        (("1955", "1956"), 1),
        ("1957", 1),
        (("1957-01-01", date(1957, 12, 31)), 1),
        (1957, 1),
        (date(1958, 3, 1), 1),
        (["1957", "1958-03"], 2),
        ("1955 to 1956", 1),
    ],
)
def test_days_months_years_and_ranges_of_them(asked: Any, count: float) -> None:
    known = CELLS.filter(pl.col("birth") != "*")
    found = shoal.query.count(known, {"birth": asked}, schema=SCHEMA)
    assert found == pytest.approx(count)


def test_half_of_a_range_counts_half() -> None:
    half = shoal.query.count(CELLS.head(1), {"birth": "1955"}, schema=SCHEMA)
    assert half == pytest.approx(365 / (365 + 366))


def test_at_the_command_line() -> None:
    assert read_where(["birth=1955-01..1964"], ["birth"]) == {"birth": ("1955-01", 1964)}
    assert read_where(["birth=1955-03"], ["birth"]) == {"birth": ["1955-03"]}
    with pytest.raises(ParameterError, match="a range and another condition"):
        read_where(["birth=1955-01..1964-02", "birth=1970"], ["birth"])


def test_a_node_that_is_named_like_a_range_of_dates_is_a_node() -> None:
    tree = shoal.Hierarchy.from_dict({"2024-01..2024-02": ["2024-01", "2024-02"], "2024-03": []})
    schema = shoal.Schema({"month": shoal.quasi(hierarchy=tree)})
    table = pl.DataFrame({"month": ["2024-01..2024-02", "2024-03"]})
    where = read_where(["month=2024-01..2024-02"], ["month"])
    assert shoal.query.count(table, where, schema=schema) == 1


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("soon", "holds dates, but the condition names something else"),
        (("1964", "1955"), "it ends before it begins"),
        (["1955", "1955-03"], "overlap"),
        (("1955", "1956", "1957"), "A range has two ends"),
    ],
)
def test_what_is_refused(asked: Any, told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        shoal.query.count(CELLS, {"birth": asked}, schema=SCHEMA)
