"""Comparison of k and methods: points, frontier, recommendation, what is kept and what is
written."""

from __future__ import annotations

import json
import stat
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import ParameterError, PlanError
from shoal.steward.comparison import Comparison, Point, Setting
from shoal.steward.comparison.running import Kept
from shoal.steward.comparison.setting import settings
from shoal.steward.comparison.writing import page

CANARY = "CANARY-7131"


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    adult = shoal.datasets.adult().sample(300, seed=4)
    return adult.select("age", "sex", "race", "salary-class").with_columns(name=pl.lit(CANARY))


@pytest.fixture(scope="module")
def plan(frame: pl.DataFrame) -> shoal.Plan:
    return shoal.propose(frame, k=4, sensitive="salary-class", drop="name").plan


@pytest.fixture(scope="module")
def found(frame: pl.DataFrame, plan: shoal.Plan) -> Comparison:
    return shoal.compare(
        plan, frame, k=[3, 9, 400], method=["gaa-cp", "mondrian"], label="salary-class", workers=1
    )


def test_a_point_is_what_a_run_says(
    frame: pl.DataFrame, plan: shoal.Plan, found: Comparison
) -> None:
    by = {point.setting: point for point in found.points}
    point = by[Setting(9, "mondrian")]
    release = shoal.anonymize(frame, Setting(9, "mondrian").plan(plan))
    assert point.loss == release.measures["iloss_rate"]
    risk = release.reidentification().prosecutor
    assert (point.highest, point.average) == (risk.highest, risk.average)
    assert point.highest <= 1 / 9
    assert point.rows == release.frame.height
    assert point.learnt is not None
    assert 0.4 < point.learnt <= 1


def test_rows_that_are_dropped_count_as_suppressed() -> None:
    frame = pl.DataFrame({"age": [30, 31, 32, None] * 10, "ill": ["flu", "TB"] * 20})
    plan = shoal.Plan.from_dict(
        {
            "columns": {"age": {"role": "quasi", "kind": "numeric"}, "ill": {"role": "sensitive"}},
            "require": [{"model": "k-anonymity", "k": 2}],
            "method": {"name": "gaa-cp", "seed": 1},
            "publication": {"missing": "drop"},
        }
    )
    [point] = shoal.compare(plan, frame, k=[3], method=["gaa-cp"], workers=1).points
    assert (point.rows, point.suppressed) == (30, 10)


def test_one_failure_does_not_stop_the_rest(found: Comparison) -> None:
    failed = [point for point in found.points if point.failed]
    assert {point.setting.k for point in failed} == {400}
    assert all("400-anonymity" in point.failed for point in failed)
    assert len(found.made) == 4


def test_the_frontier_is_that_of_all_pairs(found: Comparison) -> None:
    for point in found.made:
        beaten = any(
            (o.loss <= point.loss and o.highest < point.highest)
            or (o.loss < point.loss and o.highest <= point.highest)
            for o in found.made
        )
        assert (point in found.frontier) is not beaten
    assert found.recommended in found.frontier


def test_nothing_dear_is_recommended_while_something_else_is_there() -> None:
    plan = shoal.Plan.from_dict(
        {"columns": {"a": {"role": "quasi"}}, "require": [{"model": "k-anonymity", "k": 2}]}
    )
    losses = {3: 0.3, 10: 0.4, 20: 0.6, 50: 0.61}
    points = tuple(Point(Setting(k, "auto"), loss=x, highest=1 / k) for k, x in losses.items())
    best = Comparison(plan, points).recommended
    assert best is not None
    assert best.setting.k == 10
    assert Comparison(plan, ()).recommended is None
    assert Comparison(plan, ()).reason == ""


def test_processes_change_nothing(
    frame: pl.DataFrame, plan: shoal.Plan, found: Comparison, tmp_path: Path
) -> None:
    """Two processes, going on from a file in which one point is kept and a line is cut off."""
    seeded = shoal.Plan.from_dict({**plan.to_dict(), "publication": {"seed": 5}})
    ask = {"k": [3, 9], "method": "mondrian"}
    alone = shoal.compare(seeded, frame, workers=1, **ask)  # type: ignore[arg-type]
    keep = tmp_path / "private" / "points.jsonl"
    shoal.compare(seeded, frame, k=3, method="mondrian", workers=1, keep=keep)
    keep.write_text(keep.read_text() + '{"of": "x", "sett')
    done: list[tuple[int, int]] = []
    both = shoal.compare(
        seeded,
        frame,
        workers=2,
        keep=keep,
        progress=lambda *told: done.append(told),
        **ask,  # type: ignore[arg-type]
    )
    assert done[0] == (1, 2)
    assert done[-1] == (2, 2)
    assert [(p.loss, p.highest) for p in both.points] == [(p.loss, p.highest) for p in alone.points]
    assert stat.S_IMODE(keep.stat().st_mode) == 0o600
    other = frame.with_columns(age=pl.col("age") + 1)
    again: list[tuple[int, int]] = []
    shoal.compare(
        seeded, other, k=3, method="mondrian", workers=1, keep=keep,
        progress=lambda *told: again.append(told),
    )  # fmt: skip
    assert again[0] == (0, 1)  # another table: nothing is taken over


