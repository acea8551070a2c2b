"""What the studio says of a release comes from its form, and its cost is that of every face."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import shoal
from shoal.base.rounding import percent
from shoal.publications import from_facts
from shoal.release.cost import Cost
from shoal.release.explanation import explain
from shoal.studio.jobs import State
from tests.release.forms import CASES
from tests.release.test_words import ADDED, plain
from tests.studio.conftest import Asked

FORMS = ("partition", "median", "buckets", "two tables, generalized", "noise")


@pytest.mark.parametrize("name", FORMS)
def test_its_pages_say_what_holds_for_the_form(asked: Asked, tmp_path: Path, name: str) -> None:
    case = CASES[name]
    case.write(tmp_path)
    asked.open(tmp_path / "people.csv")
    job = asked.run(plan=shoal.Plan.read(tmp_path / "plan.toml").to_dict(), folder=str(tmp_path))
    assert job.state is State.DONE, job.problem
    opened = shoal.open_release(job.folder / "release")
    form = from_facts(opened.facts)
    cost = percent(opened.measures[form.cost_measure])
    board, shown = (plain(asked.get(f"/runs/{page}").text) for page in ("board", job.number))
    release = plain(asked.get(f"/release/{job.number}").text)
    assert f"{cost} {form.lost}" in board
    for sentence in explain(opened.facts):
        assert sentence in release
    for page in (board, shown, release):
        page = page.split("The plan Saved as")[0]
        assert re.search(case.cells, page)
        assert not [words for words in case.never if re.search(words, page)]
        assert bool(ADDED.search(page)) is case.adds
    assert Cost.from_facts(opened.facts).figure in release


@pytest.mark.parametrize("name", ["buckets", "two tables, generalized"])
def test_the_promise_says_that_rows_look_alike_only_where_they_do(
    asked: Asked, tmp_path: Path, name: str
) -> None:
    case = CASES[name]
    case.write(tmp_path)
    asked.open(tmp_path / "people.csv")
    asked.studio.change(lambda plan: plan.update(case.data))
    page = plain(asked.get("/promise").text)
    assert bool(re.search("looks? (a)?like", page)) is ("generalized" in name)
