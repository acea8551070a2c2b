"""How a column is spread, in a few bins."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from shoal.io.frames import Dictionary
from shoal.steward.proposal import Appearance, distribution


def test_numbers_lie_in_bins_with_round_ends() -> None:
    found = distribution(pl.Series([17, 90, 34, 35, 39]), Appearance.INTEGER)
    assert found.labels[0] == "10 to 19"
    assert found.labels[-1] == "90 to 99"
    assert sum(found.counts) == 5
    assert found.counts[2] == 3
    assert found.ordered


@pytest.mark.parametrize("scale", [1e-9, 0.01, 1.0, 1e6, 1e14])
@pytest.mark.parametrize("shift", [0.0, -1.0, 3.0])
def test_bins_are_few_and_hold_every_cell(scale: float, shift: float) -> None:
    random = np.random.default_rng(5)
    numbers = (random.random(500) + shift) * scale
    found = distribution(pl.Series(numbers), Appearance.DECIMAL)
    assert 3 <= len(found.labels) <= 12
    assert sum(found.counts) == 500
    assert len(set(found.labels)) == len(found.labels)


def test_few_whole_numbers_have_a_bin_each() -> None:
    found = distribution(pl.Series(["2", "0", "", "2"]), Appearance.INTEGER, [""])
    assert found.labels == ("0", "1", "2")
    assert found.counts == (1, 0, 2)
    assert distribution(pl.Series([2.5, 2.5]), Appearance.DECIMAL).counts == (2,)


def test_the_rest_of_the_categories_is_one_bin() -> None:
    values = pl.Series([f"v{i:02}" for i in range(30) for _ in range(i + 1)] + ["?"] * 99)
    found = distribution(values, Appearance.CATEGORY, ["?"])
    assert len(found.labels) == 12
    assert found.labels[0] == "v29"
    assert found.joined == 30 - 11
    assert sum(found.counts) == sum(range(31))
    assert not found.ordered


def test_a_dictionary_gives_the_same() -> None:
    values = pl.Series(["b", "a", None, "b"])
    found = distribution(Dictionary.of(values), Appearance.CATEGORY)
    assert found == distribution(values, Appearance.CATEGORY)
    assert found.counts == (2, 1)


def test_values_that_never_repeat_have_no_picture() -> None:
    assert distribution(pl.Series([f"n{i}" for i in range(20)]), Appearance.CODE).labels == ()
    assert distribution(pl.Series([None, ""]), Appearance.NOTHING, [""]).labels == ()


@pytest.mark.parametrize(
    ("span", "first"),
    [
        (5, "2020-02-01"),
        (200, "2020-02"),
        (700, "2020-01 to 2020-03"),
        (3000, "2020"),
        (9000, "2020 to 2024"),
        (40000, "2020 to 2029"),
    ],
)
def test_dates_are_counted_by_days_months_or_years(span: int, first: str) -> None:
    days = [date(2020, 2, 1) + timedelta(days=i) for i in range(0, span, max(span // 100, 1))]
    for values in (pl.Series(days), pl.Series([day.strftime("%d.%m.%Y") for day in days])):
        found = distribution(values, Appearance.DATE)
        assert found.labels[0] == first
        assert 3 <= len(found.labels) <= 12
        assert sum(found.counts) == len(days)


def test_dates_of_all_times_are_counted() -> None:
    found = distribution(pl.Series([date(1, 1, 1), date(9999, 12, 31)]), Appearance.DATE)
    assert sum(found.counts) == 2
