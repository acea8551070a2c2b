"""What helps a column that was lost: levers, what they do and cost, and which is recommended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import ParameterError
from shoal.steward.advice import Advice, ColumnFigures, Lever, Trial
from shoal.steward.advice.beginning import begin
from shoal.steward.advice.levers import AS_IT_IS
from shoal.steward.advice.trial import measure_trial
from tests.cli.small_run import listing

PLAN = """
[input]
path = "people.csv"
[columns.age]
role = "quasi"
kind = "numeric"
[columns.height]
role = "quasi"
kind = "numeric"
[columns."home town"]
role = "quasi"
[[require]]
model = "k-anonymity"
k = 10
[method]
name = "mondrian"
[publication]
seed = 1
[output]
path = "out"
"""
TOWN = "home town"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table in which one column dies: mondrian cuts numbers first."""
    folder, rng, n = tmp_path_factory.mktemp("advice"), np.random.default_rng(3), 300
    towns = [f"town {i:02}" for i in rng.integers(0, 12, n)]
    numbers = {"age": rng.integers(20, 80, n), "height": rng.integers(150, 200, n)}
    pl.DataFrame({**numbers, TOWN: towns}).write_csv(folder / "people.csv")
    (folder / "plan.toml").write_text(PLAN)
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> Advice:
    return shoal.advise(shoal.Plan.read(folder / "plan.toml"), workers=1)


def by_name(found: Advice, name: str) -> Trial:
    (trial,) = (each for each in found.trials if each.lever.name == name)
    return trial


def test_the_column_that_died_is_found_and_a_weight_brings_it_back(found: Advice) -> None:
    assert found.columns == (TOWN,)
    assert found.now.columns[TOWN].typical == "*"
    then = by_name(found, "weight 2").columns[TOWN]
    assert (then.typical, then.starred) == ("the value itself", 0)
    assert by_name(found, "weight 2") in [each.trial for each in found.effects(TOWN)]


@pytest.mark.parametrize("name", ["weight 2", "leaving out 'age'", "k = 5", "the method auto"])
def test_figures_are_those_of_a_run_of_the_plan_with_these_options(
    folder: Path, found: Advice, name: str
) -> None:
    trial = by_name(found, name)
    plan = shoal.Plan.read(folder / "plan.toml", changes=trial.lever.changes)
    made = shoal.anonymize(folder / "people.csv", plan)
    assert trial.loss == made.measures["iloss_rate"]
    assert trial.highest == made.reidentification().prosecutor.highest
    assert trial.columns[TOWN].starred == (made.frame[TOWN] == "*").mean()
    assert ("age" in trial.columns) is ("age" in made.frame.columns)
    losses = shoal.measures.iloss_rate.by_column_of(made.pair)
    assert {name: each.loss for name, each in trial.columns.items()} == losses


def test_what_a_lever_costs_is_the_difference_of_two_runs(found: Advice) -> None:
    effect = next(e for e in found.effects(TOWN) if e.lever.leaves_out == "age")
    now, then = found.now.columns, effect.trial.columns
    assert effect.column == then[TOWN].loss - now[TOWN].loss
    others = (1 - now["age"].loss) + (then["height"].loss - now["height"].loss)
    assert effect.others == pytest.approx(others / 2)  # what is left out is lost
    assert effect.whole == pytest.approx((others + effect.column) / 3)
    kept = next(e for e in found.effects(TOWN) if e.lever.name == "weight 2")
    assert kept.whole == pytest.approx(kept.trial.loss - found.now.loss)


def test_the_recommended_lever_costs_least_of_those_that_help_enough(found: Advice) -> None:
    best = found.recommended(TOWN)
    assert best is not None
    ranked = [e for e in found.effects(TOWN) if e.lever.keeps_all]
    most = min(e.column or 0 for e in ranked)
    enough = [e for e in ranked if (e.column or 0) <= most / 3]
    assert best.others == min(e.others for e in enough)
    assert f"For '{TOWN}' try {best.lever.name}: " in found.reason(TOWN)
    assert " instead of *" in found.reason(TOWN)


def test_weights_are_refined_by_a_measure_that_knows_them(folder: Path) -> None:
    plan = shoal.Plan.read(folder / "plan.toml", changes=["method.name=auto"])
    frame = pl.read_csv(folder / "people.csv").head(60)
    tried = shoal.advise(plan, frame, columns=["age", TOWN], workers=1)
    assert tried.columns == ("age", TOWN)
    levers = {trial.lever.title: trial.lever for trial in tried.trials}
    asked = levers[f"weight 5 for '{TOWN}', refining by loss"]
    assert asked.changes == (f'columns."{TOWN}".weight=5', 'method.measure="loss"')
    assert asked.options == f"""--set 'columns."{TOWN}".weight=5' --set 'method.measure="loss"'"""
    assert asked.edit == f'weight = 5 under [columns."{TOWN}"] and measure = "loss" under [method]'
    assert {each.split(" for ")[0] for each in levers} >= {
        "weight 2", "weight 10", "refining by loss", "refining 4 times as long", "k = 5",
        "leaving out 'age'",
    }  # fmt: skip


