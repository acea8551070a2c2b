"""A refinement ends where no single move or swap gains: every one is tried by the twin."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import AlphaK, KAnonymity, LDiversity, LeveledAlphaK
from shoal.improve import Refinement, refine, running
from shoal.improve.cell_costs import price_cells
from shoal.improve.running import LARGEST_IN_K
from shoal.measures import MEASURES
from shoal.publications.groups.completing import least_size
from shoal.publications.groups.grouping import Grouping, number_by_first
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.reference.exchange import gaining_change

JOBS = Hierarchy.from_dict(
    {"office": ["clerk", "boss"], "field": {"farm": ["cow", "hen"], "ore": []}}
)
LEVELS = {"a": 1, "b": 2, "c": 2, "d": 2}
REQUIRED = {
    "k": [KAnonymity(3)],
    "alpha-k": [AlphaK(0.5, 2)],
    "leveled": [LeveledAlphaK(LEVELS, [0.4, 0.6], 2)],
    "distinct": [KAnonymity(2), LDiversity(2)],
    "entropy": [LDiversity(1.8, kind="entropy")],
}


def a_table(seed: int, *, people: bool = False) -> Table:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 19))
    holes = rng.random(n) < (0.1 if seed % 3 == 0 else 0.0)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 30, n),
            "pay": [
                None if hole else int(x)
                for hole, x in zip(holes, rng.integers(0, 9, n), strict=True)
            ],
            "job": rng.choice(JOBS.leaves, n),
            "ill": rng.permutation(np.resize(["a", "b", "c", "d"], n)),
            "who": rng.integers(0, n, n) if people else np.arange(n),
        }
    )
    schema = shoal.Schema(
        {
            "age": shoal.quasi(kind="numeric"),
            "pay": shoal.quasi(kind="numeric", weight=2.0),
            "job": shoal.quasi(hierarchy=JOBS, weight=0.5),
            "ill": shoal.sensitive(),
            "who": shoal.identifier(),
        },
        entity="who" if people else None,
    )
    return Table.encode(frame, schema)


@pytest.mark.parametrize("required", REQUIRED)
@pytest.mark.parametrize("seed", range(8))
def test_no_single_change_gains_after_it(required, seed) -> None:
    table = a_table(seed)
    require = [each.bind(table.schema) for each in REQUIRED[required]]
    measure = ("iloss", "loss")[seed % 2]
    start = Grouping(np.zeros(table.n_rows, dtype=np.int32))
    made = refine(
        table,
        start,
        require,
        Refinement(steps=8, measure=measure),
        rng=np.random.default_rng(seed),
        threads=1,
    )
    assert made.settled
    priced = price_cells(table, MEASURES[measure])
    bounded = any(each.bounds_shares for each in require)
    most = LARGEST_IN_K * least_size(require) if bounded else 2**60
    assert gaining_change(table, priced, made.grouping.labels.tolist(), require, most) is None


@pytest.mark.parametrize("seed", range(4))
def test_people_and_their_shares_are_counted(seed) -> None:
    table = a_table(seed, people=True)
    require = [AlphaK(0.7, 2).bind(table.schema)]
    start = Grouping(np.zeros(table.n_rows, dtype=np.int32))
    if not require[0].judge(start.statistics(table.people, table.sensitive)).passed:
        pytest.skip("not even all rows hold")
    made = refine(table, start, require, Refinement(steps=8), rng=np.random.default_rng(seed))
    assert made.settled
    priced, most = price_cells(table, MEASURES["iloss"]), 2 * LARGEST_IN_K
    assert gaining_change(table, priced, made.grouping.labels.tolist(), require, most) is None


def test_the_twin_finds_what_gains() -> None:
    table = a_table(1)
    priced = price_cells(table, MEASURES["iloss"])
    labels = number_by_first(np.arange(table.n_rows) % 4)
    assert gaining_change(table, priced, labels.tolist(), [KAnonymity(2)]) is not None


@pytest.mark.parametrize("seed", range(10))
def test_numbers_that_once_stopped_one_move_too_early(seed) -> None:
    frame = pl.DataFrame({"x": [10, 19, 4, 25, 28, 26, 14, 19]})
    release = shoal.anonymize(frame, k=2, quasi=["x"], seed=seed, bounds="observed")
    assert release.measures["iloss"] <= 1.5
    assert release.refined.settled


@pytest.mark.parametrize("seed", range(10))
def test_groups_that_lose_as_much_are_kept_though_sums_differ_in_the_last_digit(seed) -> None:
    frame = pl.DataFrame({"x": [7, 21, 6, 3, 2, 12, 8, 15, 16]})
    release = shoal.anonymize(frame, k=3, quasi=["x"], seed=seed, bounds="observed")
    assert release.refined.settled


def test_it_says_when_the_budget_ended_it(monkeypatch) -> None:
    monkeypatch.setattr(running, "EVALUATIONS", 1)
    monkeypatch.setattr(running, "EVALUATIONS_PER_STEP", 0)
    table = a_table(2)
    start = Grouping((np.arange(table.n_rows) % 4).astype(np.int32))
    made = refine(table, start, [KAnonymity(2)], Refinement(steps=1), rng=np.random.default_rng(1))
    assert not made.settled


def test_groups_of_near_points_are_compared_where_there_are_very_many(monkeypatch) -> None:
    from shoal.improve import exchange

    table = a_table(4)
    start = Grouping((np.arange(table.n_rows) % 4).astype(np.int32))
    found = []
    for pairs in (0, 10**9):
        monkeypatch.setattr(exchange, "PAIRS", pairs)
        made = refine(
            table, start, [KAnonymity(2)], Refinement(steps=1), rng=np.random.default_rng(1)
        )
        found.append(made)
    assert [each.settled for each in found] == [False, True]
    assert all(each.after < each.before for each in found)
