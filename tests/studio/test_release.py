"""Attack and release: the library's figures, the release's files, a plan that repeats it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

import shoal
from shoal.judging.risk import assess
from shoal.studio.jobs import State
from tests.studio.conftest import Asked, wait_for


@pytest.fixture
def made(asked: Asked, people: Path) -> Asked:
    asked.open(people)
    assert asked.run().state is State.DONE
    return asked


def test_without_a_release_both_steps_say_so(asked: Asked) -> None:
    for step in ("attack", "release"):
        assert "There is no release yet" in asked.get(f"/{step}").text
        assert asked.get(f"/{step}/1").status_code == 422


def test_attacks_give_the_figures_of_the_library(made: Asked) -> None:
    assert "Attack the release" in made.get("/attack/1").text
    made.post("/attack/1")
    job = made.studio.queue.of_kind("attack")[0]
    assert made.studio.queue.wait(job.number, 60).state is State.DONE, job.problem
    page = made.get("/attack/1/found").text
    opened = shoal.open_release(made.studio.queue.job(1).folder / "release")
    original = opened.read_original()
    assert original is not None
    found = assess(opened, original=original, rows=opened.rows)
    assert job.result == json.loads(json.dumps(found.to_dict()))
    highest = 100 * found.reidentification.prosecutor.highest
    assert f"{highest:.1f} %" in page
    for each in found.attacks:
        if each.people:
            assert f"{each.people:,} of {each.total:,}" in page
    made.post("/attack/1")  # it is known by now
    assert len(made.studio.queue.of_kind("attack")) == 1


def test_attacks_can_be_stopped_while_they_wait(made: Asked) -> None:
    long = {**made.studio.data, "refine": {"seconds": 100.0}}
    busy = made.studio.queue.add("release", {"plan": long, "folder": str(made.studio.folder)})
    assert "Waiting for other work" in made.post("/attack/1").text
    assert "Attack the release" in made.post("/attack/1/stop").text
    made.studio.queue.stop(busy.number)
    assert made.studio.queue.wait(busy.number, 20).state is State.STOPPED


def test_a_release_shows_its_reports_files_and_plan(made: Asked, tmp_path: Path) -> None:
    folder = made.studio.queue.job(1).folder / "release"
    page = made.get("/release/1").text
    assert "The requirements hold." in page
    for place, file in enumerate(sorted(folder.iterdir())):
        assert file.name in page
        assert made.get(f"/release/1/file/{place}").content == file.read_bytes()
    assert made.get("/release/1/file/99").status_code == 422
    for kind, place in (("report", folder), ("private-report", Path(f"{folder}.private"))):
        said = made.get(f"/release/1/{kind}")
        assert said.text == (place / "report.html").read_text("utf-8")
        assert "sandbox" in said.headers["content-security-policy"]
    text = made.get("/release/1/plan").text
    assert tomllib.loads(text) == made.studio.data
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    shoal.run(shoal.Plan.read(tmp_path / "plan.toml"), output=tmp_path / "again")
    for file in folder.iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


def test_a_release_is_kept_where_it_is_wanted(made: Asked, tmp_path: Path) -> None:
    assert "The release is in" in made.post("/release/1/keep", folder=str(tmp_path / "kept")).text
    opened = shoal.open_release(tmp_path / "kept")
    assert opened.verify().passed
    assert (tmp_path / "kept.private").stat().st_mode & 0o077 == 0
    for wrong, why in (("", "full path"), ("kept", "full path"), (str(tmp_path), "other files")):
        said = made.post("/release/1/keep", folder=wrong)
        assert said.status_code == 422
        assert why in said.text


def test_a_release_that_was_there_before_can_be_opened(
    asked: Asked, people: Path, tmp_path: Path
) -> None:
    plan = shoal.propose(people).plan
    shoal.run(plan, output=tmp_path / "before")
    asked.studio.begin_with(tmp_path / "before")
    wait_for(lambda: asked.studio.loading is None)
    assert asked.studio.has_table  # by the plan of the private folder
    assert asked.studio.queue.wait(1, 60).state is State.DONE
    assert "The opened release" in asked.get("/release/1").text


def test_what_is_no_table_is_said_in_one_sentence(asked: Asked, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b"\0\1\2")
    asked.open(tmp_path / "x.csv")
    assert asked.studio.loading is not None
    assert asked.studio.loading.problem in asked.get("/table").text.replace("&#39;", "'")
