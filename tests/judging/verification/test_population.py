"""Who of a population fits a class, recounted from published cells."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import DeltaPresence, KAnonymity, KMap
from shoal.base.cells import parse_interval
from shoal.errors import InputError, ParameterError, SchemaError
from shoal.io.frames import Coded
from shoal.judging.verification.population import fitting
from shoal.judging.verification.result import UNCOUNTED
from shoal.table.hierarchies import Hierarchy
from shoal.table.schema import Schema
from tests.examples import examples
from tests.reference.population import covered

TREE = Hierarchy.from_dict({"A": ["a", "b"], "B": {"C": ["c", "d"]}, "e": []})
LEVELS = [
    {"a": "a", "b": "b", "c": "c", "d": "d", "e": "e"},
    {"a": "a", "b": "b", "c": "C", "d": "C", "e": "e"},
    {"a": "A", "b": "A", "c": "B", "d": "B", "e": "e"},
    dict.fromkeys("abcde", "*"),
]
"""What each value shows at each level, by hand."""


def shows(cell: str, value: str) -> bool:
    """Whether a value shows a cell at some level, or lies in it."""
    if cell == "*":
        return value == "*"
    read = parse_interval(cell)
    if read is not None:
        return value != "*" and read.lo <= int(value) < read.hi
    return any(level.get(value) == cell for level in LEVELS)


@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 3), st.booleans(), st.booleans())
def test_counts_are_those_of_looking_at_everyone(
    seed: int, level: int, by_number: bool, holes: bool
) -> None:
    rng = np.random.default_rng(seed)
    people = pl.DataFrame({"x": rng.choice(list("abcde"), 40), "n": rng.integers(0, 40, 40)})
    if holes:
        people = people.with_columns(
            pl.when(pl.Series(rng.random(40) < 0.3)).then(None).otherwise(pl.col("x")).alias("x")
        )
    rows = people[rng.integers(0, 40, 12).tolist()]
    table = pl.DataFrame(
        {
            "x": ["*" if each is None else LEVELS[level][each] for each in rows["x"]],
            "n": [
                f"[{n // 10 * 10}, {n // 10 * 10 + 10})" if by_number else "*" for n in rows["n"]
            ],
        }
    )
    schema = Schema({"x": shoal.quasi(hierarchy=TREE), "n": shoal.quasi(kind="numeric")})
    cells = table.unique(maintain_order=True)
    classes = [cells.rows().index(row) for row in table.rows()]
    found = fitting(Coded(table), np.array(classes), schema, people)
    everyone = {name for name in table.columns if set(table[name]) == {"*"}}
    seen = [
        ["*" if name in everyone or value is None else str(value) for name, value in row.items()]
        for row in people.rows(named=True)
    ]
    assert found.population.tolist() == covered(cells.rows(), seen, shows)
    assert found.elsewhere == people.height - found.population.sum()


def test_a_star_fits_everyone_only_where_it_is_all_that_is_shown() -> None:
    people = pl.DataFrame({"sex": ["f", "f", "m", None]})
    schema = Schema({"sex": "quasi"})
    some = fitting(Coded(pl.DataFrame({"sex": ["f", "*"]})), np.array([0, 1]), schema, people)
    assert some.population.tolist() == [2, 1]
    assert some.elsewhere == 1
    all_of_them = fitting(
        Coded(pl.DataFrame({"sex": ["*", "*"]})), np.zeros(2, int), schema, people
    )
    assert all_of_them.population.tolist() == [4]


def test_sets_and_single_numbers() -> None:
    people = pl.DataFrame({"x": ["a", "b", "c"], "n": [1.5, 1.5, 2.0]})
    table = pl.DataFrame({"x": ["{a, b}", "c"], "n": ["1.5", "2"]})
    found = fitting(Coded(table), np.array([0, 1]), Schema({"x": "quasi", "n": "quasi"}), people)
    assert found.population.tolist() == [2, 1]


def test_cells_that_overlap_are_refused() -> None:
    table = pl.DataFrame({"age": ["[20, 30]", "[25, 40]"]})
    people = pl.DataFrame({"age": [22, 27, 28, 39]})
    with pytest.raises(InputError, match=r"'age' shows overlapping cells: 2 values fit two"):
        shoal.verify(table, {"age": "quasi"}, KMap(2), population=people)


def test_without_a_population_nobody_can_tell() -> None:
    table = pl.DataFrame({"age": ["[20, 30]"] * 3})
    found = shoal.verify(table, {"age": "quasi"}, [KAnonymity(3), KMap(5)])
    assert not found.passed
    assert not found.failed
    assert repr(found) == "Verification(NOT RECOUNTED, k = 3, 3 rows in 1 class)"
    assert found.uncounted == (KMap(5).describe(),)
    assert found.reasons() == [f"{KMap(5).describe()} {UNCOUNTED}"]
    # What can be counted and fails is said to fail.
    found = shoal.verify(table, {"age": "quasi"}, [KAnonymity(4), DeltaPresence(0, 1)])
    assert found.failed
    assert repr(found).startswith("Verification(FAILED")


def test_what_does_not_hold_is_found() -> None:
    table = pl.DataFrame({"age": ["[20, 30)"] * 3 + ["[30, 40)"]})
    people = pl.DataFrame({"age": [20, 21, 22, 23, 30, 31, 50]})
    schema = {"age": "quasi"}
    found = shoal.verify(table, schema, [KMap(3), DeltaPresence(0, "1/2")], population=people)
    assert [each.failing_classes for each in found.judgements] == [1, 1]
    assert found.achieved == {
        "least population": 2,
        "least presence": 0.0,
        "most presence": 0.75,
    }
    everyone = shoal.verify(table, schema, DeltaPresence("1/10", 1), population=people)
    assert everyone.judgements[0].failing_classes == 2
    assert shoal.verify(table, schema, DeltaPresence("1/10", 1), population=people[:-1]).passed


def test_bad_populations() -> None:
    table = pl.DataFrame({"age": ["20"], "sex": ["f"]})
    schema = Schema({"age": shoal.quasi(kind="numeric"), "sex": "quasi"})
    with pytest.raises(SchemaError, match="The population has no column 'sex'"):
        shoal.verify(table, schema, KMap(2), population=pl.DataFrame({"age": [20]}))
    people = pl.DataFrame({"age": ["20", "old"], "sex": ["f", "f"]})
    with pytest.raises(InputError, match="The population has no rows"):
        shoal.verify(table, schema, KMap(2), population=people.head(0))
    with pytest.raises(InputError, match=r"The population: Column 'age' .* 1 cell is not a number"):
        shoal.verify(table, schema, KMap(2), population=people)
    tables = {
        "quasi": pl.DataFrame({"age": [20], "class": [1]}),
        "sensitive": pl.DataFrame({"class": [1], "ill": ["flu"]}),
    }
    roles = {"age": "quasi", "ill": "sensitive"}
    assert shoal.verify(tables, roles, KMap(2)).uncounted
    with pytest.raises(ParameterError, match="only be counted for one published table"):
        shoal.verify(tables, roles, KMap(2), population=people)
