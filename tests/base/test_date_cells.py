"""Ranges of dates as cells show them: one text per range, and back."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, strategies as st

from shoal.base.cells import dates_text, parse_dates, parse_interval
from shoal.judging.verification.dates import cell_days

DAYS = st.dates()


def ends(text: str) -> tuple[date, date] | None:
    found = parse_dates(text)
    return None if found is None else (date.fromordinal(found.lo), date.fromordinal(found.hi))


@given(DAYS, DAYS)
def test_a_range_comes_back_and_is_no_number(one: date, other: date) -> None:
    first, last = sorted((one, other))
    text = dates_text(first.toordinal(), last.toordinal())
    assert ends(text) == (first, last)
    assert cell_days(text) == (first, last)
    assert parse_interval(text) is None or len(text) == 4  # a year alone reads as a number, too


@given(st.integers(1, 9999), st.integers(1, 12), st.integers(0, 40))
def test_whole_months_and_years_come_back(year: int, month: int, more: int) -> None:
    first = date(year, month, 1)
    after = year * 12 + month + more
    if after // 12 > 9999:
        return
    last = date.fromordinal(date(after // 12, after % 12 + 1, 1).toordinal() - 1)
    text = dates_text(first.toordinal(), last.toordinal())
    assert ends(text) == cell_days(text) == (first, last)
    assert len(text) in (4, 7, len("1955 to 1964"), len("1955-03 to 1956-07"))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1955 to 1964", (1955, 1, 1), (1964, 12, 31)),
        ("1955-03 to 1956-07", (1955, 3, 1), (1956, 7, 31)),
        ("1955-03-02 to 1955-03-09", (1955, 3, 2), (1955, 3, 9)),
        ("1955", (1955, 1, 1), (1955, 12, 31)),
        ("1956-02", (1956, 2, 1), (1956, 2, 29)),
        ("1955-03-02", (1955, 3, 2), (1955, 3, 2)),
    ],
)
def test_by_hand(text: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    assert dates_text(date(*first).toordinal(), date(*last).toordinal()) == text
    assert ends(text) == cell_days(text) == (date(*first), date(*last))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1955-Q1", (1955, 1, 1), (1955, 3, 31)),
        ("1950s", (1950, 1, 1), (1959, 12, 31)),
        ("0000s", (1, 1, 1), (9, 12, 31)),
        ("9990s", (9990, 1, 1), (9999, 12, 31)),
        ("9999-Q4", (9999, 10, 1), (9999, 12, 31)),
        ("1955 to 1956-07", (1955, 1, 1), (1956, 7, 31)),
        ("1955-03-02 00:00:00", (1955, 3, 2), (1955, 3, 2)),
    ],
)
def test_other_ways_of_writing_are_read(
    text: str, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    assert ends(text) == cell_days(text) == (date(*first), date(*last))


NO_DATES = (
    *("", "*", "soon", "55", "[1955, 1964]", "1955s", "1955-13", "1955-02-30", "1955-Q5"),
    *("0000", "1964 to 1955", "1955 to", "1955 to 1960 to 1964", "1955-3-2", "1955-03-02 12:00"),
    "١٩٥٥",
)


@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date_is_refused_by_both_readers(text: str) -> None:
    assert parse_dates(text) is None
    assert cell_days(text) is None


@given(st.text(alphabet="0123456789-Qs to", max_size=24))
def test_both_readers_agree_on_any_text(text: str) -> None:
    assert ends(text) == cell_days(text)
