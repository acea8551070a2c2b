"""A population beside the table: what is counted in it, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal import DeltaPresence, FullDomain, KMap
from shoal.engines import pipeline
from shoal.errors import (
    HierarchyError,
    InfeasibleError,
    InputError,
    ParameterError,
    PlanError,
    SchemaError,
    ShoalError,
)
from shoal.table import Table
from shoal.table.hierarchies import Auto, Hierarchy, Intervals, Order, Prefixes

PEOPLE = pl.DataFrame(
    {
        "zip": ["47906", "47903", "47906", "47630", "47630", "47633", "48973", "48972", "48970"],
        "age": [35, 59, 42, 18, 22, 63, 33, 47, 52],
        "nation": [
            "USA",
            "Canada",
            "USA",
            "Brazil",
            "Brazil",
            "Peru",
            "Spain",
            "Bulgaria",
            "France",
        ],
    }
)
"""A population after the example of Nergiz, Atzori and Clifton (2007); its cells were rebuilt."""
PATIENTS = PEOPLE[[1, 2, 5, 7, 8]].with_columns(ill=pl.Series(["a", "b", "c", "d", "e"]))
NATIONS = {
    "America": ["USA", "Canada", "Brazil", "Peru"],
    "Europe": ["Spain", "Bulgaria", "France"],
}
SCHEMA = shoal.Schema(
    {
        "zip": shoal.quasi(hierarchy=Prefixes()),
        "age": shoal.quasi(kind="numeric"),
        "nation": shoal.quasi(hierarchy=Hierarchy.from_dict(NATIONS)),
        "ill": shoal.sensitive(),
    }
)
SURE = FullDomain(suppression_limit=0)


def make(require: Any, data: Any = PATIENTS, schema: Any = SCHEMA, **options: Any) -> shoal.Release:
    options = {"method": SURE, "population": PEOPLE, **options}
    return shoal.anonymize(data, schema, require=require, **options)


def test_the_table_of_the_paper() -> None:
    """Three of six Americans and two of three Europeans: (1/2, 2/3)-presence."""
    made = make(DeltaPresence("1/2", "2/3"))
    assert made.table["zip"].to_list() == ["47***"] * 3 + ["48***"] * 2
    assert made.verification.achieved == {"least presence": 0.5, "most presence": round(2 / 3, 12)}
    assert made.grouping.population is not None
    assert made.grouping.population.tolist() == [6, 3]
    with pytest.raises(InfeasibleError):
        make(DeltaPresence("1/2", "5/9"), method=FullDomain(maximum={"nation": 1}))


def test_k_map_lets_single_rows_stand() -> None:
    made = make(KMap(3))
    assert made.verification.achieved == {"least population": 3}
    assert min(made.grouping.sizes) == 1
    assert made.table["zip"].to_list() == ["4790*", "4790*", "4763*", "4897*", "4897*"]


def test_who_is_suppressed_is_not_in_the_table() -> None:
    """Both Europeans go for k; then nobody of Europe is in it, which a least chance forbids."""
    both = [shoal.KAnonymity(3), DeltaPresence(0, "2/3")]
    half = FullDomain(suppression_limit=0.5, levels={"nation": 1})
    made = make(both, method=half, suppression_limit=0.5)
    assert made.n_suppressed == 2
    assert made.verification.achieved["least presence"] == 0
    with pytest.raises(InfeasibleError):
        make([shoal.KAnonymity(3), DeltaPresence("1/9", "2/3")], method=half, suppression_limit=0.5)


def test_a_missing_cell_equals_only_a_missing_one() -> None:
    people = pl.DataFrame({"sex": ["f", "f", "f", None, None, "m"]})
    table = pl.DataFrame({"sex": ["f", None, "m"]})
    schema = {"sex": "quasi"}
    half = FullDomain(suppression_limit=0.5)
    made = make(KMap(2), table, schema, population=people, method=half, suppression_limit=0.5)
    assert made.table["sex"].to_list() == ["f", "*"]
    made = make(KMap(3), table, schema, population=people)
    assert made.table["sex"].to_list() == ["*"] * 3
    assert made.verification.achieved == {"least population": 6}
    dropped = make(KMap(3), table, schema, population=people, missing="drop")
    assert dropped.verification.achieved == {"least population": 6}


def test_a_column_that_is_set_aside_fits_everyone() -> None:
    people = pl.DataFrame({"sex": ["f", "f", "m", "m"], "job": ["x", "y", "x", "y"]})
    table = pl.DataFrame({"sex": ["f", "m"], "job": ["x", None]})
    made = make(
        KMap(2), table, dict.fromkeys(people.columns, "quasi"), population=people,
        missing="suppress-column",
    )  # fmt: skip
    assert made.table.rows() == [("f", "*"), ("m", "*")]
    assert made.verification.achieved == {"least population": 2}


@pytest.mark.parametrize("name", ["full-domain", "incognito", "samarati", "datafly"])
def test_methods_that_count(name: str) -> None:
    made = make([KMap(3), DeltaPresence("1/3", "2/3")], method={"name": name})
    assert made.verification.passed


@pytest.mark.parametrize("name", ["auto", "gaa-cp", "mondrian", "local-recoding", "kaca"])
def test_other_methods_refuse(name: str) -> None:
    with pytest.raises(ParameterError, match="does not count which people of a population"):
        make(KMap(3), method=name)


def test_classes_are_known_by_their_cells() -> None:
    form = shoal.publications.TwoTable("generalized")
    with pytest.raises(ParameterError, match="identifies classes by an id"):
        make(KMap(3), publication=form)


@pytest.mark.parametrize(
    "options", [{"blocks": 2}, {"refine": {"steps": 3}}], ids=["blocks", "refine"]
)
def test_what_does_not_go_beside_it(options: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        make(KMap(3), **options)


def test_a_lower_bound_holds_beside_it() -> None:
    """Nothing is asked of sizes, so any table may lose nothing."""
    made = make(KMap(3), bound={"looks": 1000})
    assert made.bound is not None
    assert made.bound.least == 0


@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        ({"population": None}, ParameterError, "but none is given. Name it"),
        ({"require": 2}, ParameterError, "no requirement counts its people. Require"),
        ({"require": KMap(3, 0.5)}, ParameterError, "no requirement counts its people"),
        ({"population": PEOPLE.drop("age")}, SchemaError, "The population has no column 'age'"),
        ({"population": PEOPLE.select("age")}, SchemaError, "nor 1 other quasi-identifier"),
        ({"population": PEOPLE.head(0)}, InputError, "The population has no rows"),
        ({"population": 7}, InputError, "The population: "),
        ({"population": PEOPLE[2:]}, InfeasibleError, "the table: 1 of 5 rows match no person"),
        (
            {"population": PEOPLE.with_columns(nation=pl.lit("Atlantis"))},
            HierarchyError,
            "misses 1 of 1 values of the population, in 9 rows. Add them",
        ),
        (
            {"population": PEOPLE.with_columns(age=pl.lit("old"))},
            InputError,
            "The population: Column 'age' is numeric, but 9 cells are not numbers",
        ),
        ({"require": KMap(10)}, InfeasibleError, "The population has 9 people: lower k"),
    ],
)
def test_refusals(options: dict[str, Any], kind: type[ShoalError], said: str) -> None:
    require = options.pop("require", KMap(3))
    with pytest.raises(kind, match=said) as caught:
        make(require, **options)
    assert caught.value.hint
    assert "Atlantis" not in str(caught.value)


def test_people_with_several_rows_are_refused() -> None:
    who = PATIENTS.with_columns(who=pl.int_range(5))
    schema = shoal.Schema({**SCHEMA, "who": shoal.identifier()}, entity="who")
    with pytest.raises(ParameterError, match="by the entity 'who' a person may have several rows"):
        make(KMap(3), who, schema)


@pytest.mark.parametrize("builder", [Auto(), Order(), Intervals(bins=4)])
def test_nodes_that_would_name_values_of_the_population(builder: Any) -> None:
    schema = SCHEMA.with_column("age", hierarchy=builder, kind=None)
    with pytest.raises(HierarchyError, match="including values that only the population holds"):
        make(KMap(3), schema=schema)


def test_trees_cover_the_population() -> None:
    table = Table.encode(PATIENTS, SCHEMA, population=PEOPLE)
    assert table.population is not None
    sizes = {column.name: column.size for column in table.trees}
    assert sizes == {"zip": 7, "age": 9, "nation": 7}
    numbers = Table.encode(PATIENTS, SCHEMA).quasi[1]
    assert table.quasi[1].size == numbers.size == 5
    part = table.without(["zip"])
    assert part.population is not None
    assert list(part.population.codes) == ["age", "nation"]


def written_plan(folder: Path, *lines: str) -> shoal.Plan:
    PATIENTS.write_csv(folder / "in.csv")
    PEOPLE.write_csv(folder / "people.csv", separator=";")
    text = [
        '[input]\npath = "in.csv"',
        *lines,
        '[columns.zip]\nrole = "quasi"\nhierarchy = {builder = "prefixes"}',
        '[columns.age]\nrole = "quasi"\nkind = "numeric"',
        '[columns.nation]\nrole = "quasi"',
        '[columns.ill]\nrole = "sensitive"',
        '[[require]]\nmodel = "delta-presence"\nleast = 0\nmost = "2/3"',
        '[method]\nname = "full-domain"\nsuppression_limit = 0',
        '[output]\npath = "out"',
    ]
    (folder / "plan.toml").write_text("\n".join(text))
    return shoal.Plan.read(folder / "plan.toml")


def test_a_plan_names_the_population(tmp_path: Path) -> None:
    plan = written_plan(tmp_path, '[population]\npath = "people.csv"')
    made = pipeline.run(plan)
    assert made.verification.passed
    again = shoal.open_release(tmp_path / "out")
    assert again.private_plan is not None
    assert again.private_plan.population_path == (tmp_path / "people.csv").resolve()
    assert again.verify().uncounted
    assert again.verify(population=PEOPLE).passed
    assert not again.verify(population=PATIENTS.drop("ill")).passed
    # The plan of the private folder makes the same release.
    repeated = pipeline.run(again.private_plan, output=tmp_path / "more")
    assert repeated.grouping.levels == made.grouping.levels
    # Who gives a population in Python means that one.
    other = shoal.anonymize(tmp_path / "in.csv", plan, population=PEOPLE)
    assert other.plan.population is None
    assert other.verify().passed


def test_a_plan_without_a_path(tmp_path: Path) -> None:
    plan = written_plan(tmp_path, "[population]\nseparator = ';'")
    with pytest.raises(PlanError, match="population has no path"):
        pipeline.run(plan)
    with pytest.raises(PlanError, match=r"unknown key 'population.pth'"):
        written_plan(tmp_path, '[population]\npth = "people.csv"')
