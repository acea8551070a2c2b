"""Distinction and separation by their definitions, over pairs of rows."""

from __future__ import annotations

from itertools import combinations

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from shoal import risk
from shoal.errors import ParameterError
from shoal.judging.risk.identity.records import records
from shoal.judging.risk.identity.separation import unique_share, unique_without
from tests.examples import examples

rows_ = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=12)


@settings(max_examples=examples(60), deadline=None)
@given(rows=rows_)
def test_pairs(rows: list[tuple[int, int, int]]) -> None:
    table = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row")
    made = risk.separation(table, quasi=["a", "b", "c"], sizes=(1, 2, 3))
    assert len(made) == 7
    for each in made:
        held = table.select(each.columns).rows()
        pairs = list(combinations(held, 2))
        assert each.distinction == len(set(held)) / len(held)
        assert each.separation == pytest.approx(sum(a != b for a, b in pairs) / len(pairs))
        assert each.uniques == sum(held.count(row) == 1 for row in held) / len(held)


@settings(max_examples=examples(60), deadline=None)
@given(rows=rows_, data=st.data())
def test_leaving_one_out(rows: list[tuple[int, int, int]], data: st.DataObject) -> None:
    owners = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    table = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row")

    def alone(columns: list[str]) -> float:
        held = table.select(columns).rows()
        people = {
            owners[i]
            for i in range(len(held))
            if len({owners[j] for j in range(len(held)) if held[j] == held[i]}) == 1
        }
        return len(people) / len(set(owners))

    found = records(table, quasi=["a", "b", "c"], people=owners)
    assert unique_share(found) == alone(["a", "b", "c"])
    assert unique_without(found) == {
        name: alone([other for other in "abc" if other != name]) for name in "abc"
    }


def test_the_defaults() -> None:
    table = pl.DataFrame({name: [1, 2, 2] for name in "abcd"})
    sizes = [len(each.columns) for each in risk.separation(table, quasi=list("abcd"))]
    assert sizes == [1] * 4 + [2] * 6 + [4]


def test_one_row() -> None:
    [each] = risk.separation(pl.DataFrame({"a": [1]}), quasi=["a"])
    assert (each.distinction, each.separation, each.uniques) == (1, 1, 1)


@pytest.mark.parametrize("wrong", ["all", 2, [0], ["some"], [1.5]])
def test_wrong_sizes(wrong: object) -> None:
    with pytest.raises(ParameterError):
        risk.separation(pl.DataFrame({"a": [1]}), quasi=["a"], sizes=wrong)  # type: ignore[arg-type]


def test_too_many_sets() -> None:
    wide = pl.DataFrame({f"c{j}": [1, 2] for j in range(60)})
    with pytest.raises(ParameterError, match="sets of these sizes"):
        risk.separation(wide, quasi=wide.columns, sizes=[3])
