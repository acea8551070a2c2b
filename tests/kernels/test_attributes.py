"""Costs as integers: exact where they fit, never overflowing where they do not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.kernels.clustering.shapes import ADDED_LOSS, MEETING, cost, join
from shoal.methods._costs import attributes, denominator
from shoal.methods._scaling import FALLBACK
from shoal.table import CategoricalColumn, Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.reference.gaacp import Category, Number

TREE = Hierarchy.from_dict(
    {"P": {"a": [], "Q": ["b", {"R": ["c", "d"]}]}, "e": [], "S": {"T": {"U": ["f"]}}}
)
PARENTS = {
    label: None if above < 0 else TREE.labels[above]
    for label, above in zip(TREE.labels, TREE.parent.tolist(), strict=True)
}


def twins(table: Table) -> list[Number | Category]:
    made: list[Number | Category] = []
    for column in table.quasi:
        weight = Fraction(str(column.weight))
        if isinstance(column, CategoricalColumn):
            made.append(Category(table.frame[column.name].to_list(), PARENTS, weight))
        else:
            known = [None if c == column.size else int(column.units[c]) for c in column.codes]
            made.append(Number(known, weight))
    return made


def make(numbers: list[Any], words: list[str | None], weights: tuple[float, float]) -> Table:
    schema = shoal.Schema(
        {"n": shoal.quasi(weight=weights[0]), "w": shoal.quasi(hierarchy=TREE, weight=weights[1])}
    )
    return Table.encode(pl.DataFrame({"n": numbers, "w": words}, strict=False), schema)


def costs(table: Table, j: int, members: list[int], row: int, *, exact_loss: bool) -> int:
    """Let members into a class, and ask what a row costs."""
    rule = ADDED_LOSS if exact_loss else MEETING
    attrs = attributes(table.quasi, rule=rule, largest_class=table.n_rows)
    codes = table.quasi[j].codes.astype(np.int64)
    shape = np.zeros(4, dtype=np.int64)
    for place, member in enumerate(members):
        join(attrs, j, shape, codes[member], place == 0)
    return int(cost(attrs, j, len(members), shape, codes[row]))


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_small_costs_are_exact(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 6))
    number = st.one_of(st.none(), st.integers(-30, 30))
    numbers = [3, *data.draw(st.lists(number, min_size=n, max_size=n))]
    word = st.one_of(st.none(), st.sampled_from(TREE.leaves))
    words = ["a", *data.draw(st.lists(word, min_size=n, max_size=n))]
    weights = data.draw(st.sampled_from([(1.0, 1.0), (0.3, 2.0), (7.0, 0.125)]))
    table = make(numbers, words, weights)
    common = denominator(table.quasi, table.n_rows)
    assert common is not None
    members, row = list(range(n)), n
    for j, twin in enumerate(twins(table)):
        paper = twin.weight * twin.distance(row, twin.describe(members))
        assert costs(table, j, members, row, exact_loss=False) == paper * common
        cell, wider = twin.describe(members), twin.describe([*members, row])
        added = sum((twin.loss(r, wider) for r in [*members, row]), Fraction(0)) - sum(
            (twin.loss(r, cell) for r in members), Fraction(0)
        )
        assert costs(table, j, members, row, exact_loss=True) == twin.weight * added * common


@pytest.mark.parametrize("exact_loss", [False, True])
@pytest.mark.parametrize(
    ("numbers", "weights"),
    [
        ([0, 1, 2**40 + 1, 2**41 - 1], (1.0, 1.0)),
        ([-(2**63), -1, 0, 2**63 - 1], (1.0, 1.0)),
        ([-(2**62), 0, 1, 2**62 + 1], (0.1, 1.0)),
        ([0.1234567891, 5.0, 7.7777777777, 9.0], (1.0, 0.7)),
        ([1, 2, 300_000_001, 300_000_007], (1e10, 1.0)),
        ([1, 2, 300_000_001, 300_000_007], (1e12, 1e12)),
        ([1, 2, 300_000_001, 300_000_007], (1e-12, 1e-12)),
        ([-1.7e308, 0.5, 1.0, 1.7e308], (1.0, 1.0)),
    ],
)
def test_large_costs_keep_their_proportions(
    numbers: list[Any], weights: tuple[float, float], exact_loss: bool
) -> None:
    """Costs are about w · distance on one common scale, whatever the scale is."""
    table = make(numbers, ["a", "c", "f", "e"], weights)
    heaviest = max(Fraction(str(weight)) for weight in weights)
    ratios = []
    for j, weight in enumerate(weights):
        if Fraction(str(weight)) < heaviest / 1000:
            continue
        # From the least to the largest, and across the root: all of the weight, per record.
        whole = costs(table, j, [0], 3, exact_loss=exact_loss)
        assert whole > 0
        assert whole * (table.n_rows + 1) < 2**62
        steps = [costs(table, j, [0], row, exact_loss=exact_loss) for row in range(4)]
        assert steps[0] == 0
        assert max(steps) == whole
        assert min(steps) >= 0
        if j == 0:  # as far along as the numbers are
            reach = Fraction(numbers[3]) - Fraction(numbers[0])
            for step, number in zip(steps, numbers, strict=True):
                share = (Fraction(number) - Fraction(numbers[0])) / reach
                assert step / whole == pytest.approx(float(share), abs=1e-5)
        ratios.append(whole / float(Fraction(str(weight)) / heaviest))
    assert max(ratios) / min(ratios) < 1.01


def test_the_fallback_is_on_the_documented_grid() -> None:
    table = make([0, 2**59 + 1, 2**60 - 1], ["a", "c", "f"], (1.0, 1.0))
    assert denominator(table.quasi, table.n_rows) is None
    assert costs(table, 0, [0], 2, exact_loss=False) == FALLBACK


@pytest.mark.parametrize("weights", [(1e300, 1e299), (1e300, 1e-300)])
def test_absurd_weights_work_or_are_refused(weights: tuple[float, float]) -> None:
    table = make([1, 2, 3, 4], ["a", "c", "f", "e"], weights)
    try:
        found = shoal.GAACP(picks="first").group(
            table, [shoal.KAnonymity(2)], rng=np.random.default_rng(0)
        )
    except shoal.errors.ShoalError:
        return
    assert found.labels.tolist() == [0, 0, 1, 1]
