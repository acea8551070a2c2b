"""Utility for learning: features, folds, labels that cannot be learnt, the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import InputError, ParameterError
from shoal.judging.utility import CLASSIFIERS, REGRESSORS, Score, utility
from shoal.judging.utility.features import Space, original_cells, published_cells
from shoal.publications.recoding import parse
from shoal.table import Table

N = 240
TREE = shoal.Hierarchy.from_dict({"warm": ["red", "orange"], "cold": ["blue", "green"]})


def make(n: int = N, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 60, n)
    colour = rng.choice(["red", "orange", "blue", "green"], n)
    ill = np.where((age > 40) ^ (rng.random(n) < 0.05), "yes", "no")
    cost = 10.0 * age + np.where(colour == "red", 100, 0) + rng.normal(0, 5, n)
    return pl.DataFrame({"age": age, "colour": colour, "ill": ill, "cost": cost})


SCHEMA = shoal.Schema(
    {
        "age": shoal.quasi(kind="numeric"),
        "colour": shoal.quasi(hierarchy=TREE),
        "ill": shoal.sensitive(),
        "cost": shoal.other(),
    }
)


def by(scores: list[Score]) -> dict[tuple[str, str, str], float]:
    return {(s.model, s.trained_on, s.measure): s.mean for s in scores}


def published(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("age").cast(pl.String))


def test_an_unchanged_table_scores_like_its_original() -> None:
    frame = make()
    found = by(utility(frame, published(frame), SCHEMA, "ill"))
    for model in CLASSIFIERS:
        for measure in ("accuracy", "auc", "f1"):
            assert found[model, "release", measure] == found[model, "original", measure]
        assert found[model, "original", "accuracy"] > 0.85
    assert found["majority", "baseline", "auc"] == 0.5
    share = frame["ill"].value_counts()["count"].max() / N
    assert found["majority", "baseline", "accuracy"] == pytest.approx(share, abs=0.02)


def test_numbers_are_predicted_as_numbers() -> None:
    frame = make()
    found = by(utility(frame, published(frame), SCHEMA, "cost"))
    assert {model for model, _, _ in found} == {"mean", *REGRESSORS}
    assert found["ridge", "original", "r2"] > 0.95
    assert found["ridge", "release", "mae"] == found["ridge", "original", "mae"]
    assert found["mean", "baseline", "r2"] == pytest.approx(0, abs=0.1)


def test_numbers_that_came_as_text_are_numbers() -> None:
    frame = make()
    words = frame.with_columns(pl.col("cost").cast(pl.String))
    same = [utility(f, published(f), SCHEMA, "cost", models=["ridge"]) for f in (frame, words)]
    assert same[0] == same[1]


def test_a_table_of_stars_is_worth_the_baseline() -> None:
    frame = make()
    nothing = frame.with_columns(age=pl.lit("*"), colour=pl.lit("*"))
    found = by(utility(frame, nothing, SCHEMA, "ill"))
    for model in CLASSIFIERS:
        base = found["majority", "baseline", "accuracy"]
        assert found[model, "release", "accuracy"] == pytest.approx(base)
        assert found[model, "release", "auc"] == pytest.approx(0.5)


def test_a_release_brings_its_rows_and_schema() -> None:
    frame = make()
    release = shoal.anonymize(
        frame, SCHEMA, require=[shoal.KAnonymity(5)], method=shoal.GAACP(seed=1)
    )
    mine = utility(frame, release, None, "ill", models=["naive-bayes"], seed=4)
    assert mine == utility(
        frame, release.table, SCHEMA, "ill", rows=release.rows, models=["naive-bayes"], seed=4
    )
    assert mine != utility(frame, release, None, "ill", models=["naive-bayes"], seed=5)
    assert by(mine)["naive-bayes", "release", "auc"] > 0.7


def test_published_rows_can_be_tested_too() -> None:
    frame = make()
    kept = np.arange(0, N, 2)
    few = published(frame)[kept].with_columns(age=pl.lit("*"))
    call = {"rows": kept, "models": ["naive-bayes"], "train_on": ["release"]}
    scores = utility(frame, few, SCHEMA, "ill", test_on_release=True, **call)
    assert [s.tested_on for s in scores] == ["original"] * 6 + ["release"] * 3
    assert scores[:6] == utility(frame, few, SCHEMA, "ill", **call)
    same = utility(frame, published(frame), SCHEMA, "ill",
                   train_on=["release"], test_on_release=True)  # fmt: skip
    by_test = {(s.model, s.measure, s.tested_on): s.mean for s in same}
    for model in CLASSIFIERS:
        one = by_test[model, "auc", "original"]
        assert by_test[model, "auc", "release"] == pytest.approx(one)


def test_held_out_rows_are_not_learnt_from(monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal.judging.utility import compare

    frame, order = make(), np.random.default_rng(3).permutation(N)[:200]
    splits: list[tuple[set[int], set[int]]] = []
    learnt: list[set[int]] = []
    real = compare._splits

    def spy(*args: Any) -> Any:
        for train, test in real(*args):
            splits.append((set(train.tolist()), set(test.tolist())))
            yield train, test

    monkeypatch.setattr(compare, "_splits", spy)
    monkeypatch.setattr(
        compare,
        "_require_learnable",
        lambda target, held, label: learnt.append(set(order[held].tolist())),
    )
    utility(frame, published(frame)[order], SCHEMA, "ill", rows=order, models=["naive-bayes"])
    assert set().union(*(test for _, test in splits)) == set(range(N))
    for (train, test), held in zip(splits, learnt, strict=True):
        assert held == train & set(order.tolist())
        assert not held & test


def test_the_rows_of_a_person_stay_together() -> None:
    from shoal.judging.utility import compare
    from shoal.judging.utility.label import read_label

    frame = make().with_columns(who=pl.Series(np.arange(N) // 4))
    schema = shoal.Schema({**dict(SCHEMA.items()), "who": shoal.identifier()}, entity="who")
    table = Table.encode(frame, schema)
    for name in ("ill", "cost"):
        target = read_label(table, published(frame), name, 3)
        for train, test in compare._splits(table, target, 3, 0):
            assert not set((train // 4).tolist()) & set((test // 4).tolist())


def test_features_of_cells() -> None:
    frame = pl.DataFrame({"age": [20, 30, None, 50], "colour": ["red", "orange", "blue", None]})
    schema = shoal.Schema({"age": shoal.quasi(), "colour": shoal.quasi(hierarchy=TREE)})
    table = Table.encode(frame, schema)
    shown = pl.DataFrame({"age": ["[20, 40]", "[20, 30)", "*", "50"],
                          "colour": ["red", "warm", "cold", "*"]})  # fmt: skip
    cells, mine = published_cells(table, parse(table, shown)), original_cells(table)
    rows = np.arange(4)
    space = Space.span(cells, rows)
    learnt, tested = space.read(cells, rows), space.read(mine, rows)
    known = np.array([30, 25, 50])
    scale = lambda value: (value - known.mean()) / known.std()  # noqa: E731
    assert space.n_numbers == 1
    assert np.allclose(learnt[:, 0], [scale(30), scale(25), 0, scale(50)])
    assert np.allclose(tested[:, 0], [scale(20), scale(30), 0, scale(50)])
    assert learnt[:, 1].tolist() == tested[:, 1].tolist() == [0, 0, 1, 0]
    # Columns in the order of the leaves: red, warm, cold.
    marks = {tuple(column) for column in learnt[:, 2:].T.astype(int).tolist()}
    assert marks == {(1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0)}
    assert {tuple(column) for column in tested[:, 2:].T.astype(int).tolist()} == marks


def test_intervals_may_be_a_feature_each() -> None:
    frame = pl.DataFrame({"age": [20, 30, None, 50, 29]})
    table = Table.encode(frame, shoal.Schema({"age": shoal.quasi()}))
    shown = pl.DataFrame({"age": ["[20, 40]", "[20, 30)", "*", "50", "[20, 30]"]})
    cells = published_cells(table, parse(table, shown), "one-hot")
    mine, rows = original_cells(table, "one-hot"), np.arange(5)
    space = Space.span(cells, rows)
    assert space.n_numbers == 0
    columns = [[1, 1, 0, 0, 1], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0], [0, 1, 0, 0, 1]]
    assert sorted(space.read(cells, rows).T.astype(int).tolist()) == sorted(columns)
    # 20 and 29 are in every interval from 20 on, 30 not in the one without its end.
    tested = [[1, 1, 0, 0, 1], [1, 0, 0, 0, 1], [0, 0, 0, 1, 0], [1, 1, 0, 0, 1]]
    assert sorted(space.read(mine, rows).T.astype(int).tolist()) == sorted(tested)


def test_one_hot_intervals_are_learnt_from() -> None:
    frame = make()
    shown = frame.with_columns(
        age=pl.when(pl.col("age") > 40).then(pl.lit("[41, 59]")).otherwise(pl.lit("[20, 40]"))
    )
    for how in ("midpoint", "one-hot"):
        found = by(utility(frame, shown, SCHEMA, "ill", models=["naive-bayes"], intervals=how))
        assert found["naive-bayes", "release", "accuracy"] > 0.9
    with pytest.raises(ParameterError, match="Did you mean 'one-hot'"):
        utility(frame, shown, SCHEMA, "ill", intervals="onehot")
    wide = frame.with_columns(age=pl.arange(N) + 0.5)
    many = pl.concat([wide.with_columns(age=pl.col("age") + N * turn) for turn in range(7)])
    with pytest.raises(InputError, match="'age' shows 1,120 different"):
        utility(many, published(many), SCHEMA, "ill", models=["naive-bayes"], intervals="one-hot")


def test_mixed_bayes_is_the_product_of_its_parts() -> None:
    from sklearn.naive_bayes import BernoulliNB, GaussianNB

    rng = np.random.default_rng(0)
    label = rng.integers(0, 3, 300)
    numbers = rng.normal(label[:, None], 1, (300, 2))
    marks = (rng.random((300, 3)) < 0.2 + 0.2 * label[:, None]).astype(float)
    model = CLASSIFIERS["naive-bayes"](2, 5, 0).fit(np.hstack([numbers, marks]), label)
    prior = np.bincount(label) / 300
    odds = (
        GaussianNB().fit(numbers, label).predict_proba(numbers)
        * BernoulliNB().fit(marks, label).predict_proba(marks)
        / prior
    )
    expected = odds / odds.sum(axis=1, keepdims=True)
    assert np.allclose(model.predict_proba(np.hstack([numbers, marks])), expected)


def test_several_classes() -> None:
    word = pl.when(pl.col("age") < 30).then(pl.lit("a")).when(pl.col("age") < 45)
    frame = make().with_columns(ill=word.then(pl.lit("b")).otherwise(pl.lit("c")))
    found = by(utility(frame, published(frame), SCHEMA, "ill", models=["gradient-boosting"]))
    assert found["gradient-boosting", "release", "auc"] > 0.95


@pytest.mark.parametrize(
    ("label", "change", "said"),
    [
        ("il", {}, "Did you mean 'ill'?"),
        ("colour", {"colour": pl.lit("red")}, "has one value"),
        ("age", {"age": pl.when(pl.int_range(pl.len()) < 20).then("age")}, "missing in 220 of 240"),
        ("ill", {"ill": pl.lit("no")}, "has one value"),
        ("ill", {"ill": pl.when(pl.int_range(pl.len()) < 20).then("ill")}, "missing in 220 of 240"),
        (
            "ill",
            {"ill": pl.when(pl.int_range(pl.len()) < 2).then(pl.lit("rare")).otherwise("ill")},
            "1 of the 3 values of the label 'ill' occur in fewer than 3 rows",
        ),
    ],
)
def test_labels_that_cannot_be_learnt(label: str, change: dict[str, pl.Expr], said: str) -> None:
    frame = make().with_columns(**change)
    with pytest.raises((ParameterError, InputError), match=said.replace("?", r"\?")):
        utility(frame, published(frame), SCHEMA, label)


def test_other_bad_input() -> None:
    frame = make()
    with pytest.raises(ParameterError, match="Did you mean 'naive-bayes'"):
        utility(frame, published(frame), SCHEMA, "ill", models=["naive-baies"])
    with pytest.raises(ParameterError, match="There is no model 'ridge' of classes"):
        utility(frame, published(frame), SCHEMA, "ill", models=["ridge"])
    with pytest.raises(ParameterError, match="train_on must name"):
        utility(frame, published(frame), SCHEMA, "ill", train_on=["baseline"])
    with pytest.raises(ParameterError, match="folds must be"):
        utility(frame, published(frame), SCHEMA, "ill", folds=1)
    with pytest.raises(InputError, match="has no column 'ill'"):
        utility(frame, published(frame).drop("ill"), SCHEMA, "ill")
    with pytest.raises(ParameterError, match="200 rows, the original 240"):
        utility(frame, published(frame).head(200), SCHEMA, "ill")
    strange = published(frame).with_columns(ill=pl.lit("maybe"))
    with pytest.raises(InputError, match="240 published rows show a value"):
        utility(frame, strange, SCHEMA, "ill")
    ones = np.flatnonzero((frame["ill"] == "yes").to_numpy())
    with pytest.raises(InputError, match="hold 1 values of 'ill'"):
        utility(frame, published(frame)[ones], SCHEMA, "ill", rows=ones)
    with pytest.raises(ParameterError, match="Give a schema"):
        utility(frame, published(frame), None, "ill")
    removed = SCHEMA.with_column("cost", role=shoal.table.schema.Role.IDENTIFIER)
    with pytest.raises(ParameterError, match="is an identifier"):
        utility(frame, published(frame), removed, "cost")


def test_missing_labels_are_left_out() -> None:
    frame = make().with_columns(ill=pl.when(pl.int_range(pl.len()) >= 40).then("ill"))
    found = utility(frame, published(frame), SCHEMA, "ill", models=["naive-bayes"])
    rest = frame.slice(40)
    assert found == utility(rest, published(rest), SCHEMA, "ill", models=["naive-bayes"])


PLAN = """
version = 1
[input]
path = "table.csv"
[columns]
age = {role = "quasi", kind = "numeric"}
colour = {role = "quasi"}
ill = {role = "sensitive"}
cost = {role = "other"}
[[require]]
model = "k-anonymity"
k = 4
[method]
name = "gaa-cp"
seed = 7
[output]
path = "release"
"""


def test_the_command(tmp_path: Path) -> None:
    make().write_csv(tmp_path / "table.csv")
    (tmp_path / "plan.toml").write_text(PLAN)
    plan, folder = str(tmp_path / "plan.toml"), str(tmp_path / "release")
    assert CliRunner().invoke(app, ["run", plan]).exit_code == 0
    call = ["utility", folder, "--plan", plan, "--label"]
    shown = CliRunner().invoke(app, [*call, "ill", "--model", "naive-bayes"])
    assert shown.exit_code == 0, shown.output
    assert "accuracy" in shown.output
    told = CliRunner().invoke(app, [*call, "cost", "--model", "ridge", "--folds", "2", "--json"])
    answer = json.loads(told.stdout)
    assert [each["trained_on"] for each in answer] == [
        *["baseline"] * 2, *["original"] * 2, *["release"] * 2
    ]  # fmt: skip
    assert len(answer[0]["folds"]) == 2
    assert [each["measure"] for each in answer] == ["r2", "mae"] * 3
    assert answer[0]["model"] == "mean"
    assert answer[0]["mean"] == pytest.approx(0, abs=0.1)
    assert answer[2]["mean"] > 0.9
    assert answer[3]["mean"] < answer[1]["mean"]
    words = CliRunner().invoke(app, [*call, "cost", "--model", "ridge", "--folds", "2"]).output
    assert all(word in words for word in ("r2", "mae", "baseline"))
    coarse = CliRunner().invoke(app, [*call, "age", "--model", "ridge", "--json"])
    assert [each["measure"] for each in json.loads(coarse.stdout)] == ["r2", "mae"] * 3
    bad = CliRunner().invoke(app, [*call, "agee"])
    assert bad.exit_code == 2
    assert "Did you mean 'age'?" in bad.output
    alone = ["measure", folder, "--plan", plan]
    told = json.loads(CliRunner().invoke(app, [*alone, "--columns", "--json"]).stdout)
    assert [each["column"] for each in told["columns"]] == ["age", "colour", "ill"]
    assert len(told["pairs"]) == len(told["associations"]) == 3
    words = CliRunner().invoke(app, [*alone, "--columns", "--table", "colour", "ill"]).output
    assert all(
        word in words for word in ("total variation", "The worst of 3 pairs", "red", "after")
    )
    told = json.loads(
        CliRunner().invoke(app, [*alone, "--columns", "--table", "age", "ill", "--json"]).stdout
    )
    assert {"columns", "pairs", "associations", "correlation_change", "table"} == set(told)
    told = json.loads(CliRunner().invoke(app, [*alone, "--table", "age", "ill", "--json"]).stdout)
    assert sum(each["before"] for each in told) == N
    bad = CliRunner().invoke(app, [*alone, "--table", "age", "il"])
    assert bad.exit_code == 2
    assert "Did you mean 'ill'?" in bad.output
    bad = CliRunner().invoke(app, [*alone, "--columns", "--all"])
    assert bad.exit_code == 2
    assert "Leave one of them out." in bad.output


def test_a_quasi_identifier_may_be_the_label() -> None:
    """What the release says of it is learnt: midpoints, and a value of those that are covered."""
    n = 600
    rng = np.random.default_rng(1)
    colour = rng.choice(["red", "orange", "blue"], n)
    age = np.where(colour == "blue", 60, 30) + rng.integers(0, 10, n)
    frame = pl.DataFrame({"age": age, "colour": colour, "ill": ["no"] * n, "cost": [1.5] * n})
    same = frame.with_columns(pl.col("age").cast(pl.String))
    exact = by(utility(frame, same, SCHEMA, "colour", models=["naive-bayes"]))
    for measure in ("accuracy", "auc"):
        mine = exact["naive-bayes", "original", measure]
        assert exact["naive-bayes", "release", measure] == mine
    coarse = frame.with_columns(
        pl.when(pl.col("age") < 50)
        .then(pl.lit("[30, 40)"))
        .otherwise(pl.lit("[60, 69]"))
        .alias("age"),
        colour=pl.col("colour").replace({"red": "warm", "orange": "warm"}),
    )
    found = by(utility(frame, coarse, SCHEMA, "colour", models=["naive-bayes"]))
    # Blue is known by its age. Of red and orange the release tells nothing but their number.
    assert found["naive-bayes", "release", "accuracy"] > 0.55
    assert found["naive-bayes", "release", "auc"] > 0.7
    ages = by(utility(frame, coarse, SCHEMA, "age", models=["ridge"], intervals="one-hot"))
    assert ages["ridge", "release", "r2"] == pytest.approx(
        ages["ridge", "original", "r2"], abs=0.01
    )
    nothing = coarse.with_columns(colour=pl.lit("*"))
    with pytest.raises(InputError, match="hold 0 values of 'colour'"):
        utility(frame, nothing, SCHEMA, "colour")
    alone = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    with pytest.raises(ParameterError, match="the only quasi-identifier"):
        utility(frame.select("age", "ill"), same.select("age", "ill"), alone, "age")


def test_a_generalized_label_is_drawn_among_what_it_covers() -> None:
    from shoal.judging.utility.label import read_quasi_label

    frame = pl.DataFrame({"colour": ["red", "orange", "blue"] * 40, "age": range(120)})
    schema = shoal.Schema({"colour": shoal.quasi(hierarchy=TREE), "age": shoal.quasi()})
    table = Table.encode(frame, schema)
    cells = ["warm", "{blue, red}", "blue"] * 39 + ["*", "*", "blue"]
    recoded = parse(table, frame.with_columns(colour=pl.Series(cells)))
    label = read_quasi_label(table, recoded, "colour", 3, seed=4)
    leaves = [table.quasi[0].label(code) for code in range(table.quasi[0].size)]  # type: ignore[union-attr]
    held = [leaf for leaf in leaves if leaf in ("red", "orange", "blue")]
    drawn = np.array(held)[label.published]
    assert set(drawn[0:117:3]) == {"red", "orange"}
    assert set(drawn[1:117:3]) == {"red", "blue"}
    assert set(drawn[2::3]) == {"blue"}
    assert label.published_known.tolist() == [True] * 117 + [False, False, True]
    again = read_quasi_label(table, recoded, "colour", 3, seed=4)
    assert np.array_equal(again.published, label.published)


def test_scikit_learn_is_imported_only_when_something_is_trained() -> None:
    code = "import sys, shoal.cli, shoal.utility; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_models_learn_from_the_rows_of_people_alone(tmp_path: Path) -> None:
    """A counterfeit stands for no original row that could be held out."""
    ill = ["flu", "HIV", "gout", "cold"]
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {"id": range(200), "age": rng.integers(20, 60, 200), "ill": rng.choice(ill, 200)}
    )
    roles = shoal.Schema({"id": "identifier", "age": "quasi", "ill": "sensitive"}, entity="id")
    how: Any = {"require": shoal.MInvariance(2), "method": "gaa-cp", "seed": 1}
    shoal.anonymize(frame, roles, **how).write(tmp_path / "first")
    rest = frame.filter(pl.col("ill") != "gout")
    made = shoal.anonymize(rest, roles, again=tmp_path / "first", **how)
    assert made.n_noise
    mine = utility(rest, made, None, "ill", models=["naive-bayes"], seed=4)
    held = made.frame.filter(pl.Series(~made.published.counterfeit_rows))
    theirs = utility(rest, held, roles, "ill", rows=made.rows, models=["naive-bayes"], seed=4)
    assert mine == theirs
