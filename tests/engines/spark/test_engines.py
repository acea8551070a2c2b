"""One machine and Spark: the same plan gives the same rows, verified; or nothing at all."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
import warnings
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import io
from shoal.engines.spark.columns import PUBLISHED
from shoal.engines.spark.publishing import published_alone
from shoal.engines.spark.recount import recount
from shoal.engines.spark.session import _started
from shoal.errors import InfeasibleError, InputError, OutputError, ParameterError, SchemaError
from shoal.release.writing import targets
from tests.processes import workers

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    warnings.warn("NO TEST OF SPARK RAN: there is no Java on this machine.", stacklevel=1)
    pytest.skip("Spark needs Java", allow_module_level=True)


def people(n: int = 900, seed: int = 5) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n)
    return pl.DataFrame(
        {
            "id": rng.integers(0, n // 3, n),
            "age": pl.Series([None if i % 97 == 0 else int(a) for i, a in enumerate(age)]),
            "town": rng.choice(
                ["Ulm", "Bonn", "Kiel", "Jena", "Hof"], n, p=[0.5, 0.2, 0.1, 0.1, 0.1]
            ),
            "ill": rng.choice(["flu", "HIV", "cold", "cough"], n),
            "note": pl.Series(rng.choice(["x", "y", ""], n)).replace("", None),
        }
    )


def plan(require: list[dict[str, Any]], ill: Any = None, **others: Any) -> shoal.Plan:
    columns = {
        "id": {"role": "identifier"},
        "age": {"role": "quasi"},
        "town": {"role": "quasi", "hierarchy": {"builder": "auto"}},
        "ill": {"role": "sensitive", **({} if ill is None else {"hierarchy": ill})},
        "note": {"role": "other"},
    }
    made = {"columns": columns, "require": require, "method": {"name": "gaa-cp", "seed": 3}}
    return shoal.Plan.from_dict({**made, **others})


K = {"model": "k-anonymity", "k": 4}
CASES = {
    "k": plan([K], blocks=3),
    "people": plan(
        [K, {"model": "l-diversity", "l": 2}],
        {"builder": "auto", "fan_out": 2},
        blocks=2,
        entity="id",
    ),
    "shares": plan(
        [{"model": "alpha-k", "k": 4, "alpha": 0.6}, {"model": "t-closeness", "t": 0.6}], blocks=2
    ),
    "levels": plan(
        [
            {
                "model": "leveled-alpha-k",
                "levels": {"HIV": 1, "flu": 2, "cold": 2, "cough": 3},
                "alphas": [0.4, 0.6, 1],
                "k": 4,
            }
        ],
        blocks=3,
    ),
    "closeness, one block": plan([K, {"model": "t-closeness", "t": 0.3}], blocks=1),
}


def rows_of(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return sorted(frame.rows(), key=repr)


def on_spark(
    session: Any, frame: pl.DataFrame, asked: shoal.Plan, folder: Path, **more: Any
) -> Any:
    place = folder.parent / "input.parquet"
    frame.sample(fraction=1, shuffle=True, seed=1).write_parquet(place)
    return shoal.spark.anonymize(session.read.parquet(str(place)), asked, output=folder, **more)


@pytest.mark.parametrize("case", CASES)
def test_both_engines_publish_the_same_rows(session: Any, tmp_path: Path, case: str) -> None:
    frame, asked = people(), CASES[case]
    made = on_spark(session, frame, asked, tmp_path / "out")
    local = shoal.anonymize(frame, asked)
    opened = shoal.open_release(tmp_path / "out")
    assert rows_of(opened.table.select(local.table.columns)) == rows_of(local.table)
    assert made.blocks == local.blocks
    assert (made.blocks > 1) == (asked.blocks != 1)
    assert made.verification.passed
    assert made.verification.achieved == local.verification.achieved
    assert made.verification.classes == local.verification.classes
    for name, value in made.measures.items():
        assert value == pytest.approx(local.measures[name])
    told = local.facts()
    for key in ("require", "columns", "entity", "counted", "bounds", "rows", "verification"):
        if key != "verification":
            assert made.facts[key] == told[key]
    assert made.facts["verification"]["achieved"] == told["verification"]["achieved"]
    assert [each for each, changed in opened.files.changed if changed] == []
    assert opened.verify().achieved == local.verification.achieved  # people by the private folder
    with pytest.raises(ParameterError, match="no numbers"):
        opened.verify(original=frame)
    private = json.loads((tmp_path / "out.private" / "manifest.json").read_text())
    assert private["id"] == made.facts["id"]
    assert private["rows"]["groups"] == local.grouping.n_groups
    modes = {path.stat().st_mode & 0o077 for path in (tmp_path / "out.private").rglob("*")}
    assert modes == {0}
    names = {path.name for path in (tmp_path / "out").rglob("*")}
    assert names == {"release.json", "report.html", "table.parquet", "part-00000.parquet"}
    if case == "k":
        _a_damaged_release_is_found(session, tmp_path, asked)


def _a_damaged_release_is_found(session: Any, tmp_path: Path, asked: shoal.Plan) -> None:
    from pyspark.sql import functions as f

    source = session.read.parquet(str(tmp_path / "input.parquet"))
    public = session.read.parquet(str(tmp_path / "out" / "table.parquet"))
    private = session.read.parquet(str(tmp_path / "out.private" / "rows.parquet"))
    nothing = private.where("false")
    known = shoal.Plan.read(tmp_path / "out.private" / "plan.toml").schema_()
    need = asked.requirements()

    def says(public: Any, private: Any) -> list[str]:
        return recount(public, private, source, nothing, known, need).reasons()

    fewer = private.limit(private.count() - 1)
    found = says(public.withColumn("note", f.lit("z")), fewer)
    assert any("public and private rows" in each for each in found)
    assert any("rows of the input" in each for each in found)
    # Cells that do not cover what they stand for, and one row of a class that shows others.
    town = f.lit("Ulm")
    least = private.agg(f.min(f.xxhash64("original"))).collect()[0][0]
    age = f.when(f.xxhash64("original") == least, "[17, 81]").otherwise(f.col(f"{PUBLISHED}.age"))
    cells = f.col(PUBLISHED).withField("town", town).withField("age", age)
    wrong = private.withColumn(PUBLISHED, cells)
    found = says(published_alone(wrong), wrong)
    assert any("town" in each or "cover" in each for each in found)
    assert any("4-anonymity" in each for each in found)


def test_a_worker_that_is_killed_spoils_nothing(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []

    def report(step: str, done: int, total: int) -> None:
        if (step, done) == ("group", 0):
            threading.Thread(target=_kill_a_worker, args=(killed,)).start()

    # Most rows share one value, and most partitions are empty.
    frame = people(300).with_columns(
        age=pl.when(pl.col("age") < 75).then(40).otherwise(pl.col("age")).cast(pl.Int64),
        town=pl.when(pl.col("town") == "Hof").then(pl.col("town")).otherwise(pl.lit("Ulm")),
    )
    frame.write_parquet(tmp_path / "input.parquet")
    given = session.read.parquet(str(tmp_path / "input.parquet")).repartition(6, "town")
    given.createOrReplaceTempView("visits")
    monkeypatch.setattr("shoal.engines.spark.release.start", lambda master: nullcontext(session))
    asked = plan([K], blocks=4, input={"spark_table": "visits"})
    try:
        shoal.spark.run(asked, output=tmp_path / "out", progress=report)
    except OutputError:
        assert not (tmp_path / "out").exists()
    else:
        found = shoal.open_release(tmp_path / "out").table
        local = shoal.anonymize(frame, asked).table
        assert rows_of(found.select(local.columns)) == rows_of(local)
    assert killed


def _kill_a_worker(killed: list[int]) -> None:
    """Kill a Python worker of our own Spark, as soon as one works."""
    until = time.monotonic() + 20
    while time.monotonic() < until and not killed:
        time.sleep(0.2)
        for pid in workers():
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)


def test_two_writers_of_one_folder_do_not_mix(session: Any, tmp_path: Path) -> None:
    with (
        io.replace_folders(targets(tmp_path / "out")),
        pytest.raises(OutputError, match="writ"),
    ):
        on_spark(session, people(60), plan([K]), tmp_path / "out")


def test_what_cannot_be_published_is_named(session: Any, tmp_path: Path) -> None:
    frame = session.createDataFrame([([1], "a")], "age array<int>, town string")
    asked = shoal.Plan.from_dict(
        {"columns": {"age": {"role": "quasi"}, "town": {"role": "quasi"}}, "require": [K]}
    )
    with pytest.raises(SchemaError, match=r"'age' is of the Spark type array.*[Cc]ast"):
        shoal.spark.anonymize(frame, asked, output=tmp_path / "out")


def test_a_table_too_small_is_refused_in_our_words(session: Any, tmp_path: Path) -> None:
    frame = session.createDataFrame([(1, "a"), (2, "b")], "age int, town string")
    asked = shoal.Plan.from_dict(
        {"columns": {"age": {"role": "quasi"}, "town": {"role": "quasi"}}, "require": [K]}
    )
    with pytest.raises(InfeasibleError):
        shoal.spark.anonymize(frame, asked, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


REFUSED = {
    "two tables": ({"publication": {"form": "two-table"}}, "generalized"),
    "rounds": ({"method": {"name": "local-recoding"}}, "whole"),
    "refined": ({"refine": {"steps": 10}}, "refine"),
    "all classes": (
        {"require": [K, {"model": "average-risk", "risk": 0.2}]},
        "all classes at once",
    ),
    "shares of people": (
        {"require": [{"model": "alpha-k", "k": 4, "alpha": 0.6}], "entity": "id"},
        "two groups with equal cells",
    ),
    "dropped": ({"publication": {"missing": "drop"}}, "kept"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_one_place_is_refused_with_the_reason(
    session: Any, tmp_path: Path, what: str
) -> None:
    changes, reason = REFUSED[what]
    frame = session.createDataFrame([(1, "a")], "age int, town string")
    with pytest.raises(ParameterError, match=reason):
        shoal.spark.anonymize(frame, plan(**{"require": [K], **changes}), output=tmp_path / "out")


def test_a_second_session_is_refused(session: Any, tmp_path: Path) -> None:
    asked = plan([K], input={"spark_table": "visits"})
    with pytest.raises(ParameterError, match="already runs in this process"):
        shoal.spark.run(asked, output=tmp_path / "out")


def test_a_master_where_nothing_starts_is_named() -> None:
    from pyspark.errors import PySparkRuntimeError

    class Broken:
        def getOrCreate(self) -> Any:
            raise PySparkRuntimeError("canary")

    with pytest.raises(ParameterError, match="cannot start at the master 'nowhere'") as caught:
        _started(Broken(), "nowhere")  # type: ignore[arg-type]
    assert "canary" not in str(caught.value)


def test_two_names_that_spark_takes_for_one_are_refused(session: Any, tmp_path: Path) -> None:
    frame = session.createDataFrame([(1, "a")], "age int, Age string")
    with pytest.raises(InputError, match="'age' and 'Age'"):
        shoal.spark.anonymize(frame, plan([K]), output=tmp_path / "out")


def test_only_a_spark_frame_is_taken(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="DataFrame of a Spark session"):
        shoal.spark.anonymize(people(), CASES["k"], output=tmp_path / "out")
