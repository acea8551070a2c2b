"""Weights that the table decides: in releases, in plans, and where they make no sense."""

from __future__ import annotations

import json
from math import log
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.base.rounding import two_digits
from shoal.errors import InputError, ParameterError, PlanError
from shoal.measures import (
    INFORMED_LOSSES,
    entropy_loss,
    gain_ratio_loss,
    measure_all,
    mutual_information_loss,
    pair,
    pair_of_release,
    weighed,
    weights,
)
from shoal.measures.utility.loss import column_losses

COLUMNS = ["age", "sex", "race", "education"]
FRAME = shoal.datasets.adult().head(1500).select(*COLUMNS, "salary-class")
SCHEMA = shoal.Schema(
    {
        "age": shoal.quasi(kind="numeric"),
        "sex": shoal.quasi(),
        "race": shoal.quasi(),
        "education": shoal.quasi(),
        "salary-class": shoal.sensitive(),
    }
)
NEED = [shoal.KAnonymity(5)]


def release(**options: object) -> shoal.Release:
    options.setdefault("method", shoal.FullDomain())
    return shoal.anonymize(FRAME, SCHEMA, require=NEED, **options)  # type: ignore[arg-type]


def with_removed(lost: float, made: shoal.Release) -> float:
    """Count rows that are not published as lost, beside what the others lost."""
    removed = made.n_removed / made.input_rows
    return lost * (1 - removed) + removed


@pytest.mark.parametrize("kind", ["mutual-information", "gain-ratio"])
def test_weights_reach_objective_measure_and_facts(kind: str) -> None:
    made = release(weights=kind, label="salary-class")
    expected = weights(FRAME[made.rows], COLUMNS, kind, "salary-class")
    assert made.weights == pytest.approx(expected, abs=1e-6)
    assert made.facts()["weights"]["kind"] == kind
    assert made.facts()["weights"]["label"] == "salary-class"
    assert made.grouping.search is not None
    assert made.n_removed  # the search was made again without them
    lost = with_removed(made.grouping.search["score"], made)
    assert lost == pytest.approx(made.measures["loss"])
    named = {"mutual-information": mutual_information_loss, "gain-ratio": gain_ratio_loss}[kind]
    again = with_removed(named(FRAME[made.rows], made.table, SCHEMA, label="salary-class"), made)
    assert made.measures["loss"] == pytest.approx(again, abs=1e-5)


def test_the_optimum_under_weights_loses_least_under_them() -> None:
    by_label = release(weights="mutual-information", label="salary-class")
    alike = release(weights="equal")
    assert alike.measures == release().measures
    losses = [
        mutual_information_loss(FRAME, made.table, SCHEMA, label="salary-class", rows=made.rows)
        for made in (by_label, alike)
    ]
    assert losses[0] <= losses[1] + 1e-5


def test_entropy_loss() -> None:
    made = release(weights="entropy")
    again = with_removed(entropy_loss(FRAME[made.rows], made.table, SCHEMA), made)
    assert made.measures["loss"] == pytest.approx(again, abs=1e-5)
    assert "label" in made.facts()["weights"]


@pytest.mark.parametrize(
    "method", [shoal.GAACP(seed=1), shoal.KMember(seed=1), shoal.KAIM(seed=1), shoal.EBKC()]
)
def test_clustering_takes_a_column_that_tells_nothing(method: shoal.Method) -> None:
    frame = FRAME.head(200).with_columns(race=pl.lit("one"))
    made = shoal.anonymize(
        frame, SCHEMA, require=NEED, method=method, weights="gain-ratio", label="salary-class"
    )
    assert made.verification.passed
    assert made.schema["race"].weight == pytest.approx(
        1e-6 * max(made.schema[name].weight for name in COLUMNS)
    )


def test_given_weights() -> None:
    made = release(weights={"age": 3, "race": 0})
    assert made.schema["age"].weight == 3
    assert made.schema["sex"].weight == 1
    assert made.schema["race"].weight == 3e-6
    assert "weights" not in made.facts()
    assert made.plan.columns["age"].weight == 3


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"weights": "mutual-information"}, "needs a label"),
        ({"weights": "entropy", "label": "sex"}, "only for"),
        ({"label": "salary-class"}, "only used to weigh"),
        ({"weights": "mutual-information", "label": "sex"}, "one of the columns to weigh"),
        ({"weights": "mutual-information", "label": "salery-class"}, "no column 'salery-class'"),
        ({"weights": "mutal-information", "label": "salary-class"}, "Did you mean"),
        ({"weights": {"salary-class": 1}}, "not a quasi-identifier"),
        ({"weights": {"age": -1}}, "0 or more"),
        ({"weights": dict.fromkeys(COLUMNS, 0)}, "All weights are 0"),
        ({"weights": {"age": 1}, "label": "salary-class"}, "need no label"),
    ],
)
def test_bad_weights_are_refused(options: dict[str, object], reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        release(**options)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (pl.lit("same"), "has one value"),
        (pl.when(pl.int_range(pl.len()) < 900).then(pl.lit("")).otherwise("salary-class"), "900"),
        (pl.lit(None, dtype=pl.String), "missing in 1500 of 1500"),
    ],
)
def test_labels_that_tell_nothing_are_refused(cell: pl.Expr, reason: str) -> None:
    frame = FRAME.with_columns(cell.alias("salary-class"))
    with pytest.raises(InputError, match=reason) as caught:
        shoal.anonymize(
            frame, SCHEMA, require=NEED, weights="mutual-information", label="salary-class"
        )
    assert "50K" not in str(caught.value)


