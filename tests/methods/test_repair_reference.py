"""A pool that is grouped anew costs what the twin says, and is what it says it is."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from shoal.improve import running
from shoal.improve.cell_costs import price_cells
from shoal.kernels.refine.repair import Repair, repair_pools
from shoal.measures import MEASURES
from shoal.models import KAnonymity
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from tests.examples import examples
from tests.reference.cell_costs import cost_of_groups
from tests.reference.repair import grouped_anew
from tests.tables import tables


def compare(table: Table, k: int, parts: int, measure: str) -> None:
    """Group all rows anew, given in so many groups, and compare with the twin."""
    priced = price_cells(table, MEASURES[measure])
    rng = np.random.default_rng(1)
    start = Grouping((np.arange(table.n_rows) % parts).astype(np.int32))
    table = Table(table.coded, table.schema, table.quasi)
    rounds = running._Rounds(table, start, [KAnonymity(k)], priced, rng, 1)
    needs = rounds.needs._replace(k=k, kind=rounds.needs.kind[:0], least=rounds.needs.least[:0])
    rounds.work[0].blur[:] = 1.0
    pools, groups = rounds.pools, rounds.groups
    at, members = 0, []
    for number in range(parts):
        pools.groups[number], pools.start[number] = number, at
        places = np.flatnonzero(groups.group == number)
        pools.rows[at : at + len(places)] = places
        members.append(rounds.rows[places].tolist())
        at += len(places)
    pools.start[parts], pools.begin[:2], pools.first[:2] = at, (0, at), (0, parts)
    work = rounds.work[0]
    dear = groups.cost + (1 << 50)  # so that no attempt is given up
    task = Repair(rounds.prices, rounds.space, needs, pools.rows, work)
    repair_pools(task, pools, dear, 1, 0, 1, 1)
    expected = grouped_anew(priced, members, k)
    if expected < 0:
        assert pools.made[0] == 0
        return
    labels = np.full(table.n_rows, -1, dtype=np.int32)
    labels[rounds.rows[pools.rows[:at]]] = pools.label[:at]
    made = Grouping(labels)
    assert made.n_groups == pools.made[0]
    assert made.sizes.min() >= k
    total = int(dear[:parts].sum()) - int(pools.gain[0])
    assert total == int(pools.cost[: pools.made[0]].sum())
    assert total == cost_of_groups(priced, made) / priced.unit
    assert total == expected


@given(
    tables(), st.integers(1, 4), st.integers(2, 4), st.sampled_from(["iloss", "iloss_rate", "loss"])
)
@settings(max_examples=examples(80))
def test_a_pool_costs_what_the_twin_says(drawn, parts, k, measure) -> None:
    table = drawn[0]
    compare(table, min(k, table.n_rows), min(parts, table.n_rows), measure)
