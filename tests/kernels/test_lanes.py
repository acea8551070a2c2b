"""Bounds rule out nothing that could win: by rings exactly, and in the lanes of vectors about."""

from __future__ import annotations

import contextlib
import functools
import io
from typing import Any, NamedTuple

import numba
import numpy as np
import polars as pl
import pytest

import shoal
from shoal.kernels.clustering import boxes as boxes_, lanes
from shoal.kernels.clustering.boxes import BLOCK, GROUP, LANES, NOWHERE, Boxes
from shoal.kernels.clustering.lanes import FAR, NEAR
from shoal.kernels.clustering.prices import Open, limit_of, open_class, prepare, price, refresh
from shoal.kernels.clustering.search import _bound
from shoal.kernels.clustering.shapes import ADDED_LOSS, MEETING, MOVES, Attributes, cost, join
from shoal.methods._costs import attributes, heights
from shoal.methods.clustering._greedy import order_points
from shoal.methods.clustering.kaim import entropy_change, equation_9
from shoal.table import NumericColumn, Table
from tests.examples import examples
from tests.tables import large_table, repeated_table, run_without_jit

RULES = {
    "meeting": (MEETING, None, False),
    "added loss": (ADDED_LOSS, None, False),
    "heights": (MOVES, heights, False),
    "entropy": (MOVES, entropy_change, True),
    "equation 9": (MOVES, equation_9, True),
}


class Case(NamedTuple):
    """A class of a few records, and an index over all records."""

    attrs: Attributes
    boxes: Boxes
    made: Open
    costs: np.ndarray
    """What each record costs the class, by the slow way."""


def case(table: Table, rule: str, members: int) -> Case:
    number, moves, trees = RULES[rule]
    columns = sorted(
        table.trees if trees else table.quasi, key=lambda each: isinstance(each, NumericColumn)
    )
    n, d = table.n_rows, len(columns)
    attrs = attributes(columns, rule=number, largest_class=n, moves=moves)
    codes = np.stack([column.codes for column in columns]).astype(np.int64)
    sizes = np.array([column.size for column in columns], dtype=np.int64)
    boxes = boxes_.make(attrs, codes, np.arange(n), order_points(columns, codes), sizes)
    boxes_.build(boxes)
    made = open_class(attrs)
    for row in range(members):
        for j in range(d):
            join(attrs, j, made.shape[j], codes[j, row], row == 0)
    for j in range(d):
        refresh(attrs, j, members, made)
    costs = np.array(
        [
            sum(int(cost(attrs, j, members, made.shape[j], codes[j, row])) for j in range(d))
            for row in range(n)
        ]
    )
    return Case(attrs, boxes, made, costs)


def many_leaves(seed: int) -> tuple[Table]:
    """A tree of more leaves than there are bins, and another one that comes after it."""
    rng = np.random.default_rng(seed)
    tree = zip_codes()
    n = 300
    near = rng.choice(tree.leaves[: 40 + 900 * (seed % 2)], n)
    words = np.where(rng.random(n) < 0.5, near, rng.choice(tree.leaves, n)).tolist()
    if seed % 3:
        words[5] = words[40] = None
    frame = pl.DataFrame(
        {"zip": words, "x": rng.integers(0, 50, n), "sex": rng.choice(["f", "m"], n)}
    )
    few = shoal.Hierarchy.from_dict({"f": [], "m": []})
    columns = {"zip": shoal.quasi(hierarchy=tree), "x": shoal.quasi()}
    schema = shoal.Schema({**columns, "sex": shoal.quasi(hierarchy=few)})
    return (Table.encode(frame, schema),)


@functools.cache
def zip_codes() -> shoal.Hierarchy:
    return shoal.Hierarchy.from_dict(
        {
            f"{a}": {f"{a}-{b}": [f"{a}-{b}-{c}" for c in range(611)] for b in range(12)}
            for a in range(10)
        }
    )


def test_more_leaves_than_spots() -> None:
    (table,) = many_leaves(1)
    _, boxes, _, _ = case(table, "meeting", 1)
    assert table.quasi[0].size > boxes_.ABSENT
    assert boxes.narrow == 0
    assert boxes.gap.tolist() == [boxes_.ABSENT, -1, -1]


def cases() -> list[Any]:
    return [
        pytest.param(make, seed, rule, members, id=f"{make.__name__}-{seed}-{rule}-{members}")
        for make in (large_table, repeated_table, many_leaves)
        for seed in range(examples(6, 3))
        for rule in RULES
        for members in (1, 4)
    ]


@numba.njit
def rule_out(cells, group, holes, query, limit, bounds, side, boxes):  # type: ignore[no-untyped-def]
    return lanes.rule_out(cells, group, holes, query, limit, bounds, side, boxes)


