"""What holds and what is not promised: the same words wherever a release is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app
from shoal.models import MODELS
from shoal.publications import Generalized
from shoal.release.promise import Promise


@pytest.mark.parametrize("name", list(MODELS))
def test_every_requirement_has_a_promise(name: str) -> None:
    example = MODELS[name].example()
    made = Promise.of([example], Generalized(), counts="rows", sensitive=["ill"])
    size = example.least_size
    if size > 1:
        others = "1 other " if size == 2 else f"{size - 1} others "
        assert f"looks like at least {others}(k = {size}, counted in rows)" in made.holds
    else:
        assert "leaves some people unique in the table" in made.leaves_open
    assert example.size_only or example.describe() in made.holds
    assert "knows more about a person than the quasi-identifiers" in made.leaves_open


def test_values_are_learned_unless_something_bounds_them() -> None:
    asked, form = [shoal.KAnonymity(3)], Generalized()
    alone = Promise.of(asked, form, counts="people", sensitive=["ill"])
    shared = "does not hide a value of 'ill' that everyone in a class shares"
    assert f"k-anonymity {shared}" in alone.leaves_open
    assert "several rows" not in alone.leaves_open
    both = Promise.of([*asked, shoal.LDiversity(2)], form, counts="people", sensitive=["ill"])
    assert shared not in both.leaves_open
    assert "This still lets an attacker guess 'ill' better than chance" in both.leaves_open
    none = Promise.of(asked, form, counts="people")
    assert none.leaves_open.startswith("k-anonymity does not protect against")


def test_all_who_tell_it_use_the_same_words(tmp_path: Path) -> None:
    made = shoal.anonymize(
        mixed(60), SCHEMA, require=[shoal.KAnonymity(5)], method=shoal.GAACP(seed=1)
    )
    folder = made.write(tmp_path / "out")
    promise = Promise.told_by(made.facts())
    pages = [folder / "report.html", tmp_path / "out.private" / "report.html"]
    told = [page.read_text(encoding="utf-8").replace("&#39;", "'") for page in pages]
    told += [CliRunner().invoke(app, ["verify", str(folder)]).stdout]
    explained = CliRunner().invoke(app, ["explain", str(folder)]).stdout
    assert promise.leaves_open in " ".join(explained.split())
    for text in told:
        words = " ".join(text.split())
        assert promise.holds in words
        assert promise.leaves_open in words
