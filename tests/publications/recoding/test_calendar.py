"""The calendar's grid: beside a slow twin, and by hand."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.base.cells import dates_text, parse_dates
from shoal.publications.recoding import generalize
from shoal.publications.recoding.calendar import CalendarStep, calendar_outward, calendar_step
from shoal.table import Table
from tests.examples import examples
from tests.reference import calendar as slow

DAYS = st.dates(date(1900, 1, 1), date(2030, 12, 31))


def as_step(step: str | int) -> CalendarStep:
    return CalendarStep(weeks=1) if step == "week" else CalendarStep(months=int(step))


@settings(max_examples=examples(60), deadline=None)
@given(st.dates(), st.sampled_from(("week", 1, 3, 6, 12, 24, 60)))
def test_steps_begin_and_end_where_the_twin_says(day: date, step: str | int) -> None:
    number = np.array([day.toordinal()])
    made = as_step(step)
    assert made.first(number)[0] == slow.first(day, step).toordinal()
    assert made.last(number)[0] == slow.last(day, step).toordinal()


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(DAYS, min_size=1, max_size=12, unique=True))
def test_the_step_is_the_twin_s(days: list[date]) -> None:
    numbers = np.array(sorted(day.toordinal() for day in days))
    assert calendar_step(numbers) == as_step(slow.step_of(days))


@pytest.mark.parametrize(
    ("first", "last", "step"),
    [
        ((1930, 5, 3), (2005, 7, 9), 60),
        ((1990, 5, 3), (2005, 7, 9), 12),
        ((2024, 5, 3), (2024, 12, 9), 1),
        ((2022, 5, 3), (2025, 7, 9), 3),
        ((2024, 5, 3), (2024, 8, 29), "week"),
        ((2, 5, 3), (2005, 7, 9), 2400),
    ],
)
def test_the_step_follows_the_range(
    first: tuple[int, int, int], last: tuple[int, int, int], step: str | int
) -> None:
    ends = date(*first).toordinal(), date(*last).toordinal()
    numbers = np.unique(np.linspace(*ends, 400).astype(np.int64))
    assert calendar_step(numbers) == as_step(step)


def test_dates_that_are_all_first_of_january_are_hidden_in_more_than_a_year() -> None:
    numbers = np.array([date(year, 1, 1).toordinal() for year in range(1990, 2000)])
    step = calendar_step(numbers)
    assert step.months > 12
    low, high = calendar_outward(numbers[1:2], numbers[3:4], step)
    assert dates_text(int(low[0]), int(high[0])) == "1990 to 1993"


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(DAYS, min_size=4, max_size=30), st.integers(0, 2**32))
def test_ranges_cover_their_group_and_end_on_the_grid(days: list[date], seed: int) -> None:
    schema = shoal.Schema({"birth": shoal.quasi(kind="date")})
    table = Table.encode(pl.DataFrame({"birth": days}), schema)
    labels = np.random.default_rng(seed).integers(0, 3, len(days))
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    shown = generalize(table, shoal.Grouping(labels)).columns[0]
    words = shown.texts()
    step = calendar_step(np.unique([day.toordinal() for day in days]))
    for row, day in enumerate(days):
        found = parse_dates(words[shown.index[row]])
        assert found is not None
        assert found.lo <= day.toordinal() <= found.hi
        mine = {other for other, label in zip(days, labels, strict=True) if label == labels[row]}
        if len(mine) == 1:
            assert found.lo == found.hi
        else:
            ends = np.array([found.lo]), np.array([found.hi])
            assert (step.first(ends[0])[0], step.last(ends[1])[0]) == (found.lo, found.hi)
            # No narrower: a step less would miss somebody.
            least, largest = min(mine).toordinal(), max(mine).toordinal()
            assert step.last(ends[0])[0] >= least
            assert step.first(ends[1])[0] <= largest


def test_what_is_not_published_does_not_move_the_grid() -> None:
    days = [date(1990, month, 5) for month in range(1, 13)] + [date(1800, 1, 3)]
    schema = shoal.Schema({"birth": shoal.quasi(kind="date")})
    labels = np.array([0] * 6 + [1] * 6 + [-1], dtype=np.int32)
    shown = [
        generalize(Table.encode(pl.DataFrame({"birth": days[:rows]}), schema), grouping)
        .columns[0]
        .texts()
        for rows, grouping in ((13, shoal.Grouping(labels)), (12, shoal.Grouping(labels[:12])))
    ]
    assert shown[0] == shown[1] == ["1990-01 to 1990-06", "1990-07 to 1990-12"]
