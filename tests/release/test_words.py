"""What is said of a release holds for its form, and its cost is one figure, in every interface."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.base.rounding import percent
from shoal.cli import app
from shoal.publications import FORMS, Publication, from_facts
from shoal.release.cost import OF_PUBLISHED, Cost
from shoal.release.explanation import explain
from shoal.release.promise import Promise, attacker_finds
from shoal.steward.comparison import Comparison, Point, Setting
from shoal.steward.comparison.point import figures_of
from tests.release import test_again, test_again_one_table
from tests.release.forms import ALIKE, CASES, Case

ADDED = re.compile(
    r"(no person[\w ]* holds|belong to no person).*\d per published row"
    r"|\d per published row.*No person"
)
INTERFACES = ("run", "explain", "verify", "risk", "public", "private", "compare", "dry run")
PRIVATE = ("run", "private", "compare", "dry run")
"""Interfaces that know all figures."""
COSTED = ("run", "explain", "public", "private", "compare", "dry run")
"""Interfaces that say what a release cost."""


class Said(NamedTuple):
    case: Case
    folder: Path
    texts: dict[str, str]

    @property
    def facts(self) -> dict[str, Any]:
        return json.loads((self.folder / "release" / "release.json").read_text())

    @property
    def exact(self) -> dict[str, float]:
        manifest = self.folder / "release.private" / "manifest.json"
        return json.loads(manifest.read_text())["measures"]


def plain(text: str) -> str:
    """Take words out of a page or a terminal's boxes, with single spaces between."""
    text = re.sub(r"<style>.*?</style>|<title>.*?</title>", " ", text, flags=re.DOTALL)
    text = unescape(re.sub(r"<[^>]+>", " ", text)).replace("’", "'")
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


def call(*arguments: object) -> str:
    made = CliRunner().invoke(app, [str(each) for each in arguments])
    assert made.exit_code == 0, made.output
    return plain(made.stdout)


def said_of(case: Case, folder: Path) -> Said:
    plan, release = case.write(folder), folder / "release"
    texts = {"dry run": call("run", plan, "--dry-run"), "run": call("run", plan)}
    for name in ("explain", "verify", "risk"):
        texts[name] = call(name, release)
    texts["compare"] = compared(case, plan)
    for name, place in {"public": release, "private": Path(f"{release}.private")}.items():
        texts[name] = plain((place / "report.html").read_text(encoding="utf-8"))
    return Said(case, folder, texts)


def compared(case: Case, plan: Path) -> str:
    """Compare the plan with itself; without a k, take what the pages would say."""
    asked = shoal.Plan.read(plan)
    if any("k" in each for each in case.require):
        k = max(each.least_size for each in asked.requirements())
        shown = call("compare", plan, "--k", k, "--method", case.method)
        page = plan.parent / "plan.compare" / "comparison.html"
        return f"{shown} {plain(page.read_text(encoding='utf-8'))}"
    point = Point(Setting(2, case.method), **figures_of(shoal.anonymize(case.frame, asked)))
    found = Comparison(asked, (point,))
    return plain(" ".join([*found.stated, found.reason]))


