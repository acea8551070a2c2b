"""Columns of dates and prepared ones on Spark: the rows of one machine, recounted by the rules."""

from __future__ import annotations

import shutil
import warnings
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import InputError
from shoal.spark.columns import PUBLISHED
from shoal.spark.publishing import published_alone
from shoal.spark.recount import recount

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    warnings.warn("NO TEST OF SPARK RAN: there is no Java on this machine.", stacklevel=1)
    pytest.skip("Spark needs Java", allow_module_level=True)

N = 700


def visits(seed: int = 4) -> pl.DataFrame:
    rng = np.random.default_rng(seed)

    def days(first: date, span: int) -> list[date]:
        return [first + timedelta(days=int(each)) for each in rng.integers(0, span, N)]

    def holes(cells: list[Any], hole: Any) -> list[Any]:
        return [hole if i % 89 == 0 else each for i, each in enumerate(cells)]

    births = days(date(1930, 1, 1), 30_000)
    costs = [Decimal(int(each)) / 100 for each in rng.integers(0, 90_000, N)]
    return pl.DataFrame(
        {
            "id": rng.integers(0, N // 2, N),
            "birth": holes([f"{d.day}.{d.month}.{d.year}" for d in births], "n/a"),
            "day": holes(days(date(2024, 1, 1), 400), None),
            "pay": holes(np.round(rng.lognormal(7, 0.6, N), 2).tolist(), -9.0),
            "town": rng.choice(["Ulm", "Bonn", "Kiel", "Jena"], N),
            "bill": holes(rng.integers(0, 9_000, N).tolist(), None),
            "dose": holes([str(each) for each in rng.choice([0.4, 1, 1.25, 2.5, 7], N)], "?"),
            "cost": pl.Series(holes(costs, None), dtype=pl.Decimal(10, 2)),
            "score": holes([str(each) for each in rng.integers(0, 200, N)], ""),
            "seen": days(date(2024, 1, 1), 400),
        }
    )


def plan(columns: dict[str, Any], **others: Any) -> shoal.Plan:
    every: dict[str, Any] = {name: {"role": "identifier"} for name in visits().columns}
    made = {
        "columns": every | columns,
        "require": [{"model": "k-anonymity", "k": 4}],
        "method": {"name": "gaa-cp", "seed": 3},
        "blocks": 2,
    }
    return shoal.Plan.from_dict({**made, **others})


QUASI = {"role": "quasi"}
UNTOUCHED = {
    "dose": {"role": "sensitive", "round_to": 0.5, "top": 5, "missing": ["?"]},
    "cost": {"role": "other", "round_to": 0.1},
    "score": {"role": "other", "bottom": 20, "top": 90},
    "seen": {"role": "other"},
}
CASES = {
    "dates": plan(
        {
            "birth": {**QUASI, "kind": "date", "missing": ["n/a"]},
            "day": {**QUASI, "kind": "date"},
            "town": QUASI,
            "bill": {"role": "sensitive", "round_to": 100, "top": 5000},
            **UNTOUCHED,
        },
    ),
    "prepared": plan(
        {
            "birth": {**QUASI, "age_at": "2026-01-01", "top": 90, "missing": ["n/a"]},
            "day": {**QUASI, "kind": "date", "hierarchy": {"builder": "dates"}},
            "pay": {**QUASI, "round_to": 50, "top": 3000, "missing": ["-9"]},
            "bill": {
                "role": "sensitive",
                "round_to": 500,
                "hierarchy": {"builder": "auto", "fan_out": 3},
            },
            **UNTOUCHED,
        },
        entity="id",
        require=[
            {"model": "k-anonymity", "k": 3},
            {"model": "l-diversity", "l": 2, "column": "bill"},
        ],
    ),
}


def rows_of(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return sorted(frame.rows(), key=repr)


def on_spark(session: Any, frame: pl.DataFrame, asked: shoal.Plan, folder: Path) -> Any:
    place = folder.parent / "input.parquet"
    frame.sample(fraction=1, shuffle=True, seed=1).write_parquet(place)
    return shoal.spark.anonymize(session.read.parquet(str(place)), asked, output=folder)


@pytest.mark.parametrize("case", CASES)
def test_both_engines_publish_the_same_rows(session: Any, tmp_path: Path, case: str) -> None:
    frame, asked = visits(), CASES[case]
    made = on_spark(session, frame, asked, tmp_path / "out")
    local = shoal.anonymize(frame, asked)
    opened = shoal.open_release(tmp_path / "out")
    assert dict(opened.table.schema) == dict(local.table.schema)
    assert rows_of(opened.table.select(local.table.columns)) == rows_of(local.table)
    assert made.blocks == local.blocks > 1
    assert made.verification.achieved == local.verification.achieved
    told = local.facts()
    for key in ("columns", "kinds", "prepared", "missing_texts"):
        assert made.facts.get(key) == told.get(key)
    for name, value in made.measures.items():
        assert value == pytest.approx(local.measures[name])
    # The private plan says what was asked, so that the recount can be repeated from it.
    kept = shoal.Plan.read(tmp_path / "out.private" / "plan.toml").schema_()
    wanted = asked.schema_()
    assert {n: kept[n].preparation.to_facts() for n in kept} == {
        n: wanted[n].preparation.to_facts() for n in wanted
    }
    assert kept["birth"].format == "%d.%m.%Y"
    _a_cell_that_is_not_prepared_is_found(session, tmp_path, asked)


def _a_cell_that_is_not_prepared_is_found(session: Any, tmp_path: Path, asked: shoal.Plan) -> None:
    from pyspark.sql import functions as f

    source = session.read.parquet(str(tmp_path / "input.parquet"))
    private = session.read.parquet(str(tmp_path / "out.private" / "rows.parquet"))
    known = shoal.Plan.read(tmp_path / "out.private" / "plan.toml").schema_()

    def says(cells: Any) -> list[str]:
        wrong = private.withColumn(PUBLISHED, cells)
        alone = published_alone(wrong)
        return recount(
            alone, wrong, source, private.where("false"), known, asked.requirements()
        ).reasons()

    assert says(f.col(PUBLISHED)) == []
    # Original cells instead of prepared ones, and a range that ends a day too soon.
    cells = f.col(PUBLISHED)
    for name, kind in (("dose", "string"), ("cost", "double"), ("score", "string")):
        cells = cells.withField(name, f.col(f"original.{name}").cast(kind))
    cells = cells.withField("day", f.lit("2024-01-01 to 2024-12-31"))
    found = says(cells)
    for name in ("dose", "cost", "score"):
        assert any(f"values of '{name}'" in each for each in found)
    assert any("'day' in" in each for each in found)


def test_cells_that_are_no_dates_are_refused(session: Any, tmp_path: Path) -> None:
    frame = session.createDataFrame([("1.2.1990",), ("soon",)], "birth string")
    asked = shoal.Plan.from_dict(
        {
            "columns": {"birth": {"role": "quasi", "kind": "date"}},
            "require": [{"model": "k-anonymity", "k": 2}],
        }
    )
    with pytest.raises(InputError, match=r"'birth' is to hold dates, but 1 cell is no date"):
        shoal.spark.anonymize(frame, asked, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
