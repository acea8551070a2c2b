"""Cells as they come in: dates read, ages counted, numbers rounded and cut off."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.base.cells import number_text
from shoal.errors import InputError
from shoal.io.frames import Coded
from shoal.judging.verification.preparing import _written, prepared_anew
from shoal.table.dates import FORMATS, date_format, to_dates
from shoal.table.preparing import ages, prepared, rounded
from shoal.table.schema import Column, Schema
from tests.examples import examples
from tests.reference import calendar as slow

DAY = date(2026, 3, 1)


def both(column: Column, values: list[Any], **missing: Any) -> tuple[list[Any], list[Any]]:
    """Prepare one column by either code; the second is verification's own."""
    table = Coded(pl.DataFrame({"x": values}))
    schema = Schema({"x": column}, **missing)
    made = (each(table, schema)[0].frame["x"].to_list() for each in (prepared, prepared_anew))
    one, other = made
    return one, other


@given(st.lists(st.dates(date(1880, 1, 1), DAY), min_size=1, max_size=9))
def test_ages_are_those_of_the_twin(births: list[date]) -> None:
    wanted = [slow.age(birth, DAY) for birth in births]
    assert ages(pl.Series(births), DAY).to_list() == wanted
    one, other = both(shoal.quasi(age_at=DAY), births)
    assert one == other == wanted


@pytest.mark.parametrize(
    ("birth", "at", "age"),
    [
        ((1990, 1, 1), (2026, 1, 1), 36),
        ((1990, 1, 2), (2026, 1, 1), 35),
        ((1992, 2, 29), (2025, 2, 28), 32),
        ((1992, 2, 29), (2025, 3, 1), 33),
        ((1992, 2, 29), (2024, 2, 29), 32),
        ((2026, 1, 1), (2026, 1, 1), 0),
    ],
)
def test_ages_by_hand(birth: tuple[int, int, int], at: tuple[int, int, int], age: int) -> None:
    assert both(shoal.quasi(age_at=date(*at)), [date(*birth)]) == ([age], [age])


@settings(max_examples=examples(150))
@given(
    st.lists(
        st.one_of(st.integers(-(2**40), 2**40), st.decimals(-9999, 9999, places=3).map(float)),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([1, 5, 100, 7, 0.5, 0.1, 0.25, 1e-3, 10**9]),
)
def test_numbers_are_rounded_as_the_twin_does(values: list[float], step: float) -> None:
    column = pl.Series("x", values, dtype=pl.Float64, strict=False)
    wanted = [
        float(slow.nearest(Fraction(number_text(v)), Fraction(number_text(step))))
        for v in column.to_list()
    ]
    assert rounded(column, step).to_list() == wanted
    one, other = both(shoal.quasi(round_to=step), column.to_list())
    assert [float(v) for v in one] == [float(v) for v in other] == wanted


@given(st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=6), st.integers(1, 10**6))
def test_whole_numbers_stay_whole(values: list[int], step: int) -> None:
    one, other = both(shoal.quasi(round_to=step), values)
    assert one == other == [int(slow.nearest(Fraction(v), Fraction(step))) for v in values]


def test_rounding_by_hand() -> None:
    assert rounded(pl.Series([149, 150, 151, -150, -151]), 100).to_list() == [
        *(100, 200, 200),
        *(-100, -200),
    ]


@given(st.lists(st.integers(0, 120), min_size=1, max_size=8))
def test_ends_are_cut_off(values: list[int]) -> None:
    one, other = both(shoal.quasi(top=90, bottom=18), values)
    assert one == other == [min(max(value, 18), 90) for value in values]


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(st.dates(date(1000, 1, 1), date(2999, 12, 31)), min_size=1, max_size=6),
    st.sampled_from([*FORMATS, "%d.%m.%y", "%H:%M %d. %B %Y", "%b-%d-%y 100%%"]),
    st.booleans(),
)
def test_dates_are_read_as_they_were_written(days: list[date], written: str, timed: bool) -> None:
    if "%y" in written:
        days = [day.replace(year=1969 + day.year % 100, day=min(day.day, 28)) for day in days]
    texts = [day.strftime(written) for day in days]
    if timed and "%H" not in written:
        texts = [f"{text} 08:15:01" for text in texts]
    series = pl.Series("x", texts)
    assert to_dates(series, series.is_null(), written).to_list() == days
    assert [_written(text, written) for text in texts] == days


@settings(max_examples=examples(200))
@given(
    st.text(alphabet="0123456789.-/ :TJanMr%", max_size=14),
    st.sampled_from([*FORMATS, "%d.%m.%y", "%d%m%y", "%H:%M %d %b %Y"]),
)
def test_both_readers_take_and_refuse_the_same_texts(text: str, written: str) -> None:
    series = pl.Series("x", [text])
    mine: date | None
    try:
        (mine,) = to_dates(series, series.is_null(), written).to_list()
    except InputError:
        mine = None
    assert _written(text, written) == mine