@pytest.fixture(scope="module", params=CASES)
def said(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Said:
    return said_of(CASES[request.param], tmp_path_factory.mktemp("form"))


def test_every_form_and_family_is_looked_at() -> None:
    forms = {"generalized", "microaggregated", "sensitive-groups", "two-table"}
    assert {case.publication["form"] for case in CASES.values()} == forms <= set(FORMS)


@pytest.mark.parametrize("interface", INTERFACES)
def test_what_is_said_of_cells_holds(said: Said, interface: str) -> None:
    text = said.texts[interface]
    # The options of a plan, and names of attacks that are for other forms, say nothing of it.
    text = re.sub(r"quasi_cells|The attack works on generalized cells", "", text)
    form = from_facts(said.facts)
    cells = f"Cells {form.cells[:1].upper()}{form.cells[1:]}"
    assert re.search(said.case.cells, text) or cells in text
    for words in said.case.never:
        assert not re.search(words, text)


@pytest.mark.parametrize("interface", INTERFACES)
def test_false_values_are_said_with_their_share(said: Said, interface: str) -> None:
    text = said.texts[interface]
    assert bool(ADDED.search(text)) is said.case.adds
    share = said.facts.get("noise_ratio", 0)
    assert bool(share) is said.case.adds


def test_what_an_attacker_finds_is_what_the_form_states(said: Said) -> None:
    facts = said.facts
    form = from_facts(facts)
    finds = attacker_finds(facts)
    for interface in ("explain", "public", "private"):
        assert finds.replace("’", "'") in said.texts[interface]
    if form.exact:
        assert "own row" in finds


@pytest.mark.parametrize("interface", COSTED)
def test_the_cost_is_one_figure(said: Said, interface: str) -> None:
    cost = Cost.from_facts(said.facts)
    measure = from_facts(said.facts).cost_measure
    headline = percent(said.exact[measure])
    assert (cost.share is None) == (OF_PUBLISHED in said.facts)
    if interface in PRIVATE or cost.share is not None:
        lost = "" if interface == "compare" else cost.whole
        assert f"{headline} {lost}" in said.texts[interface]
    if cost.share is None and interface not in ("private", "compare"):
        assert str(cost) in said.texts[interface]  # by its own name, beside or instead


def test_programs_and_notebooks_are_told_the_same(said: Said) -> None:
    told = said.facts["stated"]
    assert re.search(said.case.cells, told["cells"])
    assert ("added" in told) is said.case.adds
    made = shoal.anonymize(said.case.frame, shoal.Plan.from_dict(said.case.data))
    for text in (" ".join(told.values()), plain(made._repr_html_()).split("measure value")[0]):
        assert not [words for words in said.case.never if re.search(words, text)]
        assert bool(ADDED.search(text)) is said.case.adds


def table(rows: int = 60) -> pl.DataFrame:
    """A table of which a column misses many cells, and another few."""
    ages = [None if n % 3 == 0 else 20 + n for n in range(rows)]
    zips = [None if n == 1 else f"1{n % 4}{n % 10}" for n in range(rows)]
    ills = [("flu", "HIV", "asthma")[n % 3] for n in range(rows)]
    return pl.DataFrame({"age": ages, "zip": zips, "ill": ills})


@pytest.mark.parametrize("name", ["two tables", "groups", "two tables, generalized"])
def test_a_suppressed_column_is_not_called_exact(name: str, tmp_path: Path) -> None:
    publication = {**CASES[name].publication, "missing": "suppress-column"}
    case = replace(CASES[name], publication=publication)
    plan, release = case.write(tmp_path), tmp_path / "release"
    ages = pl.when(pl.int_range(pl.len()) % 9 == 0).then(None).otherwise("age").alias("age")
    case.frame.with_columns(ages).write_csv(tmp_path / "people.csv")
    texts = {"dry run": call("run", plan, "--dry-run"), "run": call("run", plan)}
    texts |= {each: call(each, release) for each in ("explain", "verify", "risk")}
    for each, place in {"public": release, "private": Path(f"{release}.private")}.items():
        texts[each] = plain((place / "report.html").read_text(encoding="utf-8"))
    for text in texts.values():
        assert "'age' shows * in every row" in text
    assert "the cells of 'sex' and 'race' are" in texts["explain"]
    assert "age quasi published as * in every row" in texts["public"]
    for interface in ("run", "private"):
        assert "age a range" not in texts[interface]


HIDING = {
    "few cells": {"method": "mondrian"},
    "few rows": {"method": "full-domain", "suppression_limit": 0.1},
    "weights": {"method": "mondrian", "weights": "entropy"},
    "dropped": {"method": "mondrian", "missing": "drop"},
}


@pytest.mark.parametrize("options", HIDING.values(), ids=HIDING)
def test_where_small_counts_are_hidden_another_figure_has_another_name(
    options: dict[str, Any], tmp_path: Path
) -> None:
    made = shoal.anonymize(
        table(), k=5, quasi=["age", "zip"], sensitive="ill", entity="none", seed=1, **options
    )
    folder = made.write(tmp_path / "out")
    facts, cost = made.facts(), Cost.from_facts(made.facts())
    headline = percent(made.measures["iloss_rate"])
    assert str(Cost.of(made)) == f"{headline} of the information"
    pages = [folder / "report.html", tmp_path / "out.private" / "report.html"]
    public, private = (plain(page.read_text(encoding="utf-8")) for page in pages)
    explained = " ".join(explain(facts))
    assert f"{headline} of the information: the cost" in private
    if cost.share is not None:
        assert f"{headline} of the information: the cost" in public
        assert f"That cost {headline} of the information." in explained
        return
    assert "iloss_rate" not in facts["measures"]
    for text in (public, explained):
        assert f"{cost.figure} of the information in the published rows alone" in text
        assert f"{headline} of the information" not in text.replace(str(cost), "")
    assert "iloss_rate, published rows alone" in public


def test_small_counts_are_hidden_there() -> None:
    made = shoal.anonymize(
        table(), k=5, quasi=["age", "zip"], sensitive="ill", entity="none", method="mondrian"
    )
    cost = Cost.from_facts(made.facts())
    assert cost.share is None
    assert cost.figure != percent(made.measures["iloss_rate"])


def test_older_releases_told_the_other_figure_by_the_same_name() -> None:
    facts = {"publication": "generalized", "measures": {"iloss_rate": 0.41}, "measures_note": "…"}
    cost = Cost.from_facts(facts)
    assert cost.share is None
    assert cost.of_published == 0.41


@pytest.mark.parametrize("kind", ["two-table", "generalized"])
def test_counterfeits_are_said_with_their_share(kind: str, tmp_path: Path) -> None:
    make = test_again.release if kind == "two-table" else test_again_one_table.release
    make(test_again.FIRST).write(tmp_path / "a")
    made = make(test_again_one_table.GONE, again=tmp_path / "a")
    folder = made.write(tmp_path / "b")
    assert made.n_noise
    assert ADDED.search(made.added)
    texts = [call(name, folder) for name in ("explain", "verify", "risk")]
    for place in (folder, tmp_path / "b.private"):
        texts.append(plain((place / "report.html").read_text(encoding="utf-8")))
    for text in texts:
        assert ADDED.search(text)


def test_a_form_that_states_nothing_is_not_called_safe() -> None:
    class Silent(Publication):
        name = "silent"

        def make(self, *_: Any, **__: Any) -> Any: ...

        def file_names(self, sensitive: Any) -> Any: ...

    form = Silent()
    assert "does not state" in form.cells
    assert "may find the person's own row" in form.finds(5, "rows")
    promise = Promise.of([shoal.KAnonymity(5)], form, counts="rows")
    assert "is not known to hide which row belongs to whom" in promise.leaves_open
    assert not any(words in promise.holds for words in ALIKE)
    assert "0.2 per published row" in form.added({"noise_ratio": 0.2})
