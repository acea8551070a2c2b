"""Any chain of selecting, setting aside, weighting and adding values equals a table made anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import polars as pl
from hypothesis import given, settings, strategies as st

import shoal
from shoal.table import NumericColumn, Table
from shoal.table.schema import Role
from shoal.table.sensitive import SensitiveColumn
from tests.examples import examples

Rows = npt.NDArray[np.intp]

NAMES = ("age", "pay", "job")
CELLS = {
    "age": st.sampled_from([20, 30, 30, 99]),
    "pay": st.sampled_from([0.5, None, 2.25, 1e6]),
    "job": st.sampled_from(["cook", "vet", None, "poet"]),
    "ill": st.sampled_from(["flu", "HIV", None, "cold"]),
    "who": st.sampled_from(["p", "q", "r"]),
}


@dataclass
class Chain:
    """The same steps, noted down: what a table made from scratch must come to."""

    frame: pl.DataFrame
    rows: Rows
    fixed: Rows | None = None
    """The rows whose ranges and numbers are kept, once a piece was taken."""
    aside: set[str] = field(default_factory=set)
    weights: dict[str, float] = field(default_factory=dict)
    added: set[str | None] = field(default_factory=set)
    labels: set[str | None] = field(default_factory=set)

    def select(self, chosen: Rows, ranges: str) -> None:
        if ranges == "whole" and self.fixed is None:
            self.fixed = self.rows
        self.rows = self.rows[chosen]
        if ranges == "own":
            self.labels = self.held | self.added

    @property
    def held(self) -> set[str | None]:
        return set(self.frame["ill"].gather(self.rows).to_list())


def schema_of(chain: Chain) -> shoal.Schema:
    made = shoal.Schema(
        {
            "age": shoal.quasi(kind="numeric"),
            "pay": shoal.quasi(kind="numeric"),
            "job": shoal.quasi(),
            "ill": shoal.sensitive(),
            "who": shoal.identifier(),
        },
        entity="who",
    )
    for name, weight in chain.weights.items():
        made = made.with_column(name, weight=weight)
    for name in chain.aside:
        made = made.with_column(name, role=Role.IDENTIFIER)
    return made


def shown(table: Table) -> dict[str, list[str | None]]:
    """The cells that the codes of each quasi-identifier stand for."""
    return {
        each.name: [None if c == each.size else each.label(c) for c in each.codes.tolist()]
        for each in table.quasi
    }


def alike(people: npt.NDArray[np.int64]) -> list[list[bool]]:
    return (people[:, None] == people[None, :]).tolist()


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    n = draw(st.integers(1, 9))
    cells = {name: draw(st.lists(each, min_size=n, max_size=n)) for name, each in CELLS.items()}
    frame = pl.DataFrame(cells, schema_overrides={"age": pl.Int64, "pay": pl.Float64})
    return frame.with_columns(pl.col("job", "ill").cast(pl.String))


Step = tuple[str, Callable[[st.DataObject, Table, Chain], Table]]


def _select(ranges: str) -> Callable[[st.DataObject, Table, Chain], Table]:
    def step(data: st.DataObject, table: Table, chain: Chain) -> Table:
        chosen = st.lists(st.integers(0, table.n_rows - 1), min_size=1, max_size=9, unique=True)
        rows = np.array(data.draw(chosen), dtype=np.intp)
        chain.select(rows, ranges)
        return table.select(rows, ranges=ranges)  # type: ignore[arg-type]

    return step


def _set_aside(data: st.DataObject, table: Table, chain: Chain) -> Table:
    left = [column.name for column in table.quasi]
    if len(left) < 2:
        return table
    name = data.draw(st.sampled_from(left))
    chain.aside.add(name)
    return table.without([name])


def _weigh(data: st.DataObject, table: Table, chain: Chain) -> Table:
    name = data.draw(st.sampled_from([column.name for column in table.quasi]))
    chain.weights[name] = data.draw(st.sampled_from([0.5, 2.0]))
    return table.with_weights(table.schema.with_column(name, weight=chain.weights[name]))


def _add(data: st.DataObject, table: Table, chain: Chain) -> Table:
    labels = data.draw(st.sets(st.sampled_from(["flu", "plague", None]), min_size=1))
    chain.added |= labels
    chain.labels |= labels
    return table.with_values("ill", labels)


STEPS = [_select("own"), _select("whole"), _set_aside, _weigh, _add]


@given(frame=frames(), data=st.data(), steps=st.lists(st.sampled_from(STEPS), max_size=6))
@settings(max_examples=examples(200), deadline=None)
def test_any_chain_of_steps_equals_a_table_made_anew(
    frame: pl.DataFrame, data: st.DataObject, steps: list[Callable[..., Table]]
) -> None:
    chain = Chain(frame, np.arange(frame.height), labels=set(frame["ill"].to_list()))
    table = Table.encode(frame, schema_of(chain), empty_columns=True)
    wish = SensitiveColumn.encode(frame["job"], ())
    table = replace(table, private={"wish": wish}, multiplicity=np.arange(frame.height) + 1)
    for step in steps:
        table = step(data, table, chain)
    anew = Table.encode(frame[chain.rows.tolist()], schema_of(chain), empty_columns=True)
    whole = frame[(chain.rows if chain.fixed is None else chain.fixed).tolist()]
    ranges = Table.encode(whole, schema_of(chain), empty_columns=True)

    assert table.n_rows == anew.n_rows
    assert shown(table) == shown(anew)
    assert set(table.set_aside) == chain.aside
    for mine, other, kept in zip(table.quasi, anew.quasi, ranges.quasi, strict=True):
        assert (mine.name, mine.weight) == (other.name, other.weight)
        if isinstance(mine, NumericColumn):
            assert isinstance(kept, NumericColumn)
            assert (mine.range, mine.exact_range) == (kept.range, kept.exact_range)

    assert table.multiplicity is not None
    assert table.multiplicity.tolist() == (chain.rows + 1).tolist()
    assert table.total_rows == int((chain.rows + 1).sum())
    private = table.private["wish"]
    assert [private.labels[code] for code in private.codes] == frame["job"][chain.rows].to_list()
    assert table.missing.tolist() == anew.missing.tolist()

    (ill,) = table.sensitive.values()
    assert [ill.labels[code] for code in ill.codes] == anew.frame["ill"].to_list()
    assert set(ill.labels) == chain.labels
    assert list(ill.labels) == sorted(set(ill.labels) - {None}) + [None] * (None in ill.labels)
    assert table.people is not None
    assert anew.people is not None
    assert alike(table.people) == alike(anew.people)


def test_a_copy_with_another_field_keeps_sensitive_values_and_people() -> None:
    schema = shoal.Schema(
        {"age": shoal.quasi(), "ill": shoal.sensitive(), "who": shoal.identifier()}, entity="who"
    )
    frame = pl.DataFrame({"age": [1, 2, 3], "ill": ["a", "b", "a"], "who": ["p", "q", "p"]})
    piece = Table.encode(frame, schema).select(np.array([0, 2]), ranges="whole")
    copy = replace(piece, multiplicity=np.array([1, 2]))
    assert copy.sensitive["ill"].labels == ("a", "b")
    assert copy.people is not None
    assert copy.people.tolist() == [0, 0]
