"""Dates and prepared cells, judged in every form of publication."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.io.frames import Coded
from shoal.judging.verification import verify
from shoal.judging.verification.population import fitting
from shoal.table.schema import Schema

N = 60


def people(seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    births = [date(1940, 1, 1) + timedelta(int(each)) for each in rng.integers(0, 20_000, N)]
    return pl.DataFrame(
        {
            "birth": [day.strftime("%d/%m/%Y") for day in births],
            "pay": rng.integers(1000, 9000, N),
            "ill": rng.choice(["flu", "cold", "gout"], N),
        }
    )


SCHEMA = shoal.Schema(
    {
        "birth": shoal.quasi(kind="date"),
        "pay": shoal.sensitive(round_to=1000),
        "ill": shoal.other(),
    }
)


def failing(made: shoal.Release, tables: Any, **more: Any) -> set[str]:
    found = verify(tables, SCHEMA, made.require, original=people(), rows=made.rows, **more).findings
    return {each.check for each in found if not each.passed}


def test_values_of_two_tables_are_prepared() -> None:
    needs = [shoal.AlphaK(0.5, 2)]
    made = shoal.anonymize(people(), SCHEMA, require=needs, method=shoal.Anatomy(seed=1))
    quasi, values = made.tables["quasi"], made.tables["sensitive"]
    assert set(values["pay"] % 1000) == {0}
    assert not failing(made, made.tables)
    wrong = values.with_columns(pay=values["pay"].scatter(0, values["pay"][0] + 1))
    assert failing(made, {"quasi": quasi, "sensitive": wrong})
    moved = quasi["birth"].to_list()
    moved[3] = "1955-03-17" if moved[3] != "1955-03-17" else "1955-03-18"
    damaged = quasi.with_columns(birth=pl.Series(moved))
    assert failing(made, {"quasi": damaged, "sensitive": values}) == {"cells cover their originals"}


@pytest.mark.parametrize("centre", ["mean", "median"])
def test_centres_of_dates_are_days(centre: Any) -> None:
    form = shoal.publications.from_spec({"form": "microaggregated", "centre": centre})
    made = shoal.anonymize(people(), SCHEMA, require=3, method="mdav", publication=form)
    assert not failing(made, made.table, centres=centre)
    cell = made.table["birth"][0]
    late = (date.fromisoformat(cell) + timedelta(3)).isoformat()
    for other in (late, cell[:4], "soon"):
        damaged = made.table.with_columns(birth=made.table["birth"].replace(cell, other))
        assert failing(made, damaged, centres=centre) == {"cells are the centres of their class"}


def test_people_of_a_population_are_counted_by_their_days() -> None:
    cells = ["1955 to 1964", "1965-03", "1970-01-01 to 1970-01-09", "*"]
    table = Coded(pl.DataFrame({"birth": cells}))
    days = ["1955-01-01", "1964-12-31", "1965-03-31", "1965-04-01", "1970-01-09", "1954-12-31", ""]
    schema = Schema({"birth": shoal.quasi(kind="date")})
    people = Coded(
        pl.DataFrame({"birth": days}).with_columns(pl.col("birth").str.to_date(strict=False))
    )
    found = fitting(table, np.arange(4), schema, people)
    assert found.population.tolist() == [2, 1, 1, 1]
    assert found.elsewhere == 2


def test_k_map_counts_prepared_people() -> None:
    frame = people()
    schema = shoal.Schema(
        {
            "birth": shoal.quasi(age_at="2026-01-01", top=80),
            "pay": shoal.other(round_to=1000),  # the population need not have it
            "ill": shoal.sensitive(),
        }
    )
    whole = pl.concat([frame, people(2)])
    for asked in (schema, schema.with_column("birth", kind="date", age_at=None, top=None)):
        made = shoal.anonymize(
            frame,
            asked,
            require=[shoal.KMap(3)],
            method="full-domain",
            population=whole,
            suppression_limit=0.5,
        )
        assert made.verification.passed
        again = verify(
            made.table, asked, [shoal.KMap(3)], original=frame, rows=made.rows, population=whole
        )
        assert again.achieved == made.verification.achieved
        assert not verify(made.table, asked, [shoal.KMap(3)], original=frame, rows=made.rows).passed


def test_a_tree_of_dates_comes_back_from_the_private_plan(tmp_path: Any) -> None:
    tree = shoal.hierarchies.Dates(levels=("month", "decade"))
    schema = SCHEMA.with_column("birth", hierarchy=tree)
    people().write_csv(tmp_path / "in.csv")
    made = shoal.anonymize(
        tmp_path / "in.csv", schema, require=3, method="full-domain", seed=1, suppression_limit=0.5
    )
    folder = made.write(tmp_path / "out")
    assert all(cell.endswith("s") for cell in made.table["birth"])
    again = shoal.anonymize(
        tmp_path / "in.csv", shoal.Plan.read(tmp_path / "out.private" / "plan.toml")
    )
    assert again.frame.equals(made.frame)
    opened = shoal.open_release(folder)
    assert opened.verify(original=people()).passed
    assert opened.query({"birth": ("1940", "2000")}) == pytest.approx(made.frame.height)
    wrong = shoal.hierarchies.Prefixes()
    with pytest.raises(shoal.errors.HierarchyError, match="that are not ranges of dates"):
        shoal.anonymize(people(), SCHEMA.with_column("birth", hierarchy=wrong), require=3)
