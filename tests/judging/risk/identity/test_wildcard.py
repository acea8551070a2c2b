"""Stars as wildcards: exactly the pairs that could be the same person."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings, strategies as st

from shoal.judging.risk.identity.records import records
from shoal.judging.risk.identity.wildcard import wildcard_sizes
from tests.examples import examples
from tests.reference.wildcard import matches

cells = st.sampled_from(["a", "b", "*"])
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=14)
)


def frame(rows: list[list[str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=[f"c{j}" for j in range(len(rows[0]))], orient="row")


@settings(max_examples=examples(100), deadline=None)
@given(rows=tables, seed=st.integers(0, 9))
def test_every_pair(rows: list[list[str]], seed: int) -> None:
    table = frame(rows)
    found = records(table, quasi=table.columns)
    assert wildcard_sizes(found)[found.classes].tolist() == matches(rows, [1] * len(rows))
    weights = np.random.default_rng(seed).integers(1, 9, len(rows)).astype(float)
    scaled = wildcard_sizes(found, weights)
    assert scaled[found.classes].tolist() == matches(rows, weights.tolist())


@settings(max_examples=examples(60), deadline=None)
@given(rows=tables, data=st.data())
def test_of_people_it_is_never_more_than_match(rows: list[list[str]], data: st.DataObject) -> None:
    owners = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    table = frame(rows)
    found = records(table, quasi=table.columns, people=owners)
    said = wildcard_sizes(found)[found.classes].tolist()
    for row, size in zip(rows, said, strict=True):
        true = {
            owner
            for other, owner in zip(rows, owners, strict=True)
            if all(a == b or "*" in (a, b) for a, b in zip(row, other, strict=True))
        }
        assert 1 <= size <= len(true)
    assert (wildcard_sizes(found) >= found.sizes).all()
