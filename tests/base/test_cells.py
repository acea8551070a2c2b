"""One text per value, and back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

from shoal.base.cells import interval_text, number_text, parse_interval, texts

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
INTS = st.integers(-(2**63), 2**63 - 1)


@given(FLOATS)
def test_a_float_comes_back(value: float) -> None:
    text = number_text(value)
    interval = parse_interval(text)
    assert interval is not None
    assert (float(interval.lo), float(interval.hi)) == (value, value)
    assert not set(text) & set("eE+ ,")


@given(INTS)
def test_an_int_comes_back_exactly(value: int) -> None:
    interval = parse_interval(number_text(value))
    assert interval is not None
    assert interval.lo == value == interval.hi  # Python compares int and float exactly


@given(st.one_of(FLOATS, INTS), st.one_of(FLOATS, INTS), st.booleans())
def test_an_interval_comes_back(a: float, b: float, open_end: bool) -> None:
    lo, hi = min(a, b), max(a, b)
    interval = parse_interval(interval_text(lo, hi, open_end=open_end))
    assert interval is not None
    # A float's shortest text need not be its exact value, so compare in the number's own type.
    assert (type(lo)(interval.lo), type(hi)(interval.hi)) == (lo, hi)
    assert interval.open_end == open_end


@given(st.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=-999, max_value=999))
def test_short_decimals_keep_their_digits(value: Decimal) -> None:
    assert Fraction(number_text(float(value))) == Fraction(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (70.0, "70"),
        (1e-7, "0.0000001"),
        (-1.5, "-1.5"),
        (1e22, "1" + "0" * 22),
        (2**53 + 1, "9007199254740993"),
        (-(2**63), "-9223372036854775808"),
        (np.int64(7), "7"),
        (np.uint8(255), "255"),
        (np.float64(0.1), "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_the_form_of_a_number(value: float, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[20,30)", (20, 30, True)),
        ("  [ 20 , 30 ]  ", (20, 30, False)),
        ("[-3, -1]", (-3, -1, False)),
        ("[1e3, 2E+3]", (1000, 2000, False)),
        (".5", (0.5, 0.5, False)),
        ("5.", (5, 5, False)),
        ("+7", (7, 7, False)),
        ("[5, 5)", (5, 5, True)),
    ],
)
def test_other_tools_forms_are_read(text: str, expected: tuple[float, float, bool]) -> None:
    assert parse_interval(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "*", "tall", "[30, 20]", "(20, 30]", "[20; 30]", "[20, 30", "20-30", "nan"),
        *("inf", "1_000", "[1, 2, 3]", "0x10", "--1", "[,]", "1 2"),
    ],
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert parse_interval(text) is None


def test_one_form_for_a_number_of_any_type() -> None:
    numbers = [70, -3, 0, None]
    expected = ["70", "-3", "0", None]
    for dtype in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Float32, pl.Float64, pl.Decimal(9, 3)):
        assert texts(pl.Series(numbers, dtype=dtype)).to_list() == expected, dtype
    assert texts(pl.Series(["70", "-3", "0", None])).to_list() == expected
    for dtype in (pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64):
        assert texts(pl.Series([70, 0, None], dtype=dtype)).to_list() == ["70", "0", None]


def test_one_form_for_a_fraction_of_any_type() -> None:
    expected = ["0.5", "-2.25", "1000.125", None]
    values = [0.5, -2.25, 1000.125, None]
    for dtype in (pl.Float32, pl.Float64):
        assert texts(pl.Series(values, dtype=dtype)).to_list() == expected
    made = [None if v is None else Decimal(str(v)) for v in values]
    assert texts(pl.Series(made, dtype=pl.Decimal(20, 9))).to_list() == expected


def test_a_float32_shows_the_digits_it_has() -> None:
    assert texts(pl.Series([0.1, 0.7, 16777216.0], dtype=pl.Float32)).to_list() == [
        "0.1",
        "0.7",
        "16777216",
    ]


@given(st.lists(st.one_of(st.none(), FLOATS), max_size=20))
def test_float_columns_are_written_cell_by_cell(values: list[float | None]) -> None:
    shown = texts(pl.Series(values, dtype=pl.Float64)).to_list()
    assert shown == [None if v is None else number_text(v) for v in values]


def test_decimals_keep_more_digits_than_floats_have() -> None:
    value = Decimal("12345678901234567890.123456789")
    assert texts(pl.Series([value], dtype=pl.Decimal(38, 12))).to_list() == [str(value)]


def test_zeros_at_the_end_of_whole_decimals_stay() -> None:
    assert texts(pl.Series([Decimal("100"), Decimal("1.50")])).to_list() == ["100", "1.5"]


def test_texts_stay_as_they_are() -> None:
    values = ["01234", "1.50", " x ", "", "ü", "1e3", None]
    assert texts(pl.Series(values)).to_list() == values


def test_truth_values_dates_and_times() -> None:
    assert texts(pl.Series([True, None, False])).to_list() == ["true", None, "false"]
    assert texts(pl.Series([dt.date(2024, 2, 29), None])).to_list() == ["2024-02-29", None]
    assert texts(pl.Series([dt.time(1, 2, 3)])).to_list() == ["01:02:03"]
    (moment,) = texts(pl.Series([dt.datetime(2024, 2, 29, 13, 5)])).to_list()
    assert moment.startswith("2024-02-29 13:05:00")


def test_empty_and_all_missing_columns() -> None:
    for dtype in (pl.Float64, pl.Decimal(9, 2), pl.Int64, pl.Boolean, pl.Date, pl.String):
        assert texts(pl.Series([], dtype=dtype)).equals(pl.Series([], dtype=pl.String))
        assert texts(pl.Series([None, None], dtype=dtype)).to_list() == [None, None]
        assert texts(pl.Series([None], dtype=dtype)).dtype == pl.String


def test_one_moment_has_one_form_in_every_time_zone() -> None:
    moment = pl.Series([dt.datetime(2024, 2, 29, 13, 5)]).dt.replace_time_zone("Europe/Berlin")
    elsewhere = moment.dt.convert_time_zone("UTC")
    assert texts(moment).to_list() == texts(elsewhere).to_list()
