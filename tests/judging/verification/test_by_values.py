"""What is verified value by value is what one finds cell by cell."""

from __future__ import annotations

import re
from collections import Counter

import hypothesis.strategies as st
import polars as pl
from hypothesis import given, settings

import shoal
from shoal.base.cells import parse_interval
from tests.examples import examples

TREE = {"a": ["a", "low", "*"], "b": ["b", "low", "*"], "c": ["c", "high", "*"]}
AGES = ("20", "30", "[20, 30]", "[20, 30)", "[10, 20)", "*", "old")
LETTERS = ("a", "b", "c", "low", "high", "*", "{a, c}", "z")


def schema() -> shoal.Schema:
    tree = shoal.Hierarchy.from_paths(list(TREE.values()))
    return shoal.Schema(
        {
            "name": shoal.identifier(),
            "age": shoal.quasi(kind="numeric"),
            "letter": shoal.quasi(hierarchy=tree),
            "ill": shoal.sensitive(),
        },
        missing=("", "?"),
    )


ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, "", "?", "20", "25", "30", "30.0"]),
        st.sampled_from([None, "", "?", "a", "b", "c"]),
        st.sampled_from([None, "", "flu", "HIV"]),
        st.sampled_from(AGES),
        st.sampled_from(LETTERS),
        st.sampled_from([None, "", "flu", "HIV"]),
    ),
    min_size=1,
    max_size=12,
)


def covers(cell: str, value: str | None, *, number: bool) -> bool:
    """Say whether a published cell may stand for an original one, as the words of the page say."""
    missing = value is None or value in ("", "?")
    if cell == "*":
        return True
    if missing:
        return False
    if number:
        read = parse_interval(cell)
        if read is None:
            return False
        given = float(value)
        return read.lo <= given < read.hi or (given == read.hi and not read.open_end)
    if cell == "{a, c}":
        return value in ("a", "c")
    return cell in TREE[value]


@given(ROWS, st.randoms(use_true_random=False))
@settings(max_examples=examples(300))
def test_cells_values_and_classes(rows: list[tuple[str | None, ...]], rng) -> None:
    order = list(range(len(rows)))
    rng.shuffle(order)
    original = pl.DataFrame(
        {
            "name": [str(i) for i in range(len(rows))],
            "age": [row[0] for row in rows],
            "letter": [row[1] for row in rows],
            "ill": [row[2] for row in rows],
        },
        schema=dict.fromkeys(("name", "age", "letter", "ill"), pl.String),
    )
    published = pl.DataFrame(
        {
            "age": [rows[i][3] for i in order],
            "letter": [rows[i][4] for i in order],
            "ill": [rows[i][5] for i in order],
        },
        schema=dict.fromkeys(("age", "letter", "ill"), pl.String),
    )
    found = shoal.verify(published, schema(), 2, original=original, rows=order)
    said = {each.check: each for each in found.findings}
    wrong = {
        name: sum(not covers(str(row[3 + at]), row[at], number=at == 0) for row in rows)
        for at, name in enumerate(("age", "letter"))
    }
    cover = said["cells cover their originals"]
    assert cover.passed == (not any(wrong.values()))
    for name, count in wrong.items():
        named = re.search(rf"'{name}' in (\d+) row", cover.detail)
        assert (int(named[1]) if named else 0) == count
    moved = sum((row[2] or "") != (row[5] or "") for row in rows)
    assert said["values of 'ill'"].passed == (moved == 0)
    if moved:
        assert said["values of 'ill'"].detail.startswith(str(moved))
    classes = Counter((row[3], row[4]) for row in rows)
    assert found.classes == len(classes)
    assert found.achieved["k"] == min(classes.values())
    assert said["identifiers removed"].passed


@given(ROWS)
def test_a_published_identifier_is_noticed(rows: list[tuple[str | None, ...]]) -> None:
    table = pl.DataFrame(
        {"name": ["x"] * len(rows), "age": ["*"] * len(rows), "letter": ["*"] * len(rows)}
    ).with_columns(pl.Series("ill", [row[2] for row in rows], dtype=pl.String))
    found = shoal.verify(pl.concat([table, table]), schema(), 2)
    assert not found.passed
    assert found.reasons() == ["identifiers removed: published: name"]
