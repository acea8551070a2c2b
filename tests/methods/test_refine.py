"""Refinement never loses more, keeps every requirement, and is the same on any threads."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import shoal
from shoal import AlphaK, KAnonymity, LDiversity, MultiLDiversity, TCloseness
from shoal.engines import pipeline
from shoal.engines.groups import group
from shoal.engines.setting import Setting
from shoal.errors import ParameterError
from shoal.improve import Refinement, refine
from shoal.measures import MEASURES, Pair
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping, number_by_first
from shoal.publications.recoding import generalize
from shoal.table import Table
from tests.examples import examples
from tests.tables import adult_table, tables


def loss(table: Table, grouping: Grouping, measure: str, numbers: str, bounds: str) -> float:
    published = generalize(table, grouping, bounds=bounds, numbers=numbers)  # type: ignore[arg-type]
    return MEASURES[measure].of(Pair(table, published))


def chunks(n: int, k: int, order: np.ndarray | None = None) -> Grouping:
    """Groups of k rows as they come; the last takes what is left."""
    labels = np.minimum(np.arange(n) // k, max(n // k - 1, 0))
    made = np.empty(n, dtype=np.int32)
    made[np.arange(n) if order is None else order] = labels
    return Grouping(number_by_first(made).astype(np.int32))


@given(tables(), st.sampled_from(["iloss", "iloss_rate", "loss"]), st.data())
@settings(max_examples=examples(60))
def test_it_never_loses_more(drawn, measure, data) -> None:
    table, k, _ = drawn
    numbers = data.draw(st.sampled_from(["intervals", "tree"]))
    seed = data.draw(st.integers(0, 99))
    start = chunks(table.n_rows, table.n_rows)  # all rows together hold k people
    if table.people is None:
        order = np.random.default_rng(seed).permutation(table.n_rows)
        start = chunks(table.n_rows, k, order)
    made = refine(
        table,
        start,
        [KAnonymity(k)],
        Refinement(steps=20, measure=measure),
        rng=np.random.default_rng(seed),
        numbers=numbers,
        threads=1,
    )
    groups = made.grouping.statistics(table.people)
    assert groups.counts.min() >= k
    before, after = (loss(table, g, measure, numbers, "observed") for g in (start, made.grouping))
    assert made.before == pytest.approx(before)
    assert made.after == pytest.approx(after)
    assert made.after <= made.before


REQUIRED: list[list[Requirement]] = [
    [KAnonymity(5)],
    [KAnonymity(4), LDiversity(3)],
    [KAnonymity(4), LDiversity(2.5, kind="entropy")],
    [AlphaK(0.5, 4)],
    [KAnonymity(5), TCloseness(0.6)],
    [MultiLDiversity({"occupation": 3})],
]


@pytest.mark.parametrize("require", REQUIRED, ids=lambda r: "+".join(x.name for x in r))
def test_every_requirement_holds_and_less_is_lost(require) -> None:
    table = adult_table(600, 3, uneven=True)
    require = [each.bind(table.schema) for each in require]
    named = shoal.publications.TwoTable()  # its readers are told which rows form a group
    start = group(table, require, Setting(shoal.GAACP(), named, seed=1))
    held = start.statistics(table.people, table.sensitive)
    assert all(each.judge(held).passed for each in require)
    made = [
        refine(
            table,
            start,
            require,
            Refinement(steps=400),
            rng=np.random.default_rng(5),
            threads=threads,
        )
        for threads in (1, 2)
    ]
    assert made[0].grouping.labels.tolist() == made[1].grouping.labels.tolist()
    groups = made[0].grouping.statistics(table.people, table.sensitive)
    for each in require:
        assert each.judge(groups).passed
    assert made[0].after < made[0].before
    assert made[0].steps == 400
    suppressed = start.labels < 0
    assert np.array_equal(suppressed, made[0].grouping.labels < 0)


def test_a_group_without_order_is_cut_first() -> None:
    table = adult_table(4000, 5)
    start = Grouping(np.zeros(4000, dtype=np.int32))
    made = refine(
        table,
        start,
        [KAnonymity(5)],
        Refinement(steps=500),
        rng=np.random.default_rng(1),
        bounds="rounded",
    )
    assert made.grouping.sizes.min() >= 5
    assert made.after < made.before / 2


def test_a_large_k_takes_rows_together() -> None:
    table = adult_table(4000, 5)
    order = np.random.default_rng(2).permutation(4000)
    made = refine(
        table,
        chunks(4000, 300, order),
        [KAnonymity(300)],
        Refinement(steps=20),
        rng=np.random.default_rng(1),
    )
    assert made.grouping.sizes.min() >= 300
    assert made.after < made.before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "one of steps, times and seconds"),
        ({"steps": 3, "seconds": 3}, "one of steps, times and seconds"),
        ({"steps": 0}, "steps must be a whole number of 1 or more"),
        ({"steps": 3, "times": 1}, "one of steps, times and seconds"),
        ({"times": -1}, "times must be a number from 0 on"),
        ({"times": float("inf")}, "times must be a number from 0 on"),
        ({"seconds": 0}, "seconds must be a number above 0"),
        ({"seconds": "long"}, "seconds must be a number above 0"),
        ({"steps": 5, "measure": "discernibility"}, "it is not a sum over cells"),
        ({"steps": 5, "measure": "ilos"}, "ilos"),
        ({"step": 5}, "has no option 'step'"),
    ],
)
def test_wrong_options_are_refused(options, said) -> None:
    with pytest.raises(ParameterError, match=said):
        Refinement.of(options)


@pytest.mark.parametrize(
    ("method", "said"),
    [("full-domain", "one level in all rows"), ("micd", "adds values to groups")],
)
def test_groups_that_may_not_change_are_refused(method, said) -> None:
    with pytest.raises(ParameterError, match=said):
        shoal.anonymize(
            shoal.datasets.adult().head(300).select("age", "occupation").drop_nulls(),
            quasi="age",
            sensitive="occupation",
            require=[MultiLDiversity({"occupation": 2})] if method == "micd" else [KAnonymity(3)],
            method=method,
            refine={"steps": 10},
        )


def test_exact_cells_leave_nothing_to_refine() -> None:
    frame = shoal.datasets.adult().head(300).select("age", "occupation").drop_nulls()
    with pytest.raises(ParameterError, match="would gain nothing"):
        shoal.anonymize(
            frame, k=3, quasi="age", sensitive="occupation", publication="two-table",
            refine={"steps": 10},
        )  # fmt: skip


def test_a_plan_refines_and_says_so(tmp_path) -> None:
    frame = shoal.datasets.adult().head(2000)
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    plan = plan.model_copy(update={"method": {"name": "gaa-cp", "seed": 7}})
    asked = plan.model_copy(update={"refine": {"steps": 300}})
    plain, refined = (shoal.anonymize(frame, p) for p in (plan, asked))
    assert refined.measures["iloss"] < plain.measures["iloss"]
    assert refined.refined is not None
    assert refined.refined.after == pytest.approx(refined.measures["iloss"])
    assert refined.facts()["method"]["refined_by"] == "iloss"
    again = shoal.Plan.from_dict(asked.model_dump(mode="json"), folder=plan.folder)
    assert again.refinement() == Refinement(steps=300)
    refined.write(tmp_path / "out")
    opened = shoal.open_release(tmp_path / "out")
    assert opened.verify().passed


@given(st.integers(0, 1000))
@settings(max_examples=examples(20))
def test_same_seed_same_groups(seed) -> None:
    table = adult_table(200, 1)
    labels = [
        refine(
            table, chunks(200, 6), [KAnonymity(3)], Refinement(steps=40),
            rng=np.random.default_rng(seed), threads=threads,
        ).grouping.labels.tolist()
        for threads in (1, 2, 1)
    ]  # fmt: skip
    assert labels[0] == labels[1] == labels[2]


def test_ctrl_c_keeps_what_is_found_if_asked() -> None:
    table = adult_table(400, 1)
    start = chunks(400, 5)

    def stop(done: int, total: int, value: float) -> None:
        if done > 50:
            raise KeyboardInterrupt

    asked = Refinement(steps=10_000, on_interrupt="keep")
    kept = refine(table, start, [KAnonymity(5)], asked, rng=np.random.default_rng(1), watch=stop)
    assert kept.after < kept.before
    assert kept.steps < 10_000
    with pytest.raises(KeyboardInterrupt):
        refine(
            table, start, [KAnonymity(5)], Refinement(steps=10_000),
            rng=np.random.default_rng(1), watch=stop,
        )  # fmt: skip


def test_one_column_and_one_group() -> None:
    schema = shoal.Schema({"a": shoal.quasi()})
    table = Table.encode(pl.DataFrame({"a": [1, 1, 2]}), schema)
    made = refine(
        table, chunks(3, 3), [KAnonymity(2)], Refinement(steps=5), rng=np.random.default_rng(1)
    )
    assert made.grouping.labels.tolist() == [0, 0, 0]


def test_times_stands_for_what_auto_takes() -> None:
    adult = shoal.datasets.adult().head(400)

    def made(**more) -> shoal.Release:
        return shoal.anonymize(adult, _planned(**more))

    usual = made()
    assert usual.refinement is not None
    once, twice = (made(refine={"times": n}, bound={"times": n}) for n in (1, 2))
    assert once.refinement == usual.refinement
    assert once.bound == usual.bound
    assert once.frame.equals(usual.frame)
    assert twice.refinement.steps == 2 * usual.refinement.steps
    other = made(method={"name": "gaa-cp"}, refine={"times": 1})
    assert other.refinement.steps == usual.refinement.steps
    assert other.bound is None


def test_no_times_is_not_at_all_and_fits_everything() -> None:
    none = {"refine": {"times": 0}, "bound": {"times": 0}}
    adult = shoal.datasets.adult().head(400)
    for method in ("auto", "full-domain"):
        made = shoal.anonymize(adult, _planned(method={"name": method}, **none))
        assert made.refinement is made.refined is made.bound is None


def test_a_bound_by_another_measure_stops_nothing() -> None:
    spec = {"steps": 200, "measure": "loss"}
    watched: list[float | None] = []
    for more in ({}, {"bound": {"times": 0}}):
        made = pipeline.anonymize(
            shoal.datasets.adult().head(400),
            _planned(refine=spec, **more),
            watch=lambda loss, least: watched.append(least),
        )
        assert made.refined.steps >= 200
    assert watched
    assert set(watched) == {None}


def _planned(**more) -> shoal.Plan:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    data = {**plan.to_dict(), "method": {"name": "auto"}, "publication": {"seed": 1}, **more}
    return shoal.Plan.from_dict(data, folder=plan.folder)