@pytest.mark.parametrize(("make", "seed", "rule", "members"), cases())
def test_nothing_that_could_win_is_ruled_out(make: Any, seed: int, rule: str, members: int) -> None:
    table, *_ = make(seed)
    attrs, boxes, made, costs = case(table, rule, members)
    blocks = int(boxes.facts[boxes_.BLOCKS])
    below = [costs[boxes.point[block, : boxes.live[block]]] for block in range(blocks)]
    prepare(attrs, boxes, made, NEAR)
    for block in range(blocks):
        found = [price(attrs, boxes, made, block, i) for i in range(boxes.live[block])]
        assert found == below[block].tolist()
        assert _bound(attrs, boxes, made, block, NEAR) <= below[block].min()
    prepare(attrs, boxes, made, FAR)
    for block in range(blocks):
        assert _bound(attrs, boxes, made, block, FAR) >= below[block].max()
    for side, best in ((NEAR, int(np.sort(costs)[3])), (FAR, int(np.sort(costs)[-4]))):
        units = prepare(attrs, boxes, made, side)
        given = (boxes.missing_bits, made.query, limit_of(units, best, side), made.bounds)
        for group in range(-(-blocks // GROUP)):
            bits = rule_out(boxes.sides, group, *given, side, True)
            about = made.bounds.tolist()
            for f, block in enumerate(range(group * GROUP, min(group * GROUP + GROUP, blocks))):
                true = int(below[block].min() if side == NEAR else below[block].max())
                could = true <= best if side == NEAR else true >= best
                assert not could or (bits >> f) & 1
                limit = limit_of(units, true, side)
                assert about[f] <= limit if side == NEAR else about[f] >= limit
        for block in range(blocks):
            bits = rule_out(boxes.bins, block, *given, side, False)
            for i, true in enumerate(below[block].tolist()):
                could = true <= best if side == NEAR else true >= best
                assert not could or (bits >> i) & 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rule", RULES)
def test_no_point_is_ruled_out_by_its_own_cost(rule: str, seed: int) -> None:
    """Also where several leaves share a bin, and some of them lie in the ring."""
    attrs, boxes, made, costs = case(*many_leaves(seed), rule, 1)
    for side in (NEAR, FAR):
        units = prepare(attrs, boxes, made, side)
        for block in range(int(boxes.facts[boxes_.BLOCKS])):
            for i in range(boxes.live[block]):
                limit = limit_of(units, int(costs[boxes.point[block, i]]), side)
                given = (boxes.missing_bits, made.query, limit, made.bounds)
                assert (rule_out(boxes.bins, block, *given, side, False) >> i) & 1


def test_most_boxes_are_ruled_out() -> None:
    """Else bounds would be of no use, though no result were wrong."""
    left = {NEAR: 0, FAR: 0}
    seen = 0
    for seed in range(8):
        table, *_ = large_table(seed)
        attrs, boxes, made, costs = case(table, "meeting", 1)
        blocks = int(boxes.facts[boxes_.BLOCKS])
        seen += blocks
        for side, best in ((NEAR, int(np.sort(costs)[1])), (FAR, int(costs.max()))):
            limit = limit_of(prepare(attrs, boxes, made, side), best, side)
            for group in range(-(-blocks // GROUP)):
                given = (boxes.missing_bits, made.query, limit, made.bounds)
                bits = rule_out(boxes.sides, group, *given, side, True)
                inside = boxes.first[group * GROUP : group * GROUP + GROUP] != NOWHERE
                left[side] += sum((bits >> f) & 1 for f in np.flatnonzero(inside).tolist())
    assert left[NEAR] < seen / 2
    assert left[FAR] < 3 * seen / 4


def test_lanes_are_as_wide_as_groups_and_blocks() -> None:
    assert GROUP == BLOCK == LANES


def test_the_lowest_bit() -> None:
    found = numba.njit(lambda bits: lanes.lowest(bits))
    for bits in (1, 2, 12, 0b1010_0000, 1 << 15):
        assert found(bits) == lanes.lowest(bits) == len(bin(bits & -bits)) - 3


BITS = """
import numpy as np
from shoal.kernels.clustering import boxes as boxes_
from shoal.kernels.clustering.boxes import GROUP
from shoal.kernels.clustering.lanes import FAR, NEAR
from shoal.kernels.clustering.prices import limit_of, prepare
from tests.kernels.test_lanes import RULES, case, large_table, many_leaves, rule_out

for make in (large_table, many_leaves):
    for seed in range(3):
        for rule in RULES:
            attrs, boxes, made, costs = case(make(seed)[0], rule, 4)
            blocks = int(boxes.facts[boxes_.BLOCKS])
            for side, best in ((NEAR, np.sort(costs)[3]), (FAR, np.sort(costs)[-4])):
                units = prepare(attrs, boxes, made, side)
                limit = limit_of(units, int(best), side)
                given = (boxes.missing_bits, made.query, limit, made.bounds)
                for group in range(-(-blocks // GROUP)):
                    print(rule_out(boxes.sides, group, *given, side, True), *made.bounds)
                print(*(rule_out(boxes.bins, b, *given, side, False) for b in range(blocks)))
"""


def test_vectors_are_what_numpy_says() -> None:
    found = io.StringIO()
    with contextlib.redirect_stdout(found):
        exec(BITS, {})
    assert found.getvalue().strip() == run_without_jit(BITS)