@pytest.mark.parametrize(
    ("cells", "written"),
    [
        (["1955-03-17", "1960-11-02"], "%Y-%m-%d"),
        (["17.3.1955", "2.11.1960"], "%d.%m.%Y"),
        (["03/17/1955", "02/11/1960"], "%m/%d/%Y"),
        (["17/03/1955", "02/11/1960"], "%d/%m/%Y"),
        (["05/05/1955"], "%d/%m/%Y"),  # either way the same day
        (["19550317"], "%Y%m%d"),
        (["17 Mar 1955", "2 MAY 1960"], "%d %b %Y"),
        (["1955-03-17T10:00:00"], "%Y-%m-%d"),
    ],
)
def test_the_way_of_writing_is_found(cells: list[str], written: str) -> None:
    assert date_format(pl.Series("x", cells)) == written


def test_two_ways_of_writing_are_asked_about() -> None:
    with pytest.raises(InputError) as caught:
        date_format(pl.Series("birth", ["01/02/1955", "03/04/1955"]))
    assert "'birth' may be written as %d/%m/%Y or as %m/%d/%Y" in caught.value.problem
    assert 'format = "%d/%m/%Y"' in caught.value.hint


def test_cells_that_are_no_dates_are_counted_and_not_shown() -> None:
    frame = pl.DataFrame({"x": ["17.3.1955", "soon", "soon", "31.2.1999"], "y": list("abab")})
    for options in ({"kind": "date"}, {"age_at": "2026-01-01"}):
        with pytest.raises(InputError) as caught:
            shoal.anonymize(frame, {"x": {"role": "quasi", **options}, "y": "sensitive"}, require=2)
        assert caught.value.problem == "Column 'x' is to hold dates, but 3 cells are no dates."
        assert "soon" not in str(caught.value)


def test_births_after_the_day_are_counted() -> None:
    frame = pl.DataFrame({"x": ["17.3.1955", "2.1.2026", "2.1.2026"]})
    with pytest.raises(InputError) as caught:
        prepared(Coded(frame), Schema({"x": shoal.quasi(age_at="2026-01-01")}))
    assert caught.value.problem == "Column 'x' holds 2 dates after age_at = 2026-01-01."
    with pytest.raises(InputError, match="after age_at = 2026-01-01"):
        prepared_anew(Coded(frame), Schema({"x": shoal.quasi(age_at="2026-01-01")}))


def test_cells_that_are_no_numbers_are_counted() -> None:
    frame = pl.DataFrame({"x": ["17", "much", "much"]})
    for column in (shoal.sensitive(round_to=5), shoal.quasi(top=5)):
        with pytest.raises(InputError, match="2 cells are not numbers") as caught:
            prepared(Coded(frame), Schema({"x": column}))
        assert "much" not in str(caught.value)
        with pytest.raises(InputError, match="2 cells that are no numbers"):
            prepared_anew(Coded(frame), Schema({"x": column}))


def test_missing_cells_stay_as_they_were() -> None:
    texts = ["1234", "NA", "", "99"]
    one, other = both(shoal.sensitive(round_to=100, missing=["NA", ""]), texts)
    assert one == other == ["1200", "NA", "", "100"]
    one, other = both(shoal.sensitive(bottom=0, missing=["-9"]), [5, -9, -3])
    assert one == other == [5, -9, 0]
    one, other = both(shoal.quasi(bottom=0, missing=["-9"]), [5, -9, -3])
    assert one == other == [5, None, 0]
    one, other = both(shoal.quasi(kind="date"), ["17.3.1955", "", "*"])
    assert one == other == [date(1955, 3, 17), None, None]


def test_a_number_does_not_become_a_missing_one() -> None:
    with pytest.raises(InputError, match="1 cell of column 'x' would become a text that means"):
        both(shoal.sensitive(round_to=100, missing=["0"]), [30, 130])


def test_typed_columns() -> None:
    days = [date(1955, 3, 17), None]
    for values in (days, [datetime(1955, 3, 17, 23, 59), None]):
        assert both(shoal.quasi(kind="date"), values) == (days, days)
        assert both(shoal.quasi(age_at="2026-01-01"), values) == ([70, None], [70, None])
    away = pl.Series("x", [datetime(1955, 3, 17, 1)]).dt.replace_time_zone("Asia/Tokyo")
    assert both(shoal.quasi(kind="date"), away)[0] == [date(1955, 3, 17)]  # type: ignore[arg-type]
    assert both(shoal.quasi(kind="date"), [19550317])[1] == [date(1955, 3, 17)]
    with pytest.raises(InputError, match="but holds Float64"):
        both(shoal.quasi(kind="date"), [1.5])


def test_doing_it_twice_changes_nothing() -> None:
    schema = Schema({"x": shoal.quasi(age_at="2026-01-01", top=90), "y": shoal.quasi(kind="date")})
    table = Coded(pl.DataFrame({"x": ["1.1.1930", "1.1.1990"], "y": ["1.1.1930", ""]}))
    once = prepared(table, schema)
    twice = prepared(*once)
    assert once[0].frame.equals(twice[0].frame)
    assert dict(once[1]) == dict(twice[1])
