"""Dates and prepared columns on Spark, and releases as tables of its catalog.

They are the rows of one machine, recounted by the rules; a table is whole and ours, or not there.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engines.spark import catalog
from shoal.engines.spark.columns import PUBLISHED
from shoal.engines.spark.publishing import published_alone
from shoal.engines.spark.recount import hash_sum, recount
from shoal.errors import InputError, OutputError, ParameterError, PlanError, VerificationError

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
    assert made.facts["remarks"] == told["remarks"]
    assert any("'seen' (other)" in each for each in told["remarks"])
    assert any("entity" in each for each in told["remarks"]) == (case == "dates")
    for name, value in made.measures.items():
        assert value == pytest.approx(local.measures[name])
    # The private plan says what was asked, so that the recount can be repeated from it.
    kept = shoal.Plan.read(tmp_path / "out.private" / "plan.toml").schema_()
    wanted = asked.schema_()
    assert {n: kept[n].preparation.to_facts() for n in kept} == {
        n: wanted[n].preparation.to_facts() for n in wanted
    }
    assert kept["birth"].format == "%d.%m.%Y"
    if case == "prepared":
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

    # Original cells instead of prepared ones, and ranges that do not cover all.
    cells = f.col(PUBLISHED)
    for name, kind in (("dose", "string"), ("cost", "double"), ("score", "string")):
        cells = cells.withField(name, f.col(f"original.{name}").cast(kind))
    cells = cells.withField("day", f.lit("2024-01-01 to 2024-12-31"))
    cells = cells.withField("birth", f.lit("[91, 120]"))  # nobody is, once they are 90 at most
    found = says(cells)
    for name in ("dose", "cost", "score"):
        assert any(f"values of '{name}'" in each for each in found)
    for name in ("day", "birth"):
        assert any(f"'{name}' in" in each for each in found)


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


NAME = "clinic.published"


@pytest.fixture
def clinic(session: Any) -> Iterator[Any]:
    """Give a database with a table of visits."""
    session.sql("CREATE DATABASE clinic")
    rows = [(20 + i % 50, ["Ulm", "Bonn", "Hof"][i % 3], f"note {i % 7}") for i in range(120)]
    frame = session.createDataFrame(rows, "age int, town string, `a note` string")
    frame.write.saveAsTable("clinic.visits")
    yield session
    session.sql("DROP DATABASE clinic CASCADE")


def saved_as(name: str = NAME, **output: Any) -> shoal.Plan:
    columns = {"age": {"role": "quasi"}, "town": {"role": "quasi"}, "a note": {"role": "other"}}
    return shoal.Plan.from_dict(
        {
            "columns": columns,
            "require": [{"model": "k-anonymity", "k": 4}],
            "method": {"name": "mondrian"},
            "output": {"spark_table": name, **output},
        }
    )


def tables(session: Any) -> set[str]:
    return {each.name for each in session.catalog.listTables("clinic")} - {"visits"}


def release(session: Any, asked: shoal.Plan, folder: Path) -> Any:
    return shoal.spark.anonymize(session.table("clinic.visits"), asked, output=folder)


def marked(session: Any) -> str:
    found = session.sql(f"SHOW TBLPROPERTIES {NAME}").collect()
    return str({each["key"]: each["value"] for each in found}[catalog.RELEASE])


def test_a_release_is_saved_and_replaced_only_by_its_like(clinic: Any, tmp_path: Path) -> None:
    first = release(clinic, saved_as(), tmp_path / "out")
    assert first.saved == NAME
    assert tables(clinic) == {"published"}
    assert marked(clinic) == first.facts["id"]
    assert hash_sum(clinic.table(NAME)) == hash_sum(first.table(clinic))
    assert clinic.table(NAME).columns == ["age", "town", "a note"]
    # It is there, and nobody said that it may go.
    before = hash_sum(clinic.table(NAME))
    with pytest.raises(OutputError, match=r"'clinic.published' of an earlier release.*replace"):
        release(clinic, saved_as(), tmp_path / "other")
    with pytest.raises(OutputError, match="the table it is made from"):
        shoal.spark.anonymize(clinic.table(NAME), saved_as(replace=True), output=tmp_path / "other")
    assert not (tmp_path / "other").exists()
    assert hash_sum(clinic.table(NAME)) == before
    # What fails after the new table has its name brings the old one back.
    _break_the_folder(clinic, tmp_path / "other")
    assert tables(clinic) == {"published"}
    assert marked(clinic) == first.facts["id"]
    assert hash_sum(clinic.table(NAME)) == before
    fewer = clinic.table("clinic.visits").where("age < 60")
    second = shoal.spark.anonymize(fewer, saved_as(replace=True), output=tmp_path / "out")
    assert tables(clinic) == {"published"}
    assert marked(clinic) == second.facts["id"] != first.facts["id"]
    assert clinic.table(NAME).count() == fewer.count()


def _break_the_folder(clinic: Any, folder: Path) -> None:
    """Let the disk refuse the folder at the very end."""

    def refuse(*_: Any) -> None:
        assert len(tables(clinic)) == 2  # the new one has the name, the old one waits
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("shoal.io.atomic._bring_to_disk", refuse)
        with pytest.raises(OutputError, match="No space left"):
            release(clinic, saved_as(replace=True), folder)
    assert not folder.exists()


def test_a_failure_leaves_neither_table_nor_folder(
    clinic: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = iter([(1, 2), (1, 3)])
    monkeypatch.setattr(catalog, "hash_sum", lambda rows: next(sums))
    with pytest.raises(VerificationError, match="are not those that were written"):
        release(clinic, saved_as(), tmp_path / "out")
    monkeypatch.setattr(catalog.CatalogTable, "_rename", lambda *_: clinic.table("clinic.none"))
    monkeypatch.setattr(catalog, "hash_sum", lambda rows: 1)
    with pytest.raises(OutputError, match="Nothing was written"):
        release(clinic, saved_as(), tmp_path / "out")
    assert tables(clinic) == set()
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_ours_is_never_touched(
    clinic: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hash_sum(clinic.table("clinic.visits"))
    clinic.table("clinic.visits").createOrReplaceTempView("view")
    for name, reason in {
        "clinic.visits": "the table it is made from",
        "view": "the table it is made from",
        "none.published": "has no database 'none'",
    }.items():
        with pytest.raises(OutputError, match=reason):
            release(clinic, saved_as(name, replace=True), tmp_path / "out")
    frame = clinic.createDataFrame([(1, "a", "b")], "age int, town string, `a note` string")
    with pytest.raises(OutputError, match="that Shoal did not write"):
        shoal.spark.anonymize(
            frame, saved_as("clinic.visits", replace=True), output=tmp_path / "out"
        )
    assert hash_sum(clinic.table("clinic.visits")) == before
    assert list(tmp_path.iterdir()) == []
    # A session of our own would take its catalog away with it.
    monkeypatch.setattr("shoal.engines.spark.release.start", lambda master: nullcontext(clinic))
    asked = saved_as().to_dict() | {"input": {"spark_table": "clinic.visits"}}
    with pytest.raises(ParameterError, match="would vanish after this run"):
        shoal.spark.run(shoal.Plan.from_dict(asked), output=tmp_path / "out")


def test_signs_of_texts_are_refused_where_columns_have_types(tmp_path: Path) -> None:
    asked = saved_as().to_dict() | {"input": {"path": "x.parquet", "decimal": ","}, "output": {}}
    with pytest.raises(ParameterError, match="have no decimal"):
        shoal.spark.run(shoal.Plan.from_dict(asked), output=tmp_path / "out")


def test_one_machine_writes_no_table_of_a_catalog(tmp_path: Path) -> None:
    rows = {"age": [30] * 8, "town": ["Ulm"] * 8, "a note": ["x"] * 8}
    frame = pl.DataFrame(rows)
    with pytest.raises(ParameterError, match="this run does not use Spark"):
        shoal.run(saved_as(), data=frame, output=tmp_path / "out")
    with pytest.raises(ParameterError, match="this run does not use Spark"):
        shoal.anonymize(frame, saved_as()).write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_plan_names_a_table_and_replaces_only_one() -> None:
    with pytest.raises(PlanError, match="name of a table"):
        saved_as("clinic..x")
    with pytest.raises(PlanError, match="replace is only for spark_table"):
        shoal.Plan.from_dict(saved_as().to_dict() | {"output": {"replace": True}})
