"""Auto starts as it says, refines by steps that a table decides, and stops where it may."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import GAACP, KACA, Auto, KAnonymity, LDiversity, Mondrian
from shoal.errors import ParameterError
from shoal.improve import Refinement
from shoal.measures import Pair, iloss
from shoal.methods.combined import auto
from shoal.publications.recoding import generalize
from tests.tables import adult_table

PLAN = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")


def adult(rows: int) -> pl.DataFrame:
    return shoal.datasets.adult().head(rows)


def test_it_is_the_default() -> None:
    release = shoal.anonymize(adult(100), PLAN.schema_(), require=5, seed=1)
    assert isinstance(release.method, Auto)
    assert shoal.Plan.from_dict(PLAN.model_dump(exclude={"method"})).build_method() == Auto()
    assert shoal.propose(adult(100)).plan.build_method() == Auto()


def test_small_groups_begin_with_gaa_cp() -> None:
    table = adult_table(500, 1)
    for seed in range(3):
        by_auto, by_gaa_cp = (
            method.group(table, [KAnonymity(5)], rng=np.random.default_rng(seed))
            for method in (Auto(), GAACP())
        )
        assert by_auto.labels.tolist() == by_gaa_cp.labels.tolist()


def test_so_do_small_tables() -> None:
    table = adult_table(3000, 1)
    by_auto, by_gaa_cp = (
        method.group(table, [KAnonymity(40)], rng=np.random.default_rng(1))
        for method in (Auto(), GAACP())
    )
    assert by_auto.labels.tolist() == by_gaa_cp.labels.tolist()


@pytest.mark.parametrize("k", [10, 400])
@pytest.mark.parametrize("many", [100_000, 3_000])
def test_large_groups_of_many_rows_begin_with_the_best_of_several(k, many, monkeypatch) -> None:
    monkeypatch.setattr(auto, "MERGED_ROWS", many)
    table, require = adult_table(3001, 1), [KAnonymity(k)]

    def lost(method, rng) -> float:
        groups = method.group(table, require, rng=rng)
        return iloss.of(Pair(table, generalize(table, groups, bounds="observed")))

    rng = np.random.default_rng(1)  # they draw one after the other
    starts = [GAACP(), Mondrian(partitioning="relaxed"), KACA(numbers="intervals", picks="first")]
    losses = [lost(each, rng) for each in (starts if many > 3001 else starts[:2])]
    assert lost(Auto(), np.random.default_rng(1)) == min(losses)


def test_it_loses_less_than_its_start_and_holds_what_is_required() -> None:
    require = [KAnonymity(5), LDiversity(3, column="occupation")]
    schema = PLAN.schema_()
    auto, start = (
        shoal.anonymize(adult(2000), schema, require=require, method=method, seed=1)
        for method in (Auto(), GAACP())
    )
    assert auto.verification.passed
    assert auto.measures["iloss"] < 0.9 * start.measures["iloss"]
    assert auto.bound is not None
    assert auto.bound.least <= auto.bound.lost


def test_the_same_seed_gives_the_same_release() -> None:
    one, two = (
        shoal.anonymize(adult(500), PLAN.schema_(), require=5, method=Auto(seed=7))
        for _ in range(2)
    )
    assert one.table.equals(two.table)
    assert one.bound == two.bound
    assert one.facts() == two.facts()


def test_a_table_decides_how_many_steps() -> None:
    few, many = adult_table(200, 1), adult_table(2000, 1)
    small, large = (Auto().refinement(t, [KAnonymity(5)]).steps for t in (few, many))
    assert (small, large) == (30 * 40, 30 * 400)
    assert Auto().refinement(many, [KAnonymity(200)]).steps < 30 * 10 + 1
    asked = Auto(measure="loss").refinement(many, [KAnonymity(5)])
    assert (asked.measure, asked.within) == ("loss", 0.02)
    looks = [Auto().bounding(t, [KAnonymity(5)]).looks for t in (few, many)]
    assert looks == [1_800_000, 9_000_000]


def test_a_plan_may_say_how_long() -> None:
    release = shoal.anonymize(
        adult(500),
        PLAN.schema_(),
        require=5,
        refine={"steps": 3},
        bound={"looks": 1, "measure": "loss"},
        seed=1,
    )
    assert release.refinement == Refinement(steps=3)
    assert release.refined is not None
    assert release.refined.steps == 3
    assert release.bound is not None
    assert release.bound.measure == "loss"


def test_it_ends_when_the_best_is_near() -> None:
    """Ten twins of each row: groups of ten lose nothing, and there is nothing to refine."""
    frame = pl.concat([adult(40)] * 10)
    release = shoal.anonymize(frame, PLAN.schema_(), require=5, seed=1)
    assert release.refined is not None
    assert (release.measures["iloss"], release.refined.steps) == (0, 0)


def test_it_ends_as_soon_as_it_is_near_enough() -> None:
    schema, frame = PLAN.schema_(), adult(400)
    bound = {"looks": 20_000_000}
    steps = {}
    for within in (None, 0.5, 10.0):
        refine = {"steps": 6000} | ({} if within is None else {"within": within})
        release = shoal.anonymize(
            frame, schema, require=5, method=GAACP(), refine=refine, bound=bound, seed=1
        )
        assert release.refined is not None
        assert release.bound is not None
        steps[within] = release.refined.steps
        if within is not None:
            assert release.bound.lost <= (1 + within) * release.bound.least
    assert steps[10.0] == 0 < steps[0.5] < steps[None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"refine": {"steps": 9, "within": 0.1}}, "needs a lower bound by iloss"),
        (
            {"refine": {"steps": 9, "within": 0.1}, "bound": {"looks": 9, "measure": "loss"}},
            "needs a lower bound by iloss",
        ),
        ({"refine": {"steps": 9, "within": -0.1}}, "within must be a number from 0 on"),
        ({"refine": {"steps": 9, "within": "near"}}, "within must be a number from 0 on"),
        ({"method": Auto(measure="discernibility")}, "not a sum over cells"),
        ({"method": {"name": "auto", "measure": "iloos"}}, "measure must be one of"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message) -> None:
    with pytest.raises(ParameterError, match=message):
        shoal.anonymize(adult(100), PLAN.schema_(), require=5, **options)


def test_where_nothing_can_be_gained_nothing_is_refined() -> None:
    for form in ("two-table", "microaggregated"):
        release = shoal.anonymize(adult(300), PLAN.schema_(), require=5, publication=form, seed=1)
        assert release.refined is release.bound is None
    sets = shoal.publications.Generalized(categories="sets")
    release = shoal.anonymize(adult(300), PLAN.schema_(), require=5, publication=sets, seed=1)
    assert release.refined is not None
    assert release.bound is None
