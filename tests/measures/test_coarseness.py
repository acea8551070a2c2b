"""What became of a column, beside counting cell by cell."""

from __future__ import annotations

from statistics import median_low

import polars as pl
import pytest

import shoal
from shoal.base.cells import parse_interval
from shoal.measures import coarseness


@pytest.fixture(scope="module")
def release() -> shoal.Release:
    adult = shoal.datasets.adult().sample(400, seed=2)
    return shoal.anonymize(
        adult.select("age", "workclass", "sex"),
        k=15,
        quasi=["age", "workclass", "sex"],
        method=shoal.GAACP(seed=1),
    )


def test_the_median_is_that_of_all_cells(release: shoal.Release) -> None:
    found = coarseness(release.pair)
    widths = []
    ages = release.source["age"]
    for cell in release.frame["age"]:
        read = parse_interval(cell)
        wide = float(ages.max()) - float(ages.min())  # type: ignore[arg-type]
        widths.append(wide if read is None else read.hi - read.lo)
    assert found["age"].width == median_low(widths)
    assert found["age"].values is None
    work = found["workclass"]
    assert work.of == release.source["workclass"].drop_nulls().n_unique()
    known = release.source["workclass"][release.rows].is_not_null()
    starred = (release.frame["workclass"] == "*").filter(known).mean()
    assert work.starred == pytest.approx(starred)


def test_a_column_that_is_lost_is_named_so(release: shoal.Release) -> None:
    lost = shoal.anonymize(
        release.source, k=200, quasi=["age", "workclass", "sex"], method=shoal.GAACP(seed=1)
    )
    found = coarseness(lost.pair)
    assert found["workclass"].is_lost
    assert found["workclass"].typical == "*"
    assert not coarseness(release.pair)["sex"].is_lost


def test_a_star_is_as_wide_as_its_column() -> None:
    original = pl.DataFrame({"age": [30, 31, 50, 60, 70]})
    shown = pl.DataFrame({"age": ["[30, 40]", "[30, 40]", "*", "*", "*"]})
    pair = shoal.measures.pair(original, shown, shoal.Schema({"age": shoal.quasi()}))
    found = coarseness(pair)["age"]
    assert (found.width, found.typical) == (40, "*")
