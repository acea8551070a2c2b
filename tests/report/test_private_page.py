"""The private report: exact, from the release itself, and the same as what commands say."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.measures._relations import associations
from shoal.release.report.numbers import share
from shoal.release.report.private import attempts, relations
from shoal.release.report.private.attempts import Attempts
from shoal.release.report.private.example_rows import ExampleRows
from shoal.release.report.private.relations import Relations
from shoal.release.report.private.risks import Risks

PEOPLE = shoal.Schema(dict(SCHEMA.items()), entity="id")


def release(n: int = 200, **options: Any) -> shoal.Release:
    settings = {"require": [shoal.KAnonymity(4)], "method": shoal.GAACP(seed=2)} | options
    schema = settings.pop("schema", SCHEMA)
    frame = settings.pop("frame", mixed(n, missing=0.05))
    return shoal.anonymize(frame, schema, **settings)


def several_rows() -> pl.DataFrame:
    return mixed(200).with_columns(id=pl.int_range(200) % 120)


FORMS: list[dict[str, Any]] = [
    {},
    {"publication": "two-table"},
    {"publication": "sensitive-groups"},
    {"schema": PEOPLE, "frame": several_rows()},
    {"missing": "drop", "suppression_limit": 0.5},
]


def written(made: shoal.Release, folder: Path) -> str:
    made.write(folder)
    page = Path(f"{folder}.private") / "report.html"
    assert page.stat().st_mode & 0o077 == 0
    return html.unescape(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("options", FORMS)
def test_risks_are_those_of_the_command(options: dict[str, Any]) -> None:
    made = release(**options)
    found, lines = made.reidentification(), {}
    for name, *both in Risks.of(made).lines:
        lines[name] = both
    assert found.before is not None
    both = (found.before, found)
    assert lines["highest risk of a person"] == [f"{of.prosecutor.highest:.1%}" for of in both]
    assert lines["average risk"] == [share(of.prosecutor.average) for of in both]
    assert lines["people unique in their class"] == [f"{of.uniques:,}" for of in both]
    assert lines["people with a risk above 0.2"] == [share(of.prosecutor.above[0.2]) for of in both]
    sizes = Risks.of(made).sizes
    assert sum(bar.before for bar in sizes) == pytest.approx(1)
    assert sum(bar.after for bar in sizes) == pytest.approx(1)


@pytest.mark.parametrize("options", FORMS)
def test_attacks_are_those_of_the_command(options: dict[str, Any]) -> None:
    made = release(**options)
    asked = {each.name.replace("_", " "): each for each in made.risk()}
    found = Attempts.of(made)
    assert {each.name: each.share for each in found.made} == {
        name: share(each.share) for name, each in asked.items() if each.people
    }
    assert set(found.nothing) == {name for name, each in asked.items() if not each.people}
    assert (found.left_out, found.sampled) == ((), None)


def test_an_attack_that_refuses_does_not_cost_the_release(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    attack = shoal.risk.ATTACKS["negation"]

    def refuse(*_: object, **__: object) -> None:
        raise shoal.errors.ParameterError("No.", "Never.")

    monkeypatch.setattr(attack, "function", refuse)
    assert "Attacks that could not be tried: negation." in written(release(), tmp_path / "out")


def test_of_large_tables_whole_classes_are_attacked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(attempts, "MOST_ROWS", 100)
    monkeypatch.setattr(relations, "MOST_ROWS", 100)
    made = release(frame=several_rows(), schema=PEOPLE)
    found = Attempts.of(made)
    assert found.sampled is not None
    assert 80 < found.sampled <= 100
    assert {"learning", "downcoding"} <= set(found.left_out)
    assert found.made
    page = written(made, tmp_path / "out")
    assert "Left out here, because they take long on a large table: downcoding" in page
    assert "Run <code>shoal risk out</code> to try them" in page
    assert "Measured on 100 rows, drawn with the release’s seed." in page


@pytest.mark.parametrize("options", FORMS[:3])
def test_a_sample_of_all_rows_has_the_same_relations(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = release(**options)
    monkeypatch.setattr(relations, "MOST_ROWS", 200)
    again = associations(relations._sample(made.pair, 1))
    for one, two in zip(associations(made.pair), again, strict=True):
        assert (one.columns, one.kind) == (two.columns, two.kind)
        assert (one.before, one.after) == pytest.approx((two.before, two.after))


def test_relations_are_before_below_and_after_above() -> None:
    made = release()
    found = Relations.of(made.pair, made.seed)
    assert found is not None
    shades = {
        (row, column): shade.text
        for row, cells in found.rows
        for column, shade in zip(found.names, cells, strict=True)
        if shade is not None
    }
    for each in associations(made.pair):
        one, two = each.columns
        assert shades[two, one] == f"{each.before:.2f}"
        assert shades[one, two] == f"{each.after:.2f}"


@pytest.mark.parametrize("options", FORMS)
def test_rows_are_real_and_without_identifiers(options: dict[str, Any]) -> None:
    made = release(**options)
    found = ExampleRows.of(made)
    assert found == ExampleRows.of(made)
    assert len(found.rows) == 10
    assert "id" not in found.names
    source = made.source[made.rows.tolist()].select(pl.all().cast(pl.String)).fill_null("(missing)")
    pairs = set(
        zip(source.select(SCHEMA.quasi).rows(), made.frame.select(SCHEMA.quasi).rows(), strict=True)
    )
    for row in found.rows:
        cells = dict(zip(found.names, row, strict=True))
        before, after = zip(*(cells[name] for name in SCHEMA.quasi), strict=True)
        assert (before, after) in pairs
        if made.published.linked:
            assert re.fullmatch(r"a value of class \d+", cells["illness"][1])
        else:
            assert cells["illness"][0] == cells["illness"][1]


def test_the_rows_of_two_releases_can_be_the_same() -> None:
    rows = [0, 7, 199]
    one = release(missing="drop", suppression_limit=0.5)
    two = release(require=[shoal.KAnonymity(30)])
    shown = [ExampleRows.of(made, rows) for made in (one, two)]
    before = [[[was for was, _ in row] for row in each.rows] for each in shown]
    assert before[0] == before[1]
    assert len(before[0]) == 3
    left_out = set(range(one.input_rows)) - set(one.rows.tolist())
    assert left_out
    (row,) = ExampleRows.of(one, [min(left_out)]).rows
    assert {after for _, after in row} == {"(left out)"}


def test_nothing_is_hidden_or_rounded(tmp_path: Path) -> None:
    """Three rows miss their age, which the public page must not say."""
    row = pl.int_range(pl.len())
    frame = mixed(300).with_columns(age=pl.when(row >= 3).then("age"))
    made = release(frame=frame, require=[shoal.KAnonymity(10)])
    private = written(made, tmp_path / "out")
    public = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert '>1.0%</td><td class="number">3</td>' in private
    assert ">3</td>" not in public
    assert f">{made.measures['discernibility']:,.0f}<" in private
    assert "two digits" not in private
    assert "left out" not in private.replace("Left out, because", "")


@pytest.mark.parametrize("publication", ["generalized", "two-table", "sensitive-groups"])
def test_every_form_has_a_page(publication: str, tmp_path: Path) -> None:
    page = written(release(publication=publication), tmp_path / "out")
    exact = publication != "generalized"
    assert ("an attacker finds people as before" in page) is exact
    assert ("Sensitive values are in another table" in page) is exact
    assert "It holds:" in page
    assert "10 rows before and after" in page


def test_centres_are_not_called_coarse(tmp_path: Path) -> None:
    numbers = pl.DataFrame({"age": range(60), "pay": [row * 37 % 60 for row in range(60)]})
    made = shoal.anonymize(
        numbers, k=3, quasi=["age", "pay"], method="mdav", publication="microaggregated"
    )
    page = written(made, tmp_path / "out")
    assert "moved, not coarsened" in page
    assert "There is no lower bound: cells are centres" in page
    assert "No column is sensitive" in page


def test_what_the_plan_says_of_the_release_heads_the_pages(tmp_path: Path) -> None:
    about = {"title": "Ward <3>", "purpose": "Two\nlines", "author": "A. Steward"}
    plan = release().plan.to_dict() | {"about": about}
    made = shoal.anonymize(mixed(200), shoal.Plan.from_dict(plan))
    private = written(made, tmp_path / "out")
    public = html.unescape((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    assert "<h1>Ward <3></h1>" in public
    assert "A. Steward" not in public
    assert "Two\nlines" not in (tmp_path / "out" / "release.json").read_text(encoding="utf-8")
    for text in about.values():
        assert text in private
    assert json.loads((tmp_path / "out" / "release.json").read_text())["title"] == "Ward <3>"


def test_many_columns_are_shown_in_part(tmp_path: Path) -> None:
    frame = pl.DataFrame({f"c{i}": [row * (i + 1) % 7 for row in range(60)] for i in range(30)})
    made = shoal.anonymize(frame, k=3, quasi=frame.columns, method="mondrian")
    page = written(made, tmp_path / "out")
    assert "20 more columns are left out." in page
    assert "6 more columns are not drawn." in page


def test_it_is_the_same_each_time(tmp_path: Path) -> None:
    made = release()
    assert written(made, tmp_path / "one" / "out") == written(made, tmp_path / "two" / "out")