@pytest.mark.parametrize("file", ["people.csv", "sex.csv", "levels.csv", "population.csv"])
def test_points_of_other_files_are_not_taken_over(
    frame: pl.DataFrame, plan: shoal.Plan, tmp_path: Path, file: str
) -> None:
    frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "sex.csv").write_text("Female;*\nMale;*\n")
    (tmp_path / "levels.csv").write_text("<=50K;2\n>50K;1\n")
    frame.write_csv(tmp_path / "population.csv")
    data = plan.to_dict()
    data["columns"]["sex"]["hierarchy"] = "sex.csv"
    data["columns"]["salary-class"]["levels"] = "levels.csv"
    data |= {"input": {"path": "people.csv"}, "population": {"path": "population.csv"}}
    asked = shoal.Plan.from_dict(data, folder=tmp_path)

    def made_of() -> str:
        return Kept(tmp_path / "points.jsonl", asked, asked.input_path, None).made_of

    before = made_of()
    assert made_of() == before
    with (tmp_path / file).open("a") as changed:
        changed.write("x\n")
    assert made_of() != before


def test_usual_methods_are_those_that_can_carry_the_plan(plan: shoal.Plan) -> None:
    assert {each.method for each in settings(plan)} == {"auto", "gaa-cp", "mondrian", "full-domain"}
    two = shoal.Plan.from_dict(
        {**plan.to_dict(), "publication": {"form": "two-table"}, "method": {"name": "anatomy"},
         "require": [{"model": "alpha-k", "alpha": 0.9, "k": 2}]}
    )  # fmt: skip
    assert "anatomy" in {each.method for each in settings(two)}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"k": 1}, "at least 2"),
        ({"k": []}, "at least one"),
        ({"k": ["a"]}, "at least one"),
        ({"method": "kcaa"}, "kaca"),
        ({"method": 3.5}, "must be a list"),
        ({"workers": 0}, "workers"),
        ({"label": "salary"}, "salary-class"),
    ],
)
def test_what_cannot_be_tried(
    plan: shoal.Plan, frame: pl.DataFrame, asked: dict[str, object], words: str
) -> None:
    with pytest.raises(ParameterError, match=words):
        shoal.compare(plan, frame, **asked)  # type: ignore[arg-type]


def test_a_plan_without_k(plan: shoal.Plan) -> None:
    without = shoal.Plan.from_dict(
        {**plan.to_dict(), "require": [{"model": "l-diversity", "l": 2, "column": "salary-class"}]}
    )
    with pytest.raises(PlanError, match="has a k to vary"):
        shoal.compare(without)


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        self.outside += [str(v) for k, v in attrs if k in ("src", "href") and v != "data:,"]


def test_the_page_holds_every_point_and_no_request(found: Comparison) -> None:
    made = page(found)
    links = Links()
    links.feed(made)
    assert links.outside == []
    assert found.reason.split(":")[0] in made
    assert made.count("<details>") == len(found.made)
    assert "400-anonymity" in made
    assert CANARY not in made


def test_a_comparison_of_failures_alone(frame: pl.DataFrame, plan: shoal.Plan) -> None:
    found = shoal.compare(plan, frame, k=[301, 400], method="mondrian", workers=1)
    assert found.frontier == ()
    assert found.recommended is None
    made = page(found)
    assert "301-anonymity" in made
    assert "Begin with" not in made


def test_the_command(frame: pl.DataFrame, plan: shoal.Plan, tmp_path: Path) -> None:
    frame.write_csv(tmp_path / "people.csv")
    data = {**plan.to_dict(), "input": {"path": "people.csv"}}
    path = tmp_path / "plan.toml"
    path.write_text(shoal.Plan.from_dict(data).to_toml())
    command = ["compare", str(path), "--k", "3,6", "--method", "mondrian"]
    result = CliRunner().invoke(app, command, env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.stderr
    assert "Begin with k = " in result.stdout
    answer = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert answer["recommended"] in answer["frontier"]
    folder = tmp_path / "plan.compare"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    copied = tmp_path / "k3-mondrian.toml"
    copied.write_text((folder / "k3-mondrian.toml").read_text())
    assert CliRunner().invoke(app, ["run", str(copied)]).exit_code == 0
    assert (tmp_path / "release-k3-mondrian" / "table.csv").is_file()
    wrong = CliRunner().invoke(app, ["compare", str(path), "--k", "3,x"])
    assert wrong.exit_code == 2
    assert "whole numbers" in wrong.stderr
    (tmp_path / "people.csv").unlink()
    gone = CliRunner().invoke(app, ["compare", str(path), "-o", str(tmp_path / "gone")])
    assert gone.exit_code == 2
    assert "There is no file" in gone.stderr
    assert not (tmp_path / "gone").exists()
