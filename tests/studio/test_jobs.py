"""Long work: one at a time, told on the way, stopped at once, and nothing of it left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import shoal
from shoal.studio.jobs import State
from tests.studio.conftest import Asked, wait_for


def test_a_run_gives_the_bytes_of_the_command_line(
    asked: Asked, people: Path, tmp_path: Path
) -> None:
    asked.open(people)
    job = asked.run()
    assert job.state is State.DONE, job.problem
    plan = tmp_path / "plan.toml"
    plan.write_text(asked.studio.plan.to_toml(), encoding="utf-8")
    shoal.run(shoal.Plan.read(plan), output=tmp_path / "again")
    made = job.folder / "release"
    for file in sorted(made.iterdir()):
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), file.name
    assert job.losses
    assert job.least is not None


def test_a_run_that_is_stopped_leaves_nothing_and_the_next_one_runs(
    asked: Asked, people: Path
) -> None:
    asked.open(people)
    long = {**asked.studio.data, "refine": {"seconds": 100.0}}
    given = {"folder": str(asked.studio.folder)}
    first = asked.studio.queue.add("release", {"plan": long, **given})
    second = asked.studio.queue.add("release", {"plan": long, **given})
    third = asked.studio.queue.add("release", {"plan": asked.studio.data, **given})
    wait_for(lambda: first.step == "refine")
    assert second.state is State.WAITING
    asked.studio.queue.stop(second.number)
    asked.studio.queue.stop(first.number)
    assert asked.studio.queue.wait(first.number, 20).state is State.STOPPED
    assert second.state is State.STOPPED
    assert not first.folder.exists()
    assert asked.studio.queue.wait(third.number, 60).state is State.DONE


def test_a_run_that_fails_says_why(asked: Asked, people: Path) -> None:
    asked.open(people)
    asked.studio.change(lambda data: data["require"][0].update(k=301))
    job = asked.run()
    assert job.state is State.FAILED
    assert "301" in job.problem
    assert job.hint
    assert not job.folder.exists()


def test_a_process_that_dies_is_replaced(asked: Asked, people: Path) -> None:
    asked.open(people)
    long = {"plan": {**asked.studio.data, "refine": {"seconds": 100.0}}}
    job = asked.studio.queue.add("release", {**long, "folder": str(asked.studio.folder)})
    wait_for(lambda: job.step == "refine")
    os.kill(asked.studio.queue._process.pid, signal.SIGKILL)
    assert asked.studio.queue.wait(job.number, 20).state is State.FAILED
    assert "died" in job.problem
    assert asked.run().state is State.DONE


def test_a_studio_that_is_stopped_in_the_middle_of_a_run_leaves_nothing_of_it(
    asked: Asked, people: Path
) -> None:
    asked.open(people)
    long = {"plan": {**asked.studio.data, "refine": {"seconds": 100.0}}}
    job = asked.studio.queue.add("release", {**long, "folder": str(asked.studio.folder)})
    wait_for(lambda: job.step == "refine")
    process = asked.studio.queue._process
    assert process is not None
    asked.studio.close()
    assert process.returncode is not None
    assert job.state is State.STOPPED
    assert list(asked.studio.workspace.jobs.iterdir()) == []


def test_a_studio_that_is_killed_or_ended_leaves_no_folder(tmp_path: Path, people: Path) -> None:
    for how in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
        place = tmp_path / how.name
        place.mkdir()
        started = subprocess.Popen(
            [sys.executable, "-m", "shoal", "studio", "--no-browser", str(people)],
            env={**os.environ, "TMPDIR": str(place)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert started.stdout is not None
        assert "http://127.0.0.1:" in started.stdout.readline()
        wait_for(lambda place=place: any(place.glob("shoal-studio-*/jobs")))
        time.sleep(1.5)  # its worker watches by now
        started.send_signal(how)
        started.wait(20)
        wait_for(lambda place=place: not any(place.iterdir()), 20)