def test_full_domain_may_suppress_more_or_give_way_to_auto(folder: Path) -> None:
    plan = shoal.Plan.read(folder / "plan.toml", changes=["method.name=full-domain"])
    tried = shoal.advise(plan, workers=1)
    limits = by_name(tried, "suppressing up to 10% of the rows").lever.changes
    assert limits == ("publication.suppression_limit=0.1",)
    best = tried.recommended(TOWN)
    assert best is not None
    assert best.lever.name == "the method auto"
    assert not tried.failed


def test_nothing_helps_and_it_says_so() -> None:
    frame = pl.DataFrame({"town": [f"town {i}" for i in range(20)]})
    release = shoal.anonymize(frame, k=5, quasi="town", method="mondrian", seed=1)
    tried = shoal.advise(release, workers=1)
    assert tried.columns == ("town",)
    assert len(tried.trials) >= 5
    assert tried.effects("town") == []
    assert tried.recommended("town") is None
    assert tried.reason("town") == "None of the changes makes 'town' noticeably finer."
    assert tried.recommended_for_table is None
    assert "Only" not in tried.reason_for_table
    assert "only you know" in tried.notes[0]  # there are no groups between values and *


def test_a_table_that_lost_nothing_needs_no_lever() -> None:
    frame = pl.DataFrame({"sex": ["f"] * 5 + ["m"] * 5})
    tried = shoal.advise(shoal.anonymize(frame, k=5, quasi="sex", seed=1), workers=1)
    assert (tried.columns, tried.trials) == ((), ())


def figures(town: float, age: float) -> dict[str, ColumnFigures]:
    return {"town": ColumnFigures("*", town, 0, town), "age": ColumnFigures("*", age, 0, age)}


def advice(**trials: Any) -> Advice:
    plan = shoal.Plan.from_dict(
        {"columns": {"town": {"role": "quasi"}, "age": {"role": "quasi"}},
         "require": [{"model": "k-anonymity", "k": 5}]}
    )  # fmt: skip
    now = Trial(AS_IT_IS, figures(0.9, 0.1), loss=0.5)
    return Advice(plan, now, tuple(trials.values()), ("town",))


def test_less_protection_is_told_and_never_recommended() -> None:
    weaker = Trial(Lever("k = 3", (), weakens=True), figures(0.1, 0.1), loss=0.1, highest=1 / 3)
    tried = advice(weaker=weaker)
    assert [each.trial for each in tried.effects("town")] == [weaker]
    assert [each.trial for each in tried.for_table] == [weaker]
    assert tried.recommended("town") is None
    assert tried.recommended_for_table is None


def test_another_column_is_left_out_only_if_nothing_else_helps() -> None:
    only_town = {"town": ColumnFigures("*", 0.2, 0, 0.2)}
    without = Trial(Lever("leaving out 'age'", (), leaves_out="age"), only_town)
    weight = Trial(Lever("weight 2", (), column="town"), figures(0.5, 0.9))
    best = advice(without=without, weight=weight).recommended("town")
    assert best is not None
    assert best.trial is weight
    left = advice(without=without)
    assert left.recommended("town") is not None
    assert "No change that keeps all columns helps it." in left.reason("town")


def test_what_python_alone_knew_is_run_again(folder: Path) -> None:
    """Kinds that a frame told, a tree that no file holds, a seed that was drawn."""
    frame = pl.read_csv(folder / "people.csv")
    values = frame[TOWN].unique().sort().to_list()
    tree = shoal.Hierarchy.from_dict({"north": values[:6], "south": values[6:], "sea": ["none"]})
    release = shoal.anonymize(
        frame, k=10, quasi={"age": None, "height": None, TOWN: tree}, method="gaa-cp"
    )
    start = begin(release, None, 1000)
    again = measure_trial(start.plan, start.source, AS_IT_IS)
    assert again.loss == release.measures["iloss_rate"]
    assert again.columns["age"].typical.startswith("a range")
    assert (release.frame[TOWN] == "north").any()
    assert start.plan.publication.seed == release.seed


