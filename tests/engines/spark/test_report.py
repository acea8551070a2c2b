"""The private report of a release on Spark: that of one machine, and never in the public folder."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli.app import app
from shoal.cli.on_spark import show_release
from shoal.engines.spark import marks, spreads
from shoal.release.cost import Cost
from shoal.release.explanation import explain
from shoal.release.head_counts import HeadCounts
from shoal.release.promise import Promise
from shoal.release.report.private import attempts, relations
from tests.browser import visit
from tests.engines.spark.test_engines import K, on_spark, people, plan

SECTIONS = re.compile(r'<section id="(\w+)">(.*?)</section>', re.DOTALL)
SAME = ("risk", "sizes", "columns", "coarseness", "margins", "relations", "weights", "missing")
"""Sections that are worked out over all rows on both engines, or over all rows that there are."""
ALIKE = ("missing", "rows", "loss", "measures_note", "counted", "require", "entity", "title")
"""Public facts that both engines must agree in."""
ORDERED = "learning"
"""A model that is learned depends on the order of rows."""
RANDOM = re.compile(r'<td class="number" data-label="control">[^<]*</td>')
"""What attacks get where there is nothing to find is drawn at random."""


def sections(folder: Path) -> dict[str, str]:
    page = folder.with_name(f"{folder.name}.private") / "report.html"
    assert page.stat().st_mode & 0o077 == 0
    found = dict(SECTIONS.findall(page.read_text(encoding="utf-8")))
    assert "rows" in found
    return found


def attacks(section: str) -> list[str]:
    rows = re.findall(r"<tr><th>.*?</tr>", RANDOM.sub("", section))
    return sorted(row for row in rows if ORDERED not in row) + re.findall(
        "Attacks that get nothing: .*", section
    )


ABOUT = {"title": "Visits", "purpose": "Shown to nobody"}
K5 = {"model": "k-anonymity", "k": 5}
CANARY = "canary-7319"


def named(frame: pl.DataFrame) -> pl.DataFrame:
    """Plant a name in each row."""
    return frame.with_columns(name=pl.format(CANARY + "-{}-", pl.int_range(pl.len())))


def asked(require: list[dict[str, Any]], **options: Any) -> shoal.Plan:
    made = plan(require, blocks=2, about=ABOUT, **options).to_dict()
    columns = made["columns"] | {"name": {"role": "identifier"}}
    columns["age"]["kind"] = "numeric"
    return shoal.Plan.from_dict(made | {"columns": columns})


ROW = pl.int_range(pl.len())
CASES: dict[str, tuple[pl.DataFrame, shoal.Plan, bool]] = {
    "people": (
        people(),
        asked([K, {"model": "l-diversity", "l": 2}], ill={"builder": "auto"}, entity="id"),
        False,
    ),
    "few holes": (people().with_columns(town=pl.when(ROW > 2).then("town")), asked([K5]), True),
    "holes of people": (
        people().with_columns(town=pl.when(ROW % 9 > 4).then("town")),
        asked([K5], entity="id"),
        True,
    ),
    "rows left out": (
        people(400),
        asked(
            [{"model": "alpha-k", "k": 4, "alpha": 0.29}], publication={"suppression_limit": 0.9}
        ),
        False,
    ),
}
"""Tables, plans, and whether a count of few heads is hidden."""


@dataclass(frozen=True)
class Both:
    """A release on Spark, and the same on one machine."""

    case: str
    spark: shoal.spark.SparkRelease
    local: shoal.Release
    place: Path

    @property
    def folder(self) -> Path:
        return self.spark.folder

    @property
    def told(self) -> Any:
        return json.loads((self.place / "local" / "release.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=CASES)
def both(request: pytest.FixtureRequest, session: Any, tmp_path_factory: Any) -> Both:
    frame, plan_, _ = CASES[request.param]
    place = tmp_path_factory.mktemp("both")
    plan_ = shoal.Plan.from_dict(
        plan_.to_dict() | {"input": {"path": str(place / "input.parquet")}}
    )
    made = on_spark(session, named(frame), plan_, place / "out", place=place / "input.parquet")
    local = shoal.anonymize(named(frame), plan_)
    local.write(place / "local")
    return Both(request.param, made, local, place)


def _xfail_where_rows_are_left_out(both: Both) -> None:
    if both.case == "rows left out":
        pytest.xfail("Spark groups the rows that stay anew; one machine carries groups over")


def test_its_figures_are_those_of_one_machine(both: Both) -> None:
    _xfail_where_rows_are_left_out(both)
    ours, theirs = sections(both.folder), sections(both.place / "local")
    assert ours.keys() == theirs.keys()
    for name in SAME:
        if name in theirs:
            assert ours[name] == theirs[name], name
    assert attacks(ours["attacks"]) == attacks(theirs["attacks"])
    assert "drawn" not in ours["relations"] + ours["attacks"]
    for name in both.spark.measures:
        line = f'<th>{name}</th><td class="number" data-label="value">'
        assert _after(ours["cost"], line) == _after(theirs["cost"], line)
    assert "There is no lower bound: a lower bound" in ours["bound"]
    assert "shoal run --engine spark out.private/plan.toml" in ours["repeat"]


def _after(text: str, start: str) -> str:
    return text[text.index(start) + len(start) :].split("<", 1)[0]


def test_both_engines_hide_the_same_numbers(both: Both) -> None:
    _xfail_where_rows_are_left_out(both)
    made, told = both.spark.facts, both.told
    assert {key: made.get(key) for key in ALIKE} == {key: told.get(key) for key in ALIKE}
    assert made["measures"] == {name: told["measures"][name] for name in made["measures"]}
    assert ("measures_note" in made) is CASES[both.case][2]
    assert (both.local.n_suppressed > 0) is (both.case == "rows left out")


def test_nothing_private_is_in_the_public_folder(both: Both) -> None:
    """A name was planted in each row; some rows are left out."""
    _xfail_where_rows_are_left_out(both)
    names = {path.name for path in both.folder.iterdir()}
    assert names == {"release.json", "report.html", "table.parquet"}
    for file in both.folder.rglob("*"):
        if file.is_file():
            held = pl.read_parquet(file).rows() if file.suffix == ".parquet" else file.read_text()
            for secret in (CANARY, ABOUT["purpose"], "before and after"):
                assert secret not in str(held)
    private = both.folder.with_name("out.private")
    kept = pl.read_parquet(private / "rows.parquet" / "*.parquet")
    assert kept.height == both.local.table.height
    assert CANARY in str(kept["original"].to_list())
    page = (private / "report.html").read_text(encoding="utf-8")
    assert CANARY not in page  # identifiers are not shown even there
    assert ABOUT["purpose"] in page
    modes = {path.stat().st_mode & 0o777 for path in private.rglob("*")}
    assert modes <= {0o600, 0o700}


def test_its_words_and_its_cost_are_those_of_one_machine(
    both: Both, capsys: pytest.CaptureFixture[str]
) -> None:
    _xfail_where_rows_are_left_out(both)
    show_release(both.spark)
    shown = " ".join(capsys.readouterr().out.replace("│", "").split())
    told = Cost.from_facts(both.spark.facts)
    assert (told.share is None) is CASES[both.case][2]
    assert f"Cost {Cost.of(both.local)}" in shown
    assert told.share is not None or f"in public files: {told}" in shown
    assert "Cells Generalized." in shown
    assert Promise.from_facts(both.spark.facts).leaves_open in shown
    assert explain(both.spark.facts)[2:] == explain(both.told)[2:]
    assert both.spark.facts["stated"] == both.told["stated"]


def test_commands_make_sense_of_such_a_folder(both: Both) -> None:
    place = str(both.place / "input.parquet")
    for command in (["explain"], ["risk"], ["verify"]):
        said = CliRunner().invoke(app, [command[0], str(both.folder), *command[1:]])
        assert said.exit_code == 0, said.output
    said = CliRunner().invoke(app, ["risk", str(both.folder), "--original", place])
    assert said.exit_code == 0, said.output
    assert "before" in said.output
    said = CliRunner().invoke(app, ["risk", str(both.folder), "--outside", place])
    assert said.exit_code == 2
    assert "published by Spark have no numbers" in " ".join(said.output.split())


@pytest.mark.parametrize("width", [1280, 400])
def test_it_reads_well_in_a_browser(both: Both, browser: Any, width: int) -> None:
    with visit(browser, both.folder.with_name("out.private") / "report.html", width=width) as seen:
        assert seen.overflow <= 0
        assert seen.unnamed_pictures == []
        assert seen.errors == []
        assert [each for each in seen.requests if not each.startswith("file:")] == []


def test_of_large_tables_a_sample_is_shown_and_it_says_so(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same seed gives the same bytes, however Spark parts its work."""
    monkeypatch.setattr(attempts, "MOST_ROWS", 200)
    monkeypatch.setattr(relations, "MOST_ROWS", 150)
    plan_, pages = plan([K], blocks=2, entity="id"), []
    for name, size in (("one", "128m"), ("two", "3k")):
        (tmp_path / name).mkdir()
        session.conf.set("spark.sql.files.maxPartitionBytes", size)
        on_spark(session, people(), plan_, tmp_path / name / "out")
        pages.append((tmp_path / name / "out.private" / "report.html").read_bytes())
    session.conf.unset("spark.sql.files.maxPartitionBytes")
    assert pages[0] == pages[1]
    ours = sections(tmp_path / "one" / "out")
    drawn = re.search(r"Measured on (\d+) rows, drawn with the release’s seed", ours["relations"])
    whole = re.search(r"Measured on (\d+) rows, in whole classes drawn with", ours["attacks"])
    assert drawn is not None
    assert 100 < int(drawn[1]) <= 150
    assert whole is not None
    assert 100 < int(whole[1]) <= 200
    assert "Left out here, because they take long on a large table: downcoding" in ours["attacks"]
    assert "publish some of the rows without Spark to see them" in ours["attacks"]
    shoal.anonymize(people(), plan_).write(tmp_path / "local")
    theirs = sections(tmp_path / "local")
    for name in ("risk", "sizes", "coarseness", "margins", "missing"):  # of all rows, still
        assert ours[name] == theirs[name], name


