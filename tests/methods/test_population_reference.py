"""Requirements that count people of a population: the optimum is that of all nodes, looked at."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from shoal import DeltaPresence, KAnonymity, KMap
from shoal.base.cells import number_text
from shoal.methods.lattice._losses import OBJECTIVES
from shoal.methods.lattice.full_domain import FullDomain
from shoal.models import Requirement
from shoal.table import NumericColumn, Table
from tests.examples import examples
from tests.methods.test_full_domain_reference import width_of
from tests.reference.full_domain import Attribute, ExhaustiveInPopulation
from tests.tables import parents, tables


@st.composite
def drawn(draw: st.DrawFn) -> Table:
    """A table with a population: most of its rows, and others of the same values."""
    table, _, _ = draw(tables())
    assume(table.people is None)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    extra = draw(st.integers(0, 60))
    columns = {}
    for column in table.quasi:
        own = table.frame[column.name]
        values = own.to_list()
        if not isinstance(column, NumericColumn):
            values = [*values, *column.hierarchy.leaves, None]
        more = [values[at] for at in rng.integers(0, len(values), extra)]
        columns[column.name] = pl.concat([own, pl.Series(own.name, more, dtype=own.dtype)])
    people = pl.DataFrame(columns)
    kept = rng.random(people.height) < draw(st.sampled_from([1.0, 1.0, 0.8]))
    kept[-1] = True
    return Table.encode(table.frame, table.schema, population=people.filter(pl.Series(kept)))


def twin(table: Table, **asked: Any) -> ExhaustiveInPopulation:
    assert table.population is not None
    attributes, people = [], []
    for column, tree in zip(table.quasi, table.trees, strict=True):
        raw, width = table.frame[column.name].to_list(), None
        if isinstance(column, NumericColumn):
            raw = [None if value is None else number_text(value) for value in raw]
            width = width_of(column)
        above = parents(tree.hierarchy)
        labels = [*tree.hierarchy.leaves, None]
        fitting = [labels[code] for code in table.population.codes[column.name]]
        attributes.append(Attribute(raw, above, width, column.weight))
        people.append(Attribute(fitting, above))
    k = asked.pop("size", 1)

    def large(classes: list[list[int]]) -> list[bool]:
        return [len(rows) >= k for rows in classes]

    return ExhaustiveInPopulation(
        attributes, table.n_rows, large, lambda left: [True] * len(left), people, **asked
    )


half, fifth = Fraction(1, 2), Fraction(1, 5)
ASKED: list[tuple[list[Requirement], dict[str, Any]]] = [
    ([KMap(2)], {"k": 2}),
    ([KMap(4)], {"k": 4}),
    ([KMap(4), KAnonymity(2)], {"k": 4, "size": 2}),
    ([DeltaPresence(0, "1/2")], {"presence": (Fraction(0), half)}),
    ([DeltaPresence("1/5", 1)], {"presence": (fifth, Fraction(1))}),
    ([DeltaPresence("1/5", "1/2")], {"presence": (fifth, half)}),
    ([KAnonymity(2), DeltaPresence("1/5", 1)], {"size": 2, "presence": (fifth, Fraction(1))}),
    (
        [KAnonymity(2), KMap(3), DeltaPresence(0, "1/2")],
        {"k": 3, "size": 2, "presence": (Fraction(0), half)},
    ),
]


@settings(max_examples=examples(50), deadline=None)
@given(
    st.sampled_from(["loss", "loss-geometric", "average-class-size"]),
    drawn(),
    st.sampled_from(ASKED),
    st.sampled_from([0.0, 0.05, 0.3, 1.0]),
)
def test_the_optimum_is_that_of_all_nodes(
    objective: str, table: Table, asked: tuple[list[Requirement], dict[str, Any]], limit: float
) -> None:
    require, numbers = asked
    lattice, found = FullDomain(objective, suppression_limit=limit).search(table, require)
    expected = twin(table, **numbers).best(objective, int(limit * table.n_rows))
    if expected is None:
        assert found.node is None
        return
    assert found.optimal
    score = OBJECTIVES[objective].shown(found.score)
    assert score == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert lattice.evaluated <= lattice.size


@settings(max_examples=examples(30), deadline=None)
@given(
    st.sampled_from([shoal.Incognito, shoal.Samarati, shoal.Datafly]),
    drawn(),
    st.sampled_from(ASKED),
    st.sampled_from([0.0, 0.3]),
)
def test_other_searches_find_groups_that_hold(
    how: Callable[..., shoal.methods.Method],
    table: Table,
    asked: tuple[list[Requirement], dict[str, Any]],
    limit: float,
) -> None:
    require, numbers = asked
    slow = twin(table, **numbers)
    try:
        found = how(suppression_limit=limit).group(table, require, rng=np.random.default_rng(0))
    except shoal.errors.InfeasibleError:
        assert how is shoal.Datafly or slow.best("height", int(limit * table.n_rows)) is None
        return
    assert found.levels is not None
    groups = slow.published(slow.classes(tuple(found.levels.values())))
    labels = [-1] * table.n_rows
    for number, rows in enumerate(sorted(groups)):
        for row in rows:
            labels[row] = number
    assert (
        shoal.publications.groups.grouping.number_by_first(found.labels).tolist()
        == shoal.publications.groups.grouping.number_by_first(np.array(labels)).tolist()
    )
    assert found.n_suppressed == labels.count(-1)
    fit = [slow.shown(slow.people, i) for i in range(table.population.n_rows)]  # type: ignore[union-attr]
    for number in range(found.n_groups):
        row = int(np.flatnonzero(found.labels == number)[0])
        assert found.population is not None
        assert found.population[number] == fit.count(slow.shown(slow.attributes, row))
    assert found.elsewhere == len(fit) - found.population.sum()  # type: ignore[union-attr]


def test_rows_that_nobody_fits_may_go_even_with_a_least_chance() -> None:
    """Nobody is left without a row by it; so a node that fails says nothing of those below."""
    table = Table.encode(
        pl.DataFrame({"a": ["x", "x", None]}),
        {"a": "quasi"},
        population=pl.DataFrame({"a": ["x", "x", "x", "x"]}),
    )
    how = FullDomain(suppression_limit=0.4)
    found = how.group(table, [DeltaPresence("1/4", "1/2")], rng=np.random.default_rng(0))
    assert found.levels == {"a": 0}
    assert found.labels.tolist() == [0, 0, -1]
