"""Whom of a population cells cover: values, stars, intervals, sets and nodes."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.base.cells import parse_interval, parse_set
from shoal.errors import SchemaError
from shoal.judging.risk.identity.population import population_sizes
from shoal.judging.risk.identity.records import records
from tests.examples import examples
from tests.reference.population import covered

TREE = shoal.Hierarchy.from_dict({"north": ["a", "b"], "south": ["c"]})
BELOW = {"north": {"a", "b"}, "south": {"c"}}


def covers(cell: str, value: str) -> bool:
    if cell == "*" or cell == value != "*":
        return True
    if value in BELOW.get(cell, set()) or value in (parse_set(cell) or ()):
        return True
    inside, number = parse_interval(cell), parse_interval(value)
    if inside is None or number is None:
        return False
    return inside.lo <= number.lo and (
        number.lo < inside.hi or (number.lo == inside.hi and not inside.open_end)
    )


ages = st.sampled_from(["*", "3", "[2, 5]", "[2, 5)", "5", "9"])
regions = st.sampled_from(["*", "a", "north", "south", "{a, c}", "elsewhere"])
values = st.tuples(st.integers(1, 7).map(str) | st.just("*"), st.sampled_from(["a", "b", "c", "*"]))


@settings(max_examples=examples(150), deadline=None)
@given(
    rows=st.lists(st.tuples(ages, regions), min_size=1, max_size=8),
    people=st.lists(values, min_size=1, max_size=15),
)
def test_everyone(rows: list[tuple[str, str]], people: list[tuple[str, str]]) -> None:
    names = ["age", "region"]
    schema = shoal.Schema(
        {"age": shoal.quasi(kind="numeric"), "region": shoal.quasi(hierarchy=TREE)}
    )
    found = records(pl.DataFrame(rows, schema=names, orient="row"), schema)
    sizes = population_sizes(found, pl.DataFrame(people, schema=names, orient="row"))
    assert sizes[found.classes].tolist() == covered(rows, people, covers)


def test_a_release_in_its_own_original() -> None:
    adult = shoal.datasets.adult().head(300)
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    release = shoal.anonymize(adult, plan)
    found = records(release)
    assert (population_sizes(found, adult) >= found.sizes).all()


def test_a_population_must_have_the_columns() -> None:
    found = records(pl.DataFrame({"age": [1], "sex": ["f"]}), quasi=["age", "sex"])
    with pytest.raises(SchemaError, match=r"The population: .*'sex'"):
        population_sizes(found, pl.DataFrame({"age": [1]}))
