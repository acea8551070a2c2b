"""What holds and what is not promised: the same words wherever a release is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app
from shoal.models import MODELS
from shoal.publications import Generalized, TwoTable
from shoal.release.promise import Promise


@pytest.mark.parametrize("name", list(MODELS))
def test_every_requirement_has_a_promise(name: str) -> None:
    example = MODELS[name].example()
    made = Promise.of([example], Generalized(), counts="rows", sensitive=["ill"])
    size = 1 if example.across_releases else example.least_size
    if size > 1:
        others = "1 other " if size == 2 else f"{size - 1} others "
        assert f"looks like at least {others}(k = {size}, counted in rows)" in made.holds
    else:
        assert "may leave some people unique in the table" in made.leaves_open
    assert example.name == "k-anonymity" or example.describe() in made.holds
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


def test_a_class_of_different_values_may_be_of_one_person() -> None:
    for asked in (shoal.LDiversity(3), shoal.LDiversity(3, "entropy")):
        rows, people = (
            Promise.of([asked], Generalized(), counts=counts) for counts in ("rows", "people")
        )
        assert "looks like at least 2 others (k = 3" in rows.holds
        assert people.holds == asked.describe()
        assert "may leave some people unique" in people.leaves_open
    people = Promise.of([shoal.AlphaK("1/3", 2)], Generalized(), counts="people")
    assert "the rows of at least 2 other people" in people.holds


def test_counterfeits_are_not_counted_as_company() -> None:
    asked = [shoal.MInvariance(3)]
    made = Promise.of(asked, TwoTable(), counts="rows", sensitive=["ill"])
    assert made.holds == asked[0].describe()
    assert "may leave some people alone in their class" in made.leaves_open


def test_who_is_known_to_be_in_the_table_is_not_hidden_in_the_population() -> None:
    known = "people who are known to be in the table"
    for asked in (shoal.KMap(5), shoal.PopulationUniqueness(0.1, 0.5), shoal.DeltaPresence(0, 0.5)):
        alone = Promise.of([asked], Generalized(), counts="rows").leaves_open
        assert f"does not protect {known}" in alone
    part = Promise.of([shoal.KMap(10, 0.1)], Generalized(), counts="rows")
    assert "(k = 5, counted in rows); 10-map (every group holds at least 5" in part.holds
    assert f"protects {known} less well" in part.leaves_open
    both = Promise.of([shoal.KMap(5), shoal.KAnonymity(5)], Generalized(), counts="rows")
    assert known not in both.leaves_open


def test_columns_that_nothing_is_required_of_are_not_called_bounded() -> None:
    named = shoal.MultiLDiversity({"ill": 2})
    for asked in (named, shoal.LDiversity(2, column="ill")):
        made = Promise.of([asked], Generalized(), counts="rows", sensitive=["ill", "job"])
        assert "lets an attacker guess 'ill' better than chance" in made.leaves_open
        assert "does not hide a value of 'job' that everyone in a class" in made.leaves_open
    one = shoal.AlphaK(0.5, 3, value="HIV")
    made = Promise.of([one], Generalized(), counts="rows", sensitive=["ill"])
    assert "does not hide a value of 'ill' that everyone in a class" in made.leaves_open


def test_all_who_tell_it_use_the_same_words(tmp_path: Path) -> None:
    made = shoal.anonymize(
        mixed(60), SCHEMA, require=[shoal.KAnonymity(5)], method=shoal.GAACP(seed=1)
    )
    folder = made.write(tmp_path / "out")
    promise = Promise.from_facts(made.facts())
    pages = [folder / "report.html", tmp_path / "out.private" / "report.html"]
    told = [page.read_text(encoding="utf-8").replace("&#39;", "'") for page in pages]
    told += [CliRunner().invoke(app, ["verify", str(folder)]).stdout]
    explained = CliRunner().invoke(app, ["explain", str(folder)]).stdout
    assert promise.leaves_open in " ".join(explained.split())
    for text in told:
        words = " ".join(text.split())
        assert promise.holds in words
        assert promise.leaves_open in words