def test_an_identifier_is_no_label() -> None:
    schema = shoal.Schema({**SCHEMA, "salary-class": shoal.identifier()})
    with pytest.raises(ParameterError, match="identifier"):
        weighed(FRAME, schema, "gain-ratio", "salary-class")


def test_numbers_as_texts_are_cut_like_numbers() -> None:
    frame = FRAME.with_columns(y=pl.int_range(pl.len()))
    texts = frame.with_columns(pl.col("y").cast(pl.String))
    made = [weights(each, COLUMNS, "mutual-information", "y") for each in (frame, texts)]
    assert made[0] == made[1]


@pytest.mark.parametrize("kind", [pl.Float64, pl.String])
def test_a_numeric_label_is_cut_into_tenths_of_its_rows(kind: type[pl.DataType]) -> None:
    """By hand: 100 labels in order, tenths of ten rows; ``a`` halves them, ``b`` says nothing."""
    frame = pl.DataFrame(
        {
            "a": ["low"] * 50 + ["high"] * 50,
            "b": ["u", "v"] * 50,
            "c": [str(row // 10) for row in range(100)],
            "y": pl.Series([row**2 / 7 for row in range(100)]).cast(kind),
        }
    )
    found = weights(frame, ["a", "b", "c"], "mutual-information", "y")
    assert found == pytest.approx(
        {"a": log(2) / log(20), "b": 0.0, "c": log(10) / log(20)}, abs=1e-12
    )


def test_a_numeric_label_of_few_values_is_taken_as_it_is() -> None:
    rows = range(80)
    frame = pl.DataFrame(
        {"a": [row // 20 % 2 for row in rows], "b": [row % 2 for row in rows]}
    ).with_columns(y=pl.int_range(80) % 20)
    found = weights(frame, ["a", "b"], "mutual-information", "y")
    assert found == pytest.approx({"a": 0.0, "b": 1.0}, abs=1e-12)  # in tenths b tells nothing


def test_a_numeric_label_weighs_a_release() -> None:
    frame = FRAME.with_columns(pay=pl.col("age") * 100 + pl.int_range(pl.len()) % 97)
    schema = shoal.Schema({**SCHEMA, "pay": shoal.other()})
    made = shoal.anonymize(
        frame, schema, require=NEED, method=shoal.FullDomain("mutual-information-loss", label="pay")
    )
    assert made.grouping.search is not None
    heaviest = made.grouping.search["weights"]["columns"]
    assert max(heaviest, key=heaviest.__getitem__) == "age"
    assert heaviest["age"] > 0.5


def test_loss_is_the_only_measure_that_uses_weights() -> None:
    made = release()
    plain, uneven = (
        measure_all(pair(FRAME, made.table, schema, rows=made.rows))
        for schema in (SCHEMA, weighed(None, SCHEMA, {"age": 7, "sex": 0}))
    )
    changed = {name for name in plain if plain[name] != uneven[name]}
    assert changed == {"loss"}


def test_given_weights_weigh_the_loss() -> None:
    made = release(weights={"age": 7, "sex": 0, "race": 2})
    mean = column_losses(pair_of_release(FRAME, made.table, SCHEMA, rows=made.rows))
    by_name = dict(zip(COLUMNS, mean, strict=True))
    expected = (7 * by_name["age"] + 2 * by_name["race"] + by_name["education"]) / 10
    assert made.measures["loss"] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ({"weights": "mutual-information", "label": "salary-class"}, {"mutual_information_loss"}),
        ({"weights": "gain-ratio", "label": "salary-class"}, {"gain_ratio_loss"}),
        ({"weights": "entropy"}, {"entropy_loss"}),
        (
            {"method": shoal.FullDomain("mutual-information-loss", label="salary-class")},
            {"mutual_information_loss"},
        ),
        (
            {
                "method": shoal.FullDomain("mutual-information-loss", label="salary-class"),
                "weights": "entropy",
            },
            {"mutual_information_loss", "entropy_loss"},
        ),
        (
            {
                "method": shoal.FullDomain("gain-ratio-loss", label="salary-class"),
                "weights": "mutual-information",
                "label": "salary-class",
            },
            {"gain_ratio_loss", "mutual_information_loss"},
        ),
        ({"weights": "equal"}, set()),
        ({}, set()),
    ],
)
def test_the_losses_of_paper_5_are_measured_where_they_are_asked_for(
    options: dict[str, object], keys: set[str]
) -> None:
    made = release(**options)
    assert set(made.measures) - set(shoal.measures.MEASURES) == keys
    for name in keys:
        about = {} if name == "entropy_loss" else {"label": "salary-class"}
        again = INFORMED_LOSSES[name](FRAME[made.rows], made.table, SCHEMA, **about)  # type: ignore[operator]
        assert made.measures[name] == pytest.approx(with_removed(again, made))
    shown = made.facts()["measures"]
    assert keys <= set(shown)
    assert all(shown[name] == round(made.measures[name], 2) for name in keys)


def test_public_weights_have_two_digits_and_so_has_what_they_make(tmp_path: Path) -> None:
    frame = pl.concat([FRAME] * 4)
    options: dict[str, Any] = {"require": [shoal.KAnonymity(20)], "method": shoal.FullDomain()}
    made = shoal.anonymize(
        frame, SCHEMA, weights="mutual-information", label="salary-class", **options
    )
    facts = made.facts()
    assert facts["weights"]["columns"] == {n: two_digits(w) for n, w in made.weights.items()}
    assert facts["search"]["weights"] == facts["weights"]
    assert made.grouping.search is not None
    assert facts["search"]["score"] == two_digits(made.grouping.search["score"])
    assert facts["measures"]["loss"] == two_digits(made.measures["loss"])
    made.write(tmp_path / "out")
    public = "".join(path.read_text() for path in sorted((tmp_path / "out").iterdir()))
    for weight in made.weights.values():
        assert f"{weight:.4f}" not in public
        assert f"{weight:.6f}"[:6] not in public


def test_given_weights_of_a_method_are_public_in_two_digits_only() -> None:
    frame = pl.concat([FRAME] * 4)
    given = {"age": 0.123456, "sex": 0.3}
    method = shoal.FullDomain(weights=given, suppression_limit=0)
    facts = shoal.anonymize(frame, SCHEMA, require=NEED, method=method).facts()
    assert facts["method"]["weights"] == "given"
    assert facts["search"]["weights"]["kind"] == "given"
    assert "123456" not in json.dumps(facts)
    assert facts["search"]["weights"]["columns"]["age"] == 0.051


def plan_of(**tables: object) -> dict[str, object]:
    columns: dict[str, dict[str, object]] = {name: {"role": "quasi"} for name in COLUMNS}
    columns["salary-class"] = {"role": "sensitive"}
    return {
        "columns": columns,
        "require": [{"model": "k-anonymity", "k": 5}],
        "method": {"name": "full-domain"},
        **tables,
    }


@pytest.mark.parametrize("limit", [0, 0.05])
def test_a_plan_with_weights_can_be_repeated(tmp_path: Path, limit: float) -> None:
    """Without them; if rows were removed, weights are found again, and again without those."""
    plan = shoal.Plan.from_dict(
        plan_of(
            weights={"kind": "mutual-information", "label": "salary-class"},
            method={"name": "full-domain", "suppression_limit": limit},
        )
    )
    made = shoal.anonymize(FRAME, plan)
    made.write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "release.json").read_text())
    if facts["weights"]["columns"] is not None:
        assert all(two_digits(w) == w for w in facts["weights"]["columns"].values())
    written = shoal.Plan.read(tmp_path / "out.private" / "plan.toml")
    again = shoal.anonymize(FRAME, written)
    assert again.grouping.levels == made.grouping.levels
    assert bool(made.n_removed) == bool(limit)
    if limit:
        assert written.weights == plan.weights
        assert again.measures == made.measures
    else:
        assert written.weights is None
        assert written.columns["age"].weight == made.schema["age"].weight
        assert again.measures == {
            k: v for k, v in made.measures.items() if k != "mutual_information_loss"
        }
    manifest = json.loads((tmp_path / "out.private" / "manifest.json").read_text())
    assert manifest["weights"] == {"kind": "mutual-information", "label": "salary-class"}
    assert shoal.Plan.from_dict(json.loads(plan.model_dump_json())) == plan


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({"kind": "mutual-information"}, "needs a label"),
        ({"kind": "entropy", "label": "sex"}, "only for"),
        ({"kind": "gini"}, "weights.kind"),
        ({"kind": "entropy", "lable": "sex"}, "Did you mean 'label'"),
    ],
)
def test_bad_tables_are_refused(table: dict[str, str], reason: str) -> None:
    with pytest.raises(PlanError, match=reason):
        shoal.Plan.from_dict(plan_of(weights=table))


def test_weights_are_given_once() -> None:
    data = plan_of(weights={"kind": "entropy"})
    data["columns"]["age"]["weight"] = 2.0  # type: ignore[index]
    with pytest.raises(PlanError, match="twice"):
        shoal.Plan.from_dict(data)
