"""What a search of levels aims at: objectives by name, weights of the table, a label."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.checks.tables import SCHEMA as MIXED, mixed
from shoal.errors import InputError, ParameterError, PlanError, ShoalError
from shoal.measures import entropy_loss, mutual_information_loss, weights
from shoal.methods._survey import survey
from shoal.methods.lattice import _objective
from shoal.methods.lattice._losses import OBJECTIVES, score_of
from shoal.methods.lattice.full_domain import FullDomain
from shoal.table import Table
from tests.examples import examples
from tests.methods.test_full_domain_reference import twin

NEED = [shoal.KAnonymity(4)]
KINDS = ["equal", "entropy", "mutual-information", "gain-ratio"]
CELLS = [(near, far) for near in ("p1", "p2", "q1", "q2") for far in ("x1", "x2", "y1", "y2")]
FRAME = pl.DataFrame(
    {
        "near": [near for near, _ in CELLS] * 3,
        "far": [far for _, far in CELLS] * 3,
        "label": ["p" if far == "y2" else near[0] for near, far in CELLS] * 3,
        "id": [str(row) for row in range(48)],
    }
)
SCHEMA = shoal.Schema(
    {
        "near": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes()),
        "far": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes()),
        "label": shoal.sensitive(),
        "id": shoal.identifier(),
    }
)
"""``near`` tells much about the label, ``far`` little."""


def label_of(kind: str) -> str | None:
    return "label" if kind in ("mutual-information", "gain-ratio") else None


def search(method: shoal.Method, frame: pl.DataFrame = FRAME, **options: Any) -> dict[str, Any]:
    schema = options.pop("schema", SCHEMA)
    options.setdefault("require", NEED)
    options.setdefault("suppression_limit", 1.0)
    made = shoal.anonymize(frame, schema, method=method, **options)
    assert made.grouping.search is not None
    return dict(made.grouping.search)


def entropy(values: list[Any]) -> float:
    return -sum(n / len(values) * log(n / len(values)) for n in Counter(values).values())


def test_mutual_information_is_that_of_the_books() -> None:
    found = search(shoal.FullDomain("mutual-information-loss", label="label"))["weights"]
    label = FRAME["label"].to_list()
    told = {}
    for name in ("near", "far"):
        both = list(zip(FRAME[name].to_list(), label, strict=True))
        told[name] = entropy(FRAME[name].to_list()) + entropy(label) - entropy(both)
    assert found["kind"] == "mutual-information"
    assert found["label"] == "label"
    assert found["columns"] == pytest.approx(
        {name: each / sum(told.values()) for name, each in told.items()}
    )


@pytest.mark.parametrize("method", [shoal.FullDomain, shoal.Incognito, shoal.Samarati])
@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_those_of_the_measure(kind: str, method: Any) -> None:
    found = search(method(weights=kind, label=label_of(kind)))["weights"]
    assert found["kind"] == kind
    assert found["columns"] == pytest.approx(
        weights(FRAME, ["near", "far"], kind, label_of(kind)), abs=1e-6
    )


def test_a_column_that_tells_is_kept_and_the_other_gives_way() -> None:
    need = [shoal.KAnonymity(6)]
    by_label = shoal.FullDomain("mutual-information-loss", label="label")
    told = search(by_label, require=need, suppression_limit=0)
    given = shoal.FullDomain(weights={"near": 0, "far": 1})
    other = search(given, require=need, suppression_limit=0)
    assert told["levels"]["near"] < other["levels"]["near"]
    assert told["levels"]["far"] > other["levels"]["far"]
    assert other["weights"]["kind"] == "given"
    assert other["weights"]["columns"]["near"] == pytest.approx(1e-6, rel=1e-3)


@pytest.mark.parametrize(
    ("method", "measure"),
    [
        (shoal.FullDomain("mutual-information-loss", label="label"), "mutual_information_loss"),
        (shoal.FullDomain("mutual_information_loss", label="label"), "mutual_information_loss"),
        (shoal.Incognito("mutual_information_loss", label="label"), "mutual_information_loss"),
        (shoal.FullDomain("entropy_loss"), "entropy_loss"),
        (shoal.Samarati("entropy-loss"), "entropy_loss"),
        (shoal.FullDomain(weights="entropy"), "entropy_loss"),
    ],
)
def test_the_score_is_the_measure_of_the_published_table(
    method: shoal.Method, measure: str
) -> None:
    made = shoal.anonymize(FRAME, SCHEMA, require=NEED, method=method)
    found = made.grouping.search
    assert found is not None
    both: dict[str, Any] = {"rows": made.rows}
    if measure == "mutual_information_loss":
        again = mutual_information_loss(FRAME, made.table, SCHEMA, label="label", **both)
    else:
        again = entropy_loss(FRAME, made.table, SCHEMA, **both)
    assert found["score"] == pytest.approx(again, abs=1e-5)
    assert made.measures[measure] == pytest.approx(again)
    assert found["objective"].replace("-", "_") in (measure, "loss")
    assert made.measures["loss"] == shoal.measures.loss(FRAME, made.table, SCHEMA, **both)


def test_the_losses_of_paper_5_are_loss_with_weights() -> None:
    for name, kind in (
        ("mutual-information-loss", "mutual-information"),
        ("gain-ratio-loss", "gain-ratio"),
        ("entropy-loss", "entropy"),
    ):
        label = label_of(kind)
        mine = search(shoal.FullDomain(name, label=label))
        other = search(shoal.FullDomain("loss", weights=kind, label=label))
        assert mine["objective"] == name
        assert {**mine, "objective": "loss"} == other


def test_underscores_are_the_same() -> None:
    one, other = (search(FullDomain(name)) for name in ("non_uniform_entropy", "loss_geometric"))
    assert one == search(FullDomain("non-uniform-entropy"))
    assert other == search(FullDomain("loss-geometric"))
    assert one["objective"] == "non-uniform-entropy"


@pytest.mark.parametrize(
    "objective", ["loss", "loss-geometric", "precision", "mutual-information-loss"]
)
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_the_optimum_under_weights_is_that_of_all_nodes(objective: str, data: Any) -> None:
    n = data.draw(st.integers(6, 24))
    cells = [f"{a}{b}" for a in "xyz" for b in "12"]
    frame = pl.DataFrame(
        {
            name: data.draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
            for name, values in (("near", cells), ("far", cells[:4]), ("label", "pqr"))
        }
    ).with_columns(id=pl.int_range(n))
    limit = data.draw(st.sampled_from([0.0, 0.2, 1.0]))
    given_ = (
        None
        if objective == "mutual-information-loss"
        else {"near": data.draw(st.integers(0, 5)), "far": 2}
    )
    label = "label" if objective == "mutual-information-loss" else None
    method = FullDomain(objective, given_, label, suppression_limit=limit)
    require: list[Any] = [shoal.KAnonymity(2)]
    table = Table.encode(frame, SCHEMA)
    try:
        lattice, found = method.search(table, require)
    except InputError:  # no column tells anything about the label
        return
    slow = twin(lattice.table, require).best(method.scored, int(limit * n))
    if slow is None:
        assert found.node is None
        return
    assert found.node is not None
    best = score_of(lattice, method.scored)(found.node.levels)[0]
    assert best == pytest.approx(found.score)
    shown = OBJECTIVES[method.scored].shown(found.score)
    assert shown == pytest.approx(slow, rel=1e-9, abs=1e-9)


def test_weights_are_made_of_the_rows_that_are_grouped() -> None:
    holes = FRAME.with_columns(
        far=pl.when(pl.int_range(48) >= 32).then(pl.lit("?")).otherwise("far"),
        label=pl.when(pl.int_range(48) >= 32).then(pl.lit("z")).otherwise("label"),
    )
    schema = shoal.Schema(dict(SCHEMA), missing=("?",))
    method = shoal.FullDomain("mutual-information-loss", label="label")
    dropped = search(method, holes, schema=schema, missing="drop")["weights"]["columns"]
    alone = search(method, FRAME.head(32))["weights"]["columns"]
    kept = search(method, holes, schema=schema)["weights"]["columns"]
    assert dropped == alone
    nulls = holes.with_columns(far=pl.when(pl.col("far") != "?").then("far"))
    assert kept == pytest.approx(
        weights(nulls, ["near", "far"], "mutual-information", "label"), abs=1e-6
    )
    assert kept != pytest.approx(alone)


def test_columns_that_are_set_aside_have_no_weight() -> None:
    holes = FRAME.with_columns(far=pl.when(pl.int_range(48) > 2).then("far"))
    given_ = shoal.FullDomain(weights={"near": 3, "far": 2})
    found = search(given_, holes, missing="suppress-column")["weights"]
    assert found["columns"] == {"near": 1.0}
    with pytest.raises(ParameterError, match="The label 'far' is a quasi-identifier"):
        search(FullDomain("mutual-information-loss", label="far"), holes, missing="suppress-column")


def test_the_caller_keeps_the_weights_of_the_schema() -> None:
    made = shoal.anonymize(
        FRAME, SCHEMA, require=NEED, method=shoal.FullDomain(weights={"near": 5})
    )
    assert made.weights == {"near": 0.5, "far": 0.5}
    table = Table.encode(FRAME, SCHEMA)
    FullDomain(weights={"near": 5}).search(table, NEED)
    assert [column.weight for column in table.quasi] == [1.0, 1.0]
    plain = search(shoal.FullDomain(), schema=SCHEMA.with_column("near", weight=3.0))
    assert plain["weights"] == {
        "kind": "schema", "label": None, "columns": {"near": 0.75, "far": 0.25}
    }  # fmt: skip
    assert search(shoal.FullDomain("height"))["weights"] is None


@pytest.mark.parametrize("method", [shoal.FullDomain, shoal.Incognito, shoal.Samarati])
def test_a_survey_goes_by_the_same_weights(method: Any) -> None:
    mine = method(weights={"near": 9, "far": 1}, suppression_limit=0)
    table = Table.encode(FRAME, SCHEMA)
    seen = survey(table, NEED, mine)
    assert seen.weights == {
        "kind": "given", "label": None, "columns": {"near": 0.9, "far": 0.1}
    }  # fmt: skip
    by_levels = {node.levels: node.score for node in seen.nodes}
    top = Table.encode(FRAME, SCHEMA).trees[0].hierarchy.height
    assert by_levels[top, 0] == pytest.approx(0.9)  # all of near is lost, and nothing of far
    assert by_levels[1, 1] == pytest.approx(1 / 3)
    chosen = next(node for node in seen.nodes if node.chosen)
    found = mine.group(table, NEED, rng=np.random.default_rng(0)).search
    assert chosen.score == pytest.approx(found["score"])
    assert seen.to_dict()["weights"] == seen.weights
    short = survey(table, NEED, method("mutual-information-loss", label="label"), shown=1)
    near = survey(table, NEED, mine, shown=7, around=True)
    assert not near.whole
    (at,) = [node.levels for node in near.nodes if node.chosen]
    assert len({node.levels for node in near.nodes}) == len(near.nodes) > 1
    for node in near.nodes:
        steps = [new - old for new, old in zip(node.levels, at, strict=True)]
        assert sorted(filter(None, steps)) in ([], [1], [-1], [-1, 1]) or node.best
        assert by_levels[node.levels] == node.score
    assert short.objective == "mutual-information-loss"
    assert short.weights is not None
    assert short.weights["label"] == "label"


BAD: list[tuple[dict[str, Any], str]] = [
    ({"objective": "mutual-information-loss"}, "'mutual-information-loss' needs a label"),
    (
        {"objective": "mutual_information_loss", "label": "label", "weights": "entropy"},
        "its own weights",
    ),
    ({"objective": "entropy-loss", "weights": {"near": 1}}, "use the objective 'loss'"),
    ({"objective": "entropy-loss", "label": "label"}, "only used by"),
    ({"weights": "gain-ratio"}, "'gain-ratio' need a label"),
    ({"label": "label"}, "only used by"),
    ({"weights": "entropy", "label": "label"}, "only used by"),
    ({"weights": {"near": 1}, "label": "label"}, "only used by"),
    ({"weights": "entropi"}, "Did you mean 'entropy'"),
    ({"weights": 3}, "weights must be one of"),
    ({"objective": "mutual-information-los"}, "Did you mean 'mutual-information-loss'"),
    ({"objective": "mi-loss", "label": "label"}, "'mi-loss' may mean two losses"),
    ({"objective": "mi_loss", "label": "label"}, "'mi-loss' may mean two losses"),
    ({"objective": 3}, "objective must be one of"),
    ({"objective": "height", "weights": "entropy"}, "'height' uses no weights"),
    ({"objective": "discernibility", "weights": {"near": 1}}, "uses no weights"),
]


@pytest.mark.parametrize(("options", "reason"), BAD)
def test_what_does_not_fit_together_is_refused(options: dict[str, Any], reason: str) -> None:
    for kind in (shoal.FullDomain, shoal.Incognito, shoal.Samarati):
        with pytest.raises(ParameterError, match=reason) as caught:
            search(kind(**options))
        assert caught.value.hint
        with pytest.raises(PlanError, match=reason):
            shoal.Plan.from_dict(plan(name=kind.name, **options))


def test_the_name_of_two_losses_is_refused_with_the_names_of_both() -> None:
    with pytest.raises(ParameterError) as caught:
        search(shoal.FullDomain("mi-loss", label="label"))  # type: ignore[arg-type]
    assert "'mutual-information-loss' (their equation 4" in str(caught.value.hint)
    assert "'gain-ratio-loss' (their table 2" in str(caught.value.hint)
    assert not hasattr(shoal.measures, "mi_loss")


@pytest.mark.parametrize(
    ("label", "frame", "reason"),
    [
        ("near", FRAME, "one of the columns to weigh"),
        ("id", FRAME, "identifier"),
        ("lable", FRAME, "Did you mean 'label'"),
        ("label", FRAME.with_columns(label=pl.lit("same")), "has only one value"),
        ("label", FRAME.with_columns(label=pl.lit("")), "missing in 48 of 48"),
        (
            "label",
            FRAME.with_columns(
                label=pl.when(pl.int_range(48) > 24).then("label").otherwise(pl.lit(""))
            ),
            "missing in 25 of 48",
        ),
    ],
)
def test_labels_that_make_no_sense_are_refused(
    label: str, frame: pl.DataFrame, reason: str
) -> None:
    with pytest.raises(ShoalError, match=reason) as caught:
        search(shoal.FullDomain("mutual-information-loss", label=label), frame)
    assert "same" not in caught.value.problem


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        ({"label": 1}, "not a quasi-identifier"),
        ({"near": -1}, "0 or more"),
        ({"near": "2"}, "0 or more"),
        ({"near": 0, "far": 0}, "All weights are 0"),
    ],
)
def test_given_weights_that_make_no_sense_are_refused(given_: dict[str, Any], reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        search(shoal.FullDomain(weights=given_))


def plan(**method: Any) -> dict[str, Any]:
    roles = {"near": "quasi", "far": "quasi", "label": "sensitive", "id": "identifier"}
    return {
        "columns": {name: {"role": role} for name, role in roles.items()},
        "require": [{"model": "k-anonymity", "k": 4}],
        "method": method,
    }


@pytest.mark.parametrize(
    "options",
    [
        {"weights": "mutual-information", "label": "label"},
        {"weights": {"near": 2, "far": 0.5}},
        {"objective": "mutual_information_loss", "label": "label"},
    ],
)
def test_plans_carry_weights(options: dict[str, Any], tmp_path: Any) -> None:
    made = shoal.Plan.from_dict(plan(name="full-domain", **options))
    (tmp_path / "plan.toml").write_text(made.to_toml())
    again = shoal.Plan.read(tmp_path / "plan.toml")
    assert again.build_method() == made.build_method() == shoal.FullDomain(**options)
    release = shoal.anonymize(FRAME, made)
    release.write(tmp_path / "out")
    settled = shoal.Plan.read(tmp_path / "out.private" / "plan.toml")
    assert shoal.anonymize(FRAME, settled).grouping.levels == release.grouping.levels


def test_the_json_schema_knows_them() -> None:
    found = shoal.Plan.json_schema()["properties"]["method"]["oneOf"]
    for name in ("full-domain", "incognito", "samarati"):
        options = next(each for each in found if each["title"] == name)["properties"]
        kinds = [each.get("enum") for each in options["weights"]["anyOf"]]
        assert KINDS in kinds
        assert "label" in options


def test_every_objective_groups_the_table_of_the_checks() -> None:
    for objective in ("mutual-information-loss", "entropy-loss"):
        label = "illness" if objective == "mutual-information-loss" else None
        for missing in ("keep", "drop"):
            made = shoal.anonymize(
                mixed(60, missing=0.1),
                MIXED,
                require=[shoal.KAnonymity(3)],
                method=shoal.FullDomain(objective, label=label),
                missing=missing,
            )
            assert made.verification.passed


def test_the_signature_names_every_objective() -> None:
    assert sorted(get_args(_objective.Objectives)) == sorted(_objective.AIMS)
