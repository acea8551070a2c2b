"""A million rows on Spark: as on one machine, whatever lies unevenly and whoever dies meanwhile."""

from __future__ import annotations

import os
import random
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.errors import InfeasibleError, OutputError
from tests.processes import workers
from torture.commands import say
from torture.people import ROWS, census_plan

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

FEWER = ROWS // 5


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    with shoal.spark.start("local[2,4]") as made:  # a task is tried four times
        yield made


def published(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "table.parquet" / "*.parquet")


def same_rows(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    return one.sort(pl.all()).equals(other.select(one.columns).sort(pl.all()))


def on_spark(session: Any, frame: pl.DataFrame, folder: Path, **more: Any) -> Any:
    """Publish a census on Spark; rows come in another order."""
    place = folder / "in.parquet"
    frame.sample(fraction=1, shuffle=True, seed=1).write_parquet(place, row_group_size=100_000)
    parts = more.pop("partitions", None)
    plan = census_plan(place, folder / "out", more.pop("blocks", "auto"))
    given = session.read.parquet(str(place))
    given = given if parts is None else given.repartition(parts)
    made = shoal.spark.anonymize(given, plan, output=folder / "out", **more)
    seconds = ", ".join(f"{step} {each:.0f}" for step, each in made.seconds.items())
    say(f"{frame.height:,} rows in {made.blocks} blocks: {seconds} s")
    assert made.verification.passed
    local = shoal.anonymize(frame, plan)
    assert made.blocks == local.blocks
    assert same_rows(local.table, published(folder / "out"))
    return made


def test_a_million_rows_are_those_of_one_machine_and_lose_no_more(
    session: Any, tmp_path: Path
) -> None:
    frame = shoal.datasets.census(ROWS, seed=1)
    blocks = max(ROWS // 250_000, 4)
    made = on_spark(session, frame, tmp_path, blocks=blocks)
    whole = shoal.anonymize(frame, census_plan(tmp_path / "in.parquet", tmp_path / "out", None))
    lost = made.measures["iloss"] / whole.measures["iloss"]
    say(f"against one machine without blocks: {100 * (lost - 1):+.2f} %")
    assert lost <= 1.01 or ROWS < 1_000_000  # few rows per block lose more


def skewed(rows: int) -> pl.DataFrame:
    """Let nine of ten rows share all quasi-identifiers."""
    frame = shoal.datasets.census(rows, seed=2)
    quasi = census_plan(Path("x"), Path("y")).schema_().quasi
    alike = pl.int_range(pl.len()) % 10 > 0
    first = frame.row(0, named=True)
    return frame.with_columns(
        pl.when(alike).then(pl.lit(first[name])).otherwise(pl.col(name)).alias(name)
        for name in quasi
    ).cast(dict(frame.schema))


def test_most_rows_share_all_quasi_identifiers(session: Any, tmp_path: Path) -> None:
    on_spark(session, skewed(ROWS), tmp_path, blocks=6)


def test_a_block_that_no_executor_holds_is_refused(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoal.engines.spark.grouping.MOST_ROWS", FEWER // 2)
    for blocks in (4, 1):
        with pytest.raises(InfeasibleError, match="executor groups") as caught:
            on_spark(session, skewed(FEWER), tmp_path, blocks=blocks)
        assert len(str(caught.value).split(". ")) == 2
    assert not (tmp_path / "out").exists()


def test_most_partitions_are_empty(session: Any, tmp_path: Path) -> None:
    session.conf.set("spark.sql.shuffle.partitions", "200")
    session.conf.set("spark.sql.adaptive.enabled", "false")  # which would unite them
    try:
        on_spark(session, shoal.datasets.census(1_000, seed=3), tmp_path, blocks=3, partitions=200)
    finally:
        session.conf.unset("spark.sql.adaptive.enabled")
        session.conf.set("spark.sql.shuffle.partitions", "4")


@pytest.mark.parametrize("most", [3, 8, 100])
def test_workers_are_killed_again_and_again(
    session: Any, tmp_path: Path, rng: random.Random, most: int
) -> None:
    """Each task is tried four times: three kills must not matter, and many may."""
    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while len(killed) < most and not over.wait(rng.uniform(0.0, 5.0)):
            found = workers()
            if found:
                killed.append(rng.choice(found))
                os.kill(killed[-1], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        on_spark(session, shoal.datasets.census(FEWER, seed=4), tmp_path, blocks=4)
        end = "right"
    except OutputError:
        assert not (tmp_path / "out").exists()
        assert not (tmp_path / "out.private").exists()
        assert most > 3
        end = "absent"
    finally:
        over.set()
        thread.join()
    say(f"{len(killed)} workers killed: the release is {end}")
    assert killed
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