def test_what_one_place_cannot_hold_is_left_out(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "MOST_ROWS", 3)
    monkeypatch.setattr(marks, "MOST_KINDS", 1)
    monkeypatch.setattr(spreads, "MOST_CELLS", 7)
    made = on_spark(session, people(300), plan([K], entity="id"), tmp_path / "out").facts
    ours = sections(tmp_path / "out")
    assert "every class that was drawn has too many rows" in ours["attacks"]
    assert "1 more column is not drawn" in ours["margins"]
    # People too different to be counted hide all that could tell of few.
    assert made["missing"]["cost"] is None
    assert made["missing"]["value_missing_rate"] is None
    assert "measures_note" in made


def test_weights_stand_for_equal_rows_and_people() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        some, times = int(rng.integers(2, 8)), rng.integers(1, 4, 8)
        holes, stars = rng.random((2, 8, 2)) < 0.4
        who = rng.integers(0, some, 8)
        who = np.unique(who, return_inverse=True)[1].astype(np.int64)
        every = np.repeat(np.arange(8), times)
        copies = rng.integers(1, 4, who.max() + 1)
        spread = [
            (row, (person, copy))
            for row, person in enumerate(who)
            for copy in range(copies[person])
        ]
        rows = np.array([row for row, _ in spread])
        names = {each: at for at, each in enumerate(dict.fromkeys(whose for _, whose in spread))}
        persons = np.array([names[whose] for _, whose in spread])
        for few, all_rows, people_, weights, weighed in (
            (np.arange(8), every, None, times, None),
            (np.arange(8), rows, persons, copies, who),
        ):
            found = [
                HeadCounts.count(
                    {"a": holes[at, 0], "b": holes[at, 1]},
                    stars[at],
                    people=whose,
                    weights=weight,
                )
                for at, whose, weight in ((few, weighed, weights), (all_rows, people_, None))
            ]
            assert list(found[0]) == list(found[1])
            assert found[0].clear(3) == found[1].clear(3)
