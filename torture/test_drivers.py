"""Drivers and executors that die, and drivers that meet: a whole release, or none."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from tests.processes import executors
from torture.commands import Command, moments, say
from torture.people import ROWS, census_plan

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

FEWER = ROWS // 10
KILLS = 4
STEPS = ("encode", "group", "measure", "write", "verify")


class Place:
    """A folder with a table, its plan, and what one machine publishes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        frame = shoal.datasets.census(FEWER, seed=5)
        frame.write_parquet(folder / "in.parquet", row_group_size=max(FEWER // 8, 1))
        plan = census_plan(folder / "in.parquet", self.out, blocks=4)
        self.local = shoal.anonymize(frame, plan).table
        # Hierarchies lie beside the plan of Adult.
        for each in shoal.datasets.folder("adult").iterdir():
            if each.is_dir():
                shutil.copytree(each, folder / each.name, dirs_exist_ok=True)
        (folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")

    def run(self) -> Command:
        return Command(self.folder, "run", "plan.toml", "--engine", "spark", "--master", "local[2]")

    def holds(self, out: Path) -> bool:
        """Whether a whole release is there, the same as one machine's; else nothing may be."""
        shoal.release.recover(out)
        left = [e.name for e in self.folder.iterdir() if e.name.startswith(f".{out.name}")]
        assert left == []
        if not out.exists():
            assert not out.with_name(f"{out.name}.private").exists()
            return False
        assert shoal.open_release(out).verify().passed
        found = pl.read_parquet(out / "table.parquet" / "*.parquet")
        assert found.select(self.local.columns).sort(pl.all()).equals(self.local.sort(pl.all()))
        return True


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture(scope="module")
def seconds(tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long a run takes that nobody disturbs."""
    place = Place(tmp_path_factory.mktemp("undisturbed"))
    ended = place.run().wait()
    assert ended.code == 0, ended.said
    assert place.holds(place.out)
    assert list((place.folder / "tmp").glob("shoal-spark-*")) == []
    say(f"a run that nobody disturbs takes {ended.seconds:.0f} s")
    return ended.seconds


def gone(below: dict[int, str], most: float = 60) -> bool:
    """Wait until processes have ended."""
    until = time.monotonic() + most
    while any(_same(pid, said) for pid, said in below.items()):
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True


def _same(pid: int, said: str) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ") == said != ""
    except OSError:
        return False


def test_a_driver_that_is_killed_leaves_nothing_that_stays(
    place: Place, seconds: float, rng: random.Random
) -> None:
    for at in moments(rng, KILLS, 0.2 * seconds, seconds):
        command = place.run().until(at)
        below = command.below
        ended = command.kill()
        assert gone(below), "processes of a killed driver live on"
        there = place.holds(place.out)
        say(f"killed after {at:.0f} s, exit {ended.code}: {'a release' if there else 'nothing'}")
        if there:
            shutil.rmtree(place.out)
            shutil.rmtree(f"{place.out}.private")
    assert place.run().wait().code == 0
    assert place.holds(place.out)
    assert list((place.folder / "tmp").glob("shoal-spark-*")) == []


def test_a_java_that_is_killed_is_told_in_our_words(
    place: Place, seconds: float, rng: random.Random
) -> None:
    """The operating system kills it where memory is short."""
    for at in moments(rng, 2, 0.4 * seconds, 0.9 * seconds):
        command = place.run().until(at)
        below = command.below
        for pid in (pid for pid, said in below.items() if "SparkSubmit" in said):
            os.kill(pid, signal.SIGKILL)
        ended = command.wait()
        say(f"Java killed after {at:.0f} s, exit {ended.code}: {ended.said.strip()[-160:]!r}")
        ended.require_quiet()
        assert ended.code == 2
        assert "Spark" in ended.said
        assert not place.holds(place.out)
        assert gone(below), "workers live on"
        assert list((place.folder / "tmp").glob("shoal-spark-*")) == []


def test_ctrl_c_ends_it_quietly(place: Place, seconds: float, rng: random.Random) -> None:
    for at in moments(rng, KILLS, 0.05 * seconds, 0.9 * seconds):
        command = place.run().until(at)
        below = command.below
        ended = command.interrupt()
        say(f"Ctrl-C after {at:.0f} s, exit {ended.code}: {ended.said.strip()[-60:]!r}")
        ended.require_quiet()
        there = place.out.exists()
        assert there == (ended.code == 0)
        if not there:
            assert ended.code == 130
            assert "Stopped." in ended.said
        assert place.holds(place.out) == there
        assert gone(below), "processes of an interrupted driver live on"
        assert list((place.folder / "tmp").glob("shoal-spark-*")) == []
        if there:
            shutil.rmtree(place.out)
            shutil.rmtree(f"{place.out}.private")


def told(out: Path) -> list[dict[str, Any]]:
    """Read what a driver said until now."""
    lines = out.read_text(errors="replace").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def test_two_drivers_of_one_folder_do_not_mix(place: Place) -> None:
    (place.folder / "wait").touch()
    running = []
    for name in ("one", "two"):
        own = place.folder / name
        own.mkdir()
        asked = ("local[1]", f"{place.folder}/plan.toml", str(place.out))
        running.append(Command(own, "-m", "torture.driver", *asked, PYTHONPATH=_paths()))
    for command in running:
        measured = {"folder": str(place.out), "step": "measure", "done": 1}
        assert command.when(lambda c=command, m=measured: m in told(c.out))
    (place.folder / "wait").unlink()
    ends = [told(command.out)[-1] for command in running if command.wait().code == 0]
    say(f"{ends}")
    assert sorted("id" in each for each in ends) == [False, True]
    refused = next(each for each in ends if "error" in each)
    won = next(each for each in ends if "id" in each)
    assert refused["error"] == "OutputError"
    assert "Another process is writing" in refused["said"]
    assert place.holds(place.out)
    assert shoal.open_release(place.out).facts["id"] == won["id"]


def _paths() -> str:
    """Let a driver find Shoal and this folder wherever it starts."""
    here = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return os.pathsep.join(each for each in here if each)


@pytest.fixture
def cluster(place: Place) -> Iterator[Command]:
    """Start a cluster of two executors, each a Java of its own, that publishes step by step."""
    outs = [str(place.folder / f"out-{step}") for step in STEPS]
    command = Command(
        place.folder,
        *("-m", "torture.driver", "local-cluster[2,1,1024]", f"{place.folder}/plan.toml", *outs),
        PYTHONPATH=_paths(),
    )
    try:
        yield command
    finally:
        command.kill()
        import pyspark

        work = Path(pyspark.__file__).parent / "work"  # where Spark lets executors log
        for each in told(command.out):
            if "application" in each:
                shutil.rmtree(work / each["application"], ignore_errors=True)


def test_executors_that_are_killed_spoil_nothing(
    place: Place, cluster: Command, rng: random.Random
) -> None:
    """Each release loses an executor in another step."""
    right = 0
    for step in STEPS:
        out = place.folder / f"out-{step}"
        begins = {"folder": str(out), "step": step, "done": 0}

        def end(out: Path = out) -> dict[str, Any] | None:
            said = [each for each in told(cluster.out) if each.get("folder") == str(out)]
            return said[-1] if said and "step" not in said[-1] else None

        assert cluster.when(lambda b=begins: b in told(cluster.out)), cluster.out.read_text()
        time.sleep(rng.uniform(0.0, 3.0))
        os.kill(rng.choice(executors(cluster.process.pid)), signal.SIGKILL)
        cluster.when(lambda e=end: e() is not None)
        found = end()
        assert found is not None, cluster.out.read_text()
        there = place.holds(out)
        assert there == ("id" in found)
        assert there or found["error"] == "OutputError", found
        right += there
        say(f"an executor killed in '{step}': the release is {'right' if there else 'absent'}")
    assert cluster.wait().code == 0
    say(f"{right} of {len(STEPS)} releases are there")
