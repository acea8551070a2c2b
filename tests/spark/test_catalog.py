"""A release as a table of Spark's catalog: whole and ours, or not there."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.errors import OutputError, ParameterError, PlanError, VerificationError
from shoal.spark import catalog
from shoal.spark.recount import hash_sum

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    warnings.warn("NO TEST OF SPARK RAN: there is no Java on this machine.", stacklevel=1)
    pytest.skip("Spark needs Java", allow_module_level=True)

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


def plan(name: str = NAME, **output: Any) -> shoal.Plan:
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


def run(session: Any, asked: shoal.Plan, folder: Path) -> Any:
    return shoal.spark.anonymize(session.table("clinic.visits"), asked, output=folder)


def marked(session: Any) -> str:
    found = session.sql(f"SHOW TBLPROPERTIES {NAME}").collect()
    return str({each["key"]: each["value"] for each in found}[catalog.RELEASE])


def test_a_release_is_saved_and_replaced_only_by_its_like(clinic: Any, tmp_path: Path) -> None:
    first = run(clinic, plan(), tmp_path / "out")
    assert first.saved == NAME
    assert tables(clinic) == {"published"}
    assert marked(clinic) == first.facts["id"]
    assert hash_sum(clinic.table(NAME)) == hash_sum(first.table(clinic))
    assert clinic.table(NAME).columns == ["age", "town", "a note"]
    # It is there, and nobody said that it may go.
    before = hash_sum(clinic.table(NAME))
    with pytest.raises(OutputError, match=r"'clinic.published' of an earlier release.*replace"):
        run(clinic, plan(), tmp_path / "other")
    with pytest.raises(OutputError, match="the table that it is made from"):
        shoal.spark.anonymize(clinic.table(NAME), plan(replace=True), output=tmp_path / "other")
    assert not (tmp_path / "other").exists()
    assert hash_sum(clinic.table(NAME)) == before
    # What fails after the new table has its name brings the old one back.
    _break_the_folder(clinic, tmp_path / "other")
    assert tables(clinic) == {"published"}
    assert marked(clinic) == first.facts["id"]
    assert hash_sum(clinic.table(NAME)) == before
    fewer = clinic.table("clinic.visits").where("age < 60")
    second = shoal.spark.anonymize(fewer, plan(replace=True), output=tmp_path / "out")
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
            run(clinic, plan(replace=True), folder)
    assert not folder.exists()


def test_a_failure_leaves_neither_table_nor_folder(
    clinic: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = iter([(1, 2), (1, 3)])
    monkeypatch.setattr(catalog, "hash_sum", lambda rows: next(sums))
    with pytest.raises(VerificationError, match="gives back other rows"):
        run(clinic, plan(), tmp_path / "out")
    monkeypatch.setattr(catalog.CatalogTable, "_rename", lambda *_: clinic.table("clinic.none"))
    monkeypatch.setattr(catalog, "hash_sum", lambda rows: 1)
    with pytest.raises(OutputError, match="Nothing was written"):
        run(clinic, plan(), tmp_path / "out")
    assert tables(clinic) == set()
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_ours_is_never_touched(
    clinic: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hash_sum(clinic.table("clinic.visits"))
    clinic.table("clinic.visits").createOrReplaceTempView("view")
    for name, reason in {
        "clinic.visits": "the table that it is made from",
        "view": "the table that it is made from",
        "none.published": "has no database 'none'",
    }.items():
        with pytest.raises(OutputError, match=reason):
            run(clinic, plan(name, replace=True), tmp_path / "out")
    with pytest.raises(OutputError, match="that Shoal did not write"):
        frame = clinic.createDataFrame([(1, "a", "b")], "age int, town string, `a note` string")
        shoal.spark.anonymize(frame, plan("clinic.visits", replace=True), output=tmp_path / "out")
    assert hash_sum(clinic.table("clinic.visits")) == before
    assert list(tmp_path.iterdir()) == []
    # A session of our own would take its catalog away with it.
    monkeypatch.setattr("shoal.spark.release.start", lambda master: nullcontext(clinic))
    asked = plan().to_dict() | {"input": {"spark_table": "clinic.visits"}}
    with pytest.raises(ParameterError, match="would end with this run"):
        shoal.spark.run(shoal.Plan.from_dict(asked), output=tmp_path / "out")


def test_one_machine_writes_no_table_of_a_catalog(tmp_path: Path) -> None:
    rows = {"age": [30] * 8, "town": ["Ulm"] * 8, "a note": ["x"] * 8}
    frame = pl.DataFrame(rows)
    with pytest.raises(ParameterError, match="this run has no Spark"):
        shoal.run(plan(), data=frame, output=tmp_path / "out")
    with pytest.raises(ParameterError, match="this run has no Spark"):
        shoal.anonymize(frame, plan()).write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_plan_names_a_table_and_replaces_only_one(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="name of a table"):
        plan("clinic..x")
    with pytest.raises(PlanError, match="replace is only for spark_table"):
        shoal.Plan.from_dict(plan().to_dict() | {"output": {"replace": True}})
