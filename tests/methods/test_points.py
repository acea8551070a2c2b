"""Equal rows given once, with their number, are the rows themselves to whoever needs no more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from shoal import AlphaK, FullDomain, Grouping, KAnonymity, LDiversity, TCloseness
from shoal.checks import ContractError
from shoal.checks.points import collapsed, points_are_enough
from shoal.errors import InfeasibleError
from shoal.methods.lattice._losses import OBJECTIVES
from shoal.models import Requirement
from shoal.publications.groups.counting import count_pairs, one_group
from shoal.table import Table
from tests.examples import examples
from tests.methods.test_lattice import table_of

NEEDS: list[list[Requirement]] = [
    [KAnonymity(4)],
    [KAnonymity(2), LDiversity(2)],
    [LDiversity(2, "entropy")],
    [AlphaK("2/3", 3)],
    [KAnonymity(3), TCloseness("1/3")],
]


def repeated(seed: int) -> Table:
    """Draw a table whose rows occur up to nine times."""
    table = table_of(seed, people=seed % 2 == 1)
    times = np.random.default_rng(seed).integers(1, 10, table.n_rows)
    return table.select(np.repeat(np.arange(table.n_rows), times))


def found(table: Table, require: list[Requirement], method: FullDomain, rows: Any) -> Any:
    try:
        made = method.group(table, require, rng=np.random.default_rng(0))
    except InfeasibleError as error:
        return str(error)
    return made.labels[rows].tolist(), made.levels, made.search


@pytest.mark.parametrize("objective", sorted(OBJECTIVES))
@pytest.mark.parametrize("limit", [0.0, 0.2])
def test_levels_of_points_are_those_of_rows(objective: Any, limit: float) -> None:
    method, several = FullDomain(objective, suppression_limit=limit), 0
    for seed in range(examples(8, 4)):
        table = repeated(seed)
        points, which = collapsed(table)
        several += points.n_rows < table.n_rows
        for require in NEEDS:
            every = found(table, require, method, slice(None))
            assert found(points, require, method, which) == every
    assert several


@pytest.mark.parametrize("seed", range(6))
def test_points_count_as_their_rows(seed: int) -> None:
    table = repeated(seed)
    points, _ = collapsed(table)
    assert points.total_rows == table.total_rows == table.n_rows
    for require in NEEDS:
        one, other = one_group(points, require), one_group(table, require)
        assert one.sizes.tolist() == other.sizes.tolist()
        assert (one.people is None) == (other.people is None)
        assert one.counts.tolist() == other.counts.tolist()
        for name, counted in one.histograms.items():
            assert counted.totals.tolist() == other.histograms[name].totals.tolist()
    half = np.arange(points.n_rows // 2)
    assert points.multiplicity is not None
    for part in (points.select(half), points.select(half, ranges="whole")):
        assert part.total_rows == points.multiplicity[half].sum()


@pytest.mark.parametrize("far", [1, 10**6])
def test_pairs_of_points_are_counted_by_their_rows(far: int) -> None:
    group, thing, times = (
        np.array([1, 0, 1, 1]),
        far * np.array([5, 5, 2, 5]),
        np.array([3, 1, 1, 4]),
    )
    made = [part.tolist() for part in count_pairs(group, thing, times)]
    assert made == [[0, 1, 1], [5 * far, 2 * far, 5 * far], [1, 1, 7]]


def test_without_a_table_of_logarithms_levels_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    need: list[Requirement] = [LDiversity("3/2", "entropy")]
    table = repeated(4)
    before = found(table, need, FullDomain(suppression_limit=0.2), slice(None))
    monkeypatch.setattr("shoal.methods.lattice._checks.MOST_LOGARITHMS", table.n_rows - 1)
    assert found(table, need, FullDomain(suppression_limit=0.2), slice(None))[:2] == before[:2]


def test_a_method_that_looks_at_rows_does_not_say_otherwise() -> None:
    @dataclass(frozen=True)
    class ByRows(FullDomain):
        name: ClassVar[str] = "by-rows"

        def group(self, table: Table, require: Any, **rest: Any) -> Grouping:
            return super().group(replace(table, multiplicity=None), require, **rest)

    with pytest.raises(ContractError, match="otherwise than rows"):
        points_are_enough(ByRows())
