"""The optimum equals that of exhaustive enumeration by plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from shoal import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LDiversity,
    LeveledAlphaK,
    PSensitiveK,
    SampleUniqueness,
    TCloseness,
)
from shoal.base.cells import STAR, number_text, parse_interval
from shoal.methods.lattice._losses import OBJECTIVES
from shoal.methods.lattice.full_domain import FullDomain
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import NumericColumn, Table
from tests.examples import examples
from tests.methods.test_top_down_reference import with_secrets
from tests.reference.full_domain import Attribute, Exhaustive
from tests.tables import parents, tables


def width_of(column: NumericColumn) -> Callable[[str], float]:
    def width(label: str) -> float:
        read = None if label == STAR else parse_interval(label)
        if read is None:
            return 1.0
        return min((read.hi - read.lo) / (column.range or np.inf), 1.0)

    return width


def twin(table: Table, require: list[Requirement]) -> Exhaustive:
    attributes = []
    for column, tree in zip(table.quasi, table.trees, strict=True):
        raw = table.frame[column.name].to_list()
        width = None
        if isinstance(column, NumericColumn):
            raw = [None if value is None else number_text(float(value)) for value in raw]
            width = width_of(column)
        attributes.append(Attribute(raw, parents(tree.hierarchy), width, column.weight))

    def holds(some: list[Requirement], classes: list[list[int]]) -> list[bool]:
        labels = np.full(table.n_rows, -1, dtype=np.int32)
        for number, rows in enumerate(classes):
            labels[rows] = number
        groups = Grouping(labels).statistics(table.people, table.sensitive)
        verdicts = [each.judge(groups).holds for each in some]
        return [all(verdict[number] for verdict in verdicts) for number in range(len(classes))]

    alone, beside = ([each for each in require if each.relative == how] for how in (False, True))
    return Exhaustive(attributes, table.n_rows, partial(holds, alone), partial(holds, beside))


REQUIREMENTS: list[Callable[[int], list[Requirement]]] = [
    lambda k: [KAnonymity(k)],
    lambda k: [AlphaK(0.7, k)],
    lambda k: [KAnonymity(2), LeveledAlphaK({"a": 1, "b": 2, "c": 2, "d": 2}, [0.6, 0.9], k)],
    lambda k: [KAnonymity(k), LDiversity(2)],
    lambda k: [LDiversity(2, "entropy")],
    lambda k: [KAnonymity(2), LDiversity(2, "recursive", c="3/2")],
    lambda k: [KAnonymity(2), TCloseness("1/3")],
    lambda k: [KAnonymity(2), DeltaDisclosure(1, absent="allowed")],
    lambda k: [KAnonymity(2), BetaLikeness(1)],
    lambda k: [PSensitiveK(2, k)],
    lambda k: [AverageRisk(f"1/{k}")],
    lambda k: [SampleUniqueness("1/10")],
]


def test_of_classes_as_good_as_each_other_those_that_come_first_go() -> None:
    """Two of three unique rows must go; which ones decides what is lost."""
    known = [None] * 7 + [0, 0, 1, -1, None, None]
    letters = [None] * 10 + ["a", None, "a"]
    frame = pl.DataFrame({"c0": letters, "c1": known})
    table = Table.encode(frame, {"c0": "quasi", "c1": "quasi"})
    require: list[Requirement] = [SampleUniqueness("1/10")]
    lattice, found = FullDomain("precision", suppression_limit=0.3).search(table, require)
    expected = twin(table, require).best("precision", 3)
    assert OBJECTIVES["precision"].shown(found.score) == pytest.approx(expected)
    labels = lattice.grouping((0, 0)).labels
    assert np.flatnonzero(labels < 0).tolist() == [9, 10]


@pytest.mark.parametrize("objective", sorted(OBJECTIVES))
@settings(max_examples=examples(60), deadline=None)
@given(
    tables(),
    st.sampled_from(REQUIREMENTS),
    st.sampled_from([0.0, 0.05, 0.3, 1.0]),
    st.data(),
)
def test_the_optimum_is_that_of_all_nodes(
    objective: str,
    case: tuple[Table, int, int],
    needs: Callable[[int], list[Requirement]],
    limit: float,
    data: st.DataObject,
) -> None:
    table, k, _ = case
    n = table.n_rows
    secrets = data.draw(st.lists(st.sampled_from("aabbcd"), min_size=n, max_size=n))
    table = with_secrets(table, secrets)
    require = needs(max(k, 2))
    lattice, found = FullDomain(objective, suppression_limit=limit).search(table, require)
    expected = twin(table, require).best(objective, int(limit * n))
    if expected is None:
        assert found.node is None
        return
    assert found.optimal
    score = OBJECTIVES[objective].shown(found.score)
    assert score == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert lattice.evaluated <= lattice.size