def test_rows_are_drawn_from_a_large_table_all_of_a_person_together() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"who": rng.integers(0, 60, 200), "age": rng.integers(20, 80, 200)})
    plan = shoal.Plan.from_dict(
        {"entity": "who", "columns": {"who": {"role": "identifier"}, "age": {"role": "quasi",
         "kind": "numeric"}}, "require": [{"model": "k-anonymity", "k": 4}],
         "method": {"name": "mondrian"}, "publication": {"seed": 2}}
    )  # fmt: skip
    tried = shoal.advise(plan, frame, rows=100, workers=1)
    drawn = begin(plan, frame, 100).source
    assert (tried.rows, tried.of) == (drawn.height, 200)
    assert 80 < drawn.height <= 100
    kept = frame.filter(pl.col("who").is_in(drawn["who"].implode()))
    assert kept.height == drawn.height
    alone = shoal.Plan.from_dict({**plan.to_dict(), "entity": "none"})
    assert begin(alone, frame, 100).source.height == 100


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"columns": "town"}, TOWN),
        ({"columns": 3}, "list columns"),
        ({"columns": [3]}, "by texts"),
        ({"workers": 0}, "workers"),
        ({"workers": "x"}, "workers"),
        ({"rows": 0}, "rows"),
    ],
)
def test_what_cannot_be_asked(folder: Path, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        shoal.advise(shoal.Plan.read(folder / "plan.toml"), **asked)


def test_what_cannot_be_advised(folder: Path) -> None:
    with pytest.raises(ParameterError, match="not a str"):
        shoal.advise("plan.toml")  # type: ignore[arg-type]
    frame = pl.read_csv(folder / "people.csv")
    release = shoal.anonymize(frame, k=5, quasi=frame.columns, method="mondrian")
    with pytest.raises(ParameterError, match="already holds its table"):
        shoal.advise(release, frame)
    centres = shoal.anonymize(
        frame.select("age"), k=5, quasi="age", method="mdav", publication="microaggregated"
    )
    with pytest.raises(ParameterError, match="centres"):
        shoal.advise(centres)


def run(folder: Path, *options: str) -> Any:
    return CliRunner().invoke(app, ["run", str(folder / "plan.toml"), *options])


def test_the_command_tries_after_the_run_and_writes_nothing_more(
    folder: Path, tmp_path: Path, found: Advice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By two processes, whose answers are those of one."""
    monkeypatch.setenv("COLUMNS", "80")
    before = listing(folder)
    result = run(folder, "--advise", "--output", str(tmp_path / "out"))
    assert result.exit_code == 0, result.stderr
    assert listing(folder) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.private"]
    text = result.stdout
    assert max(map(len, text[text.index("What helps") :].splitlines())) <= 80
    assert "Weights and other levers" not in text  # they were tried
    assert f"""--set 'columns."{TOWN}".weight=2'""" in text
    assert text.index("What happened to the columns") < text.index(f"What helps '{TOWN}'")
    assert found.reason(TOWN) in " ".join(text.split())
    assert found.reason_for_table in " ".join(text.split())


def test_the_command_answers_programs(
    folder: Path, found: Advice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoal.steward.comparison.processes.os.cpu_count", lambda: 1)
    before = listing(folder)
    result = run(folder, "--advise", "--dry-run", "--json")
    assert result.exit_code == 0, result.stderr
    assert listing(folder) == before
    told = json.loads(result.stdout)
    assert told["written"] is False
    assert told["advice"]["columns"] == found.to_dict()["columns"]
    assert told["advice"]["table"] == found.to_dict()["table"]
    assert {each["lever"]["name"] for each in told["advice"]["trials"]} == {
        each.lever.title for each in found.trials
    }


def test_a_lost_column_is_named_with_the_way_to_try(folder: Path, found: Advice) -> None:
    said = " ".join(run(folder, "--dry-run").stdout.split())
    starred = found.now.columns[TOWN].starred
    assert f"Column '{TOWN}' is * in {starred:.0%} of its known cells." in said
    assert "plan.toml --advise" in said


def test_ctrl_c_leaves_no_half_table(
    folder: Path, monkeypatch: pytest.MonkeyPatch, found: Advice
) -> None:
    def stopped(*given: Any) -> Any:
        yield found.trials[0]
        raise KeyboardInterrupt

    monkeypatch.setattr("shoal.steward.advice.advising.work_on_each", stopped)
    result = run(folder, "--advise", "--dry-run")
    assert result.exit_code == 130
    assert "Stopped." in result.stderr
    assert "What helps" not in result.stdout
    assert run(folder, "--advise", "--dry-run", "--json").stdout == ""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--again", "out"), "Leave out --advise"),
        (("--set", "method.name=mdav", "--set", "publication.form=microaggregated"), "centres"),
    ],
)
def test_the_command_refuses_before_any_work(
    folder: Path, tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    result = run(folder, "--advise", "--output", str(tmp_path / "out"), *options)
    assert result.exit_code == 2
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []
