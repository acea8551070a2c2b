"""Dates and columns of many values: a bounded width, alike in original and published tables."""

from __future__ import annotations

import time
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.judging.utility import utility
from shoal.judging.utility.features import (
    MANY,
    Numbers,
    Space,
    large_columns,
    original_cells,
    published_cells,
)
from shoal.judging.utility.ranges import ranges_of
from shoal.publications.recoding import parse
from shoal.table import Table
from shoal.table.hierarchies import Dates, Hierarchy, Intervals, Prefixes

DATES = 3709


def with_dates(n: int = 6000, seed: int = 0) -> pl.DataFrame:
    """Make rows with 3,709 different dates; younger people are ill less often."""
    rng = np.random.default_rng(seed)
    days = np.sort(rng.choice(25_000, DATES, replace=False))
    which = rng.permutation(np.append(np.arange(DATES), rng.integers(0, DATES, n - DATES)))
    born = [date(1940, 1, 1) + timedelta(days=int(day)) for day in days[which]]
    odds = 1 / (1 + np.exp((days[which] - 12_500) / 3000))
    return pl.DataFrame(
        {
            "born": [each.isoformat() for each in born],
            "sex": rng.choice(["f", "m"], n),
            "ill": np.where(rng.random(n) < odds, "yes", "no"),
        }
    )


SCHEMA = shoal.Schema(
    {"born": shoal.quasi(hierarchy=Dates()), "sex": shoal.quasi(), "ill": shoal.sensitive()}
)


def test_thousands_of_dates_are_learnt_from_within_seconds() -> None:
    frame = with_dates()
    years = frame.with_columns(pl.col("born").str.slice(0, 4))
    began = time.process_time()
    scores = utility(frame, years, SCHEMA, "ill")
    assert time.process_time() - began < 30  # it did not end within minutes
    found = {(s.model, s.trained_on): s.mean for s in scores if s.measure == "auc"}
    for (_, trained_on), area in found.items():
        assert area > (0.49 if trained_on == "baseline" else 0.75)
    # A year tells nearly as much as a day: models of the release are no worse.
    assert found["naive-bayes", "release"] == pytest.approx(
        found["naive-bayes", "original"], abs=0.01
    )


def test_nodes_and_sets_of_dates_are_the_middle_of_their_ranges() -> None:
    first = date(1950, 1, 1)
    days = [(first + timedelta(days=d)).isoformat() for d in range(600)]
    by_prefix = {
        "to": [[day, f"{day[:4]} to 1964", "*"] for day in days],
        "star": [[day, f"{day[:3]}*", "every"] for day in days],
        "back": [[day, day[:4], "*"] for day in reversed(days)],  # not in order of time
    }
    shown = {
        "to": ["1950 to 1964", "*", days[3]],
        "star": ["195*", "every", "{" + ", ".join(days[2:5]) + "}"],
        "back": ["1951", "{" + f"{days[9]}, {days[11]}" + "}", days[0]],
    }
    start = first.toordinal()
    expected = {
        "to": [start + 182.0, np.nan, start + 3.0],
        "star": [start + 299.5, np.nan, start + 3.0],
        "back": [start + (365 + 599) / 2, start + 10.0, start + 0.0],
    }
    for name, paths in by_prefix.items():
        schema = shoal.Schema({"born": shoal.quasi(hierarchy=Hierarchy.from_paths(paths))})
        table = Table.encode(pl.DataFrame({"born": days}), schema)
        recoded = parse(table, pl.DataFrame({"born": shown[name]}), rows=np.arange(3))
        large = large_columns(table, recoded)
        (mine,) = original_cells(table, large=large)
        (theirs,) = published_cells(table, recoded, large=large)
        assert isinstance(mine, Numbers)
        assert isinstance(theirs, Numbers)
        # "every" is the root, and so are the sets' nodes: they say what their values say.
        assert np.array_equal(theirs.values, expected[name], equal_nan=True), name
        assert mine.values.tolist() == [start + d for d in range(600)]


@pytest.mark.parametrize(
    "texts",
    [
        [f"{d % 28 + 1:02}.{d % 12 + 1:02}.{1900 + d % 100}" for d in range(800)],
        [f"{1000 + d}-{d % 12 + 1:02}" for d in range(300)],
        [f"2020-01-01 {d // 60:02}:{d % 60:02}" for d in range(600)],
    ],
    ids=["written", "months", "times"],
)
def test_dates_of_several_forms_are_read(texts: list[str]) -> None:
    ranges = ranges_of(Hierarchy.flat(dict.fromkeys(texts)))
    assert ranges is not None
    assert len(np.unique(ranges.middle)) > 200


def test_codes_and_words_are_no_dates() -> None:
    assert ranges_of(Prefixes().build(pl.Series([str(8000 + d) for d in range(300)]))) is None
    assert ranges_of(Hierarchy.flat([f"word {d}" for d in range(300)])) is None
    mixed = ["1955-01-01", "soon"]
    assert ranges_of(Hierarchy.flat(mixed)) is None


def test_numbers_in_trees_of_intervals_are_numbers() -> None:
    values = pl.Series([str(d) for d in range(400)])
    ranges = ranges_of(Intervals(width=10).build(values))
    assert ranges is not None
    assert ranges.middle[0] == 199.5


def codes(n: int = 2000) -> tuple[pl.DataFrame, shoal.Schema]:
    rng = np.random.default_rng(5)
    zips = np.arange(n) + 10_000
    frame = pl.DataFrame(
        {
            "zip": [str(each) for each in zips],
            "ill": np.where((zips < 11_000) ^ (rng.random(n) < 0.1), "yes", "no"),
        }
    )
    schema = shoal.Schema({"zip": shoal.quasi(hierarchy=Prefixes()), "ill": shoal.sensitive()})
    return frame, schema


def test_a_column_of_many_codes_has_a_bounded_width() -> None:
    frame, schema = codes()
    table = Table.encode(frame, schema)
    published = frame.with_columns(
        pl.when(pl.int_range(pl.len()) % 4 > 0)
        .then(pl.col("zip").str.slice(0, 4) + "*")
        .otherwise(pl.col("zip").str.slice(0, 2) + "***")
    )
    recoded, rows = parse(table, published), np.arange(table.n_rows)
    assert not large_columns(table, recoded)
    mine, theirs = original_cells(table), published_cells(table, recoded)
    for cells in (mine, theirs):
        space = Space.span(cells, rows)
        assert space.read(cells, rows).shape[1] <= MANY
    # A cell's features are on for every value below it, shared or not.
    learnt, tested = space.read(theirs, rows), space.read(mine, rows)
    assert (tested >= learnt).all()
    assert learnt.any(axis=1).all()
    alone = Space.span(mine, rows).read(mine, rows)
    assert (alone.sum(axis=1) == 1).all()


def test_shared_features_do_not_depend_on_other_values() -> None:
    frame, schema = codes()
    table = Table.encode(frame, schema)
    cells = original_cells(table)
    some, rows = np.arange(0, 2000, 2), np.arange(0, 2000, 100)
    few, all_ = (Space.span(cells, each).read(cells, rows) for each in (some, np.arange(2000)))
    # Which rows share a feature, among those that have none of their own.
    shared = [(made @ made.T > 0)[8:, 8:] for made in (few[:, :], all_[:, :])]
    assert np.array_equal(*shared)


def test_small_columns_stay_as_they_were() -> None:
    days = [f"1955-{m:02}-{d:02}" for m in range(1, 10) for d in range(1, 29)]
    assert len(days) <= MANY
    table = Table.encode(
        pl.DataFrame({"born": days}), shoal.Schema({"born": shoal.quasi(hierarchy=Dates())})
    )
    assert not large_columns(table, parse(table, pl.DataFrame({"born": days})))
    cells, rows = original_cells(table), np.arange(len(days))
    assert Space.span(cells, rows).read(cells, rows).shape[1] == len(days)
