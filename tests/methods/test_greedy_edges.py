"""The greedy methods at the edges: right answers or clear errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.checks.methods import EvenRows
from shoal.errors import InfeasibleError, ParameterError, PlanError
from shoal.kernels.clustering.shapes import MEETING
from shoal.methods._closeness import Closeness
from shoal.methods._relative import pinned
from shoal.methods.clustering._greedy import cluster
from shoal.publications.groups.completing import complete
from shoal.table import Table

METHODS = [
    shoal.GAACP(picks="first"),
    shoal.GAACP(distance="loss", picks="first"),
    shoal.KMember(picks="first"),
    shoal.KAIM(picks="first"),
    shoal.KAIM(distance="equation-9", picks="first"),
]
BASELINES = [shoal.KACA(picks="first"), shoal.EBKC(picks="first")]


def release(frame: pl.DataFrame, k: int, method: Any, **columns: Any) -> shoal.Release:
    schema = shoal.Schema({name: columns.get(name, shoal.quasi()) for name in frame.columns})
    return shoal.anonymize(frame, schema, require=[shoal.KAnonymity(k)], method=method)


@pytest.mark.parametrize("method", METHODS + BASELINES)
def test_a_constant_column_costs_nothing(method: Any) -> None:
    frame = pl.DataFrame({"x": [5] * 20, "y": list(range(20))})
    made = release(frame, 4, method)
    alone = release(frame.select("y"), 4, method)
    assert made.verification.passed
    assert set(made.frame["x"]) == {"5"}
    assert made.measures["iloss"] == pytest.approx(alone.measures["iloss"])


@pytest.mark.parametrize("method", METHODS + BASELINES)
def test_equal_rows_lose_nothing(method: Any) -> None:
    made = release(pl.DataFrame({"x": [1] * 23, "y": ["a"] * 23}), 4, method)
    assert made.verification.classes == 1
    assert made.measures["iloss"] == 0


@pytest.mark.parametrize("method", METHODS + BASELINES)
@pytest.mark.parametrize("n", [7, 13])  # n = k and n = 2k − 1
def test_one_class_when_there_is_room_for_one(method: Any, n: int) -> None:
    made = release(pl.DataFrame({"x": list(range(n))}), 7, method)
    assert made.grouping.n_groups == 1
    assert made.grouping.sizes.tolist() == [n]


@pytest.mark.parametrize("method", METHODS + BASELINES)
def test_k_above_the_rows_left_after_dropping(method: Any) -> None:
    frame = pl.DataFrame({"x": [1, 2, 3, None, None, None]})
    schema = shoal.Schema({"x": shoal.quasi()})
    with pytest.raises(InfeasibleError, match="k = 3 is the largest"):
        shoal.anonymize(frame, schema, require=[shoal.KAnonymity(4)], method=method, missing="drop")


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf")])
def test_weights_must_be_positive(weight: float) -> None:
    with pytest.raises(ParameterError, match="weight must be a positive number"):
        shoal.quasi(weight=weight)
    column = {"role": "quasi", "weight": weight}
    with pytest.raises(PlanError, match=r"columns\.x\.weight"):
        shoal.Plan.from_dict(
            {"columns": {"x": column}, "require": [{"model": "k-anonymity", "k": 2}]}
        )


def test_weights_of_unknown_columns_are_refused() -> None:
    schema = shoal.Schema({"x": shoal.quasi(), "y": shoal.quasi(weight=3)})
    with pytest.raises(shoal.errors.SchemaError, match="'y'"):
        shoal.anonymize(pl.DataFrame({"x": [1, 2]}), schema, require=[shoal.KAnonymity(2)])


def test_weights_matter() -> None:
    frame = pl.DataFrame({"x": [0, 0, 9, 9], "y": ["a", "b", "a", "b"]})
    by_x = release(frame, 2, METHODS[0], x=shoal.quasi(weight=10))
    by_y = release(frame, 2, METHODS[0], y=shoal.quasi(weight=10))
    assert by_x.grouping.labels.tolist() == [0, 0, 1, 1]
    assert by_y.grouping.labels.tolist() == [0, 1, 0, 1]


def test_hundreds_of_thousands_of_distinct_numbers() -> None:
    rng = np.random.default_rng(3)
    n = 200_000
    frame = pl.DataFrame({"x": rng.permutation(n), "y": rng.random(n)})
    schema = shoal.Schema({"x": shoal.quasi(), "y": shoal.quasi()})
    table = Table.encode(frame, schema)
    found = shoal.GAACP(picks="first").group(table, [shoal.KAnonymity(5)], rng=rng)
    assert found.n_groups == n // 5
    assert (found.sizes >= 5).all()
    # Greedy clusters are small boxes: far narrower than random ones.
    width = found.largest(table.quasi[0].codes).astype(int) - found.least(table.quasi[0].codes)
    assert np.median(width) < n / 50


@pytest.mark.parametrize("method", METHODS)
def test_further_requirements_are_held(method: Any) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"x": rng.integers(0, 50, 106), "y": rng.choice(["a", "b", "c"], 106)})
    schema = shoal.Schema({"x": shoal.quasi(), "y": shoal.quasi()})
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3), EvenRows()], method=method)
    assert (made.grouping.sizes % 2 == 0).all()
    assert (made.grouping.sizes == 4).all()
    assert made.n_suppressed == 2  # no class takes one of them alone
    assert made.verification.passed


@pytest.mark.parametrize("method", BASELINES)
def test_merging_goes_on_until_further_requirements_hold(method: Any) -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"x": rng.integers(0, 60, 90), "y": rng.choice(["a", "b", None], 90)})
    schema = shoal.Schema({"x": shoal.quasi(), "y": shoal.quasi()})
    alone = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)], method=method)
    assert (alone.grouping.sizes % 2 == 1).any()
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3), EvenRows()], method=method)
    assert (made.grouping.sizes % 2 == 0).all()
    assert made.n_suppressed == 0
    assert made.grouping.n_groups > alone.grouping.n_groups / 3
    assert made.verification.passed


@pytest.mark.parametrize("method", BASELINES)
def test_too_frequent_values_are_left_out_up_to_the_limit(method: Any) -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"x": rng.integers(0, 60, 100), "s": ["a"] * 52 + ["b", "c"] * 24})
    schema = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()})
    need = shoal.AlphaK(0.5, 2)
    with pytest.raises(InfeasibleError, match="at least 4 of 100 rows are suppressed"):
        shoal.anonymize(frame, schema, require=need, method=method, suppression_limit=0.03)
    made = shoal.anonymize(frame, schema, require=need, method=method, suppression_limit=0.2)
    assert made.verification.passed
    assert made.n_suppressed == 4


def test_a_group_that_holds_with_no_other_is_suppressed() -> None:
    table = Table.encode(pl.DataFrame({"x": [1, 1, 2, 2, 3]}), shoal.Schema({"x": shoal.quasi()}))
    start = shoal.Grouping(np.array([0, 0, 1, 1, 2], dtype=np.int32))
    done = complete(table, start, [EvenRows()], table.quasi)
    # An odd row cannot be helped: everything ends in one odd group, which is left out.
    assert done.labels.tolist() == [-1] * 5
    assert complete(table, start, [shoal.KAnonymity(9)], table.quasi) is start


def test_a_class_that_cannot_be_completed_is_dissolved() -> None:
    # Four people; the last class would find only one, so its rows join the first.
    frame = pl.DataFrame({"x": [0, 1, 2, 50, 51, 52, 53], "who": [0, 1, 2, 3, 3, 3, 3]})
    schema = shoal.Schema({"x": shoal.quasi(), "who": shoal.identifier()}, entity="who")
    for method in METHODS:
        made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)], method=method)
        assert made.grouping.n_groups == 1
        assert made.n_suppressed == 0
        assert made.verification.achieved == {"k": 4}


def test_progress_is_reported_and_ends_at_all_rows() -> None:
    table = Table.encode(
        shoal.datasets.census(30_000).select("age", "sex", "education", "hours-per-week"),
        shoal.Schema({n: shoal.quasi() for n in ("age", "sex", "education", "hours-per-week")}),
    )
    seen: list[int] = []
    shoal.GAACP(picks="first").group(
        table,
        [shoal.KAnonymity(3)],
        rng=np.random.default_rng(0),
        progress=lambda done, total: seen.append(done),
    )
    assert seen == sorted(seen)
    assert all(done <= 30_000 for done in seen)


@pytest.mark.parametrize("method", METHODS + BASELINES)
def test_missing_numbers_and_categories(method: Any) -> None:
    frame = pl.DataFrame(
        {"x": [1, None, 3, None, 5, 6, None, 8], "y": ["a", "b", None, None, "a", "b", "c", "a"]}
    )
    made = release(frame, 2, method)
    assert made.verification.passed
    assert made.grouping.n_suppressed == 0


@pytest.mark.parametrize(("distance", "t"), [("equal", 0.3), ("ordered", 0.08)])
@pytest.mark.parametrize("entity", [None, "who"])
def test_classes_are_as_if_every_size_was_asked_about(
    distance: Any, t: float, entity: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = shoal.datasets.census(1500).select("age", "sex", "education", "hours-per-week")
    frame = frame.with_columns(pl.int_range(pl.len()).floordiv(2).alias("who"))
    columns = {name: shoal.quasi() for name in ("age", "sex", "education")}
    roles = {**columns, "hours-per-week": shoal.sensitive(), "who": shoal.identifier()}
    table = Table.encode(frame, shoal.Schema(roles, entity=entity))
    require = pinned(table, [shoal.KAnonymity(3), shoal.TCloseness(t, distance=distance)])

    def labels() -> list[int]:
        return cluster(table, require, Closeness(table.quasi, MEETING), trace={}).labels.tolist()

    asked = labels()
    monkeypatch.setattr(shoal.TCloseness, "rows_lacking", shoal.models.Requirement.rows_lacking)
    assert asked == labels()
    assert 1 < max(asked) < 400
