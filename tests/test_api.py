"""The one-line face: what can be given in which form, and that all forms mean the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal.errors import ParameterError, SchemaError
from shoal.models import requirements
from shoal.table.hierarchies import Intervals, Prefixes

PATIENTS = shoal.datasets.patients(1)
LISTS: dict[str, Any] = {
    "quasi": ["age", "sex", "zip"],
    "sensitive": ["disease"],
    "drop": ["name"],
}
SCHEMA = shoal.Schema(
    {
        "name": shoal.identifier(),
        "age": shoal.quasi(),
        "sex": shoal.quasi(),
        "zip": shoal.quasi(),
        "disease": shoal.sensitive(),
    }
)
FIRST = {"name": "gaa-cp", "picks": "first", "seed": 1}


def same(one: shoal.Release, two: shoal.Release) -> bool:
    return one.frame.equals(two.frame) and one.plan.require == two.plan.require


def test_lists_mean_what_a_schema_means() -> None:
    face = shoal.anonymize(PATIENTS, k=2, method=FIRST, **LISTS)
    old = shoal.anonymize(
        PATIENTS, SCHEMA, require=[shoal.KAnonymity(2)], method=shoal.GAACP(picks="first", seed=1)
    )
    assert same(face, old)
    assert face.plan.columns["age"].kind is None
    assert face.schema["age"].kind == "numeric"
    assert face.plan.method == old.plan.method


@pytest.mark.parametrize(
    "roles",
    [
        SCHEMA,
        {**SCHEMA},
        {n: c.role.value for n, c in SCHEMA.items()},
        {n: {"role": c.role.value} for n, c in SCHEMA.items()},
        {**SCHEMA, "age": {"role": "quasi", "kind": "numeric"}, "sex": "quasi"},
    ],
    ids=["schema", "columns", "roles", "tables", "mixed"],
)
def test_roles_in_any_form(roles: Any) -> None:
    expected = shoal.anonymize(PATIENTS, SCHEMA, require=2, method=FIRST)
    assert same(shoal.anonymize(PATIENTS, roles, k=2, method=FIRST), expected)


@pytest.mark.parametrize(
    "given",
    [
        {"k": 2},
        {"k": np.int64(2).item()},
        {"require": 2},
        {"require": np.int64(2)},
        {"require": shoal.KAnonymity(2)},
        {"require": {"model": "k-anonymity", "k": 2}},
        {"require": [2]},
        {"require": (shoal.KAnonymity(2),)},
        {"require": iter([{"model": "k-anonymity", "k": 2}])},
        {"k": 2, "require": shoal.KAnonymity(2)},
    ],
)
def test_requirements_in_any_form(given: dict[str, Any]) -> None:
    made = shoal.anonymize(PATIENTS, SCHEMA, method=FIRST, **given)
    assert made.require == (shoal.KAnonymity(2),)


def test_k_stands_beside_other_requirements() -> None:
    made = shoal.anonymize(PATIENTS, k=2, require=shoal.LDiversity(2), **LISTS)
    assert [each.name for each in made.require] == ["k-anonymity", "l-diversity"]
    both = requirements([3, {"model": "alpha-k", "alpha": 0.5, "k": 3}, shoal.LDiversity(2)])
    assert [each.name for each in both] == ["k-anonymity", "alpha-k", "l-diversity"]


@pytest.mark.parametrize(
    "method", ["kaca", {"name": "kaca"}, shoal.KACA(), {"name": "kaca", "seed": 4}], ids=str
)
def test_method_in_any_form(method: Any) -> None:
    assert shoal.anonymize(PATIENTS, k=2, method=method, **LISTS).method.name == "kaca"


def test_a_mapping_gives_each_column_its_own() -> None:
    tree = shoal.Hierarchy.flat(["male", "female"])
    made = shoal.anonymize(
        PATIENTS,
        k=2,
        quasi={"age": Intervals(width=10), "sex": tree, "zip": {"builder": "prefixes"}},
        sensitive={"disease": {"levels": dict.fromkeys(PATIENTS["disease"], 1)}},
        drop="name",
    )
    schema = made.schema
    assert schema["sex"].hierarchy == tree
    assert set(schema["disease"].levels or {}) == set(PATIENTS["disease"])
    same_zip = shoal.anonymize(
        PATIENTS,
        k=2,
        quasi={"age": "numeric", "sex": {"weight": 2}, "zip": shoal.quasi(hierarchy=Prefixes())},
        sensitive=["disease"],
        drop=["name"],
    )
    assert same_zip.schema["zip"].hierarchy.labels == schema["zip"].hierarchy.labels  # type: ignore[union-attr]
    assert same_zip.schema["sex"].weight == 2
    assert same_zip.schema["age"].kind == "numeric"


def test_a_file_is_text_unless_a_kind_is_said(tmp_path: Path) -> None:
    path = tmp_path / "patients.csv"
    PATIENTS.write_csv(path)
    lists = {"sensitive": "disease", "drop": "name", "other": None}
    text = shoal.anonymize(path, k=2, quasi=["age", "sex", "zip"], **lists)
    number = shoal.anonymize(
        str(path), k=2, quasi={"age": "numeric", "sex": None, "zip": None}, **lists
    )
    assert (text.schema["age"].kind, number.schema["age"].kind) == ("categorical", "numeric")


def test_entity_counts_people_and_is_left_out() -> None:
    twice = pl.concat([PATIENTS, PATIENTS])
    lists = {**LISTS, "drop": None}
    made = shoal.anonymize(twice, k=2, entity="name", **lists)
    assert made.verification.counted == "people"
    assert "name" not in made.table.columns
    again = shoal.anonymize(twice, SCHEMA, k=2, entity="name")
    assert again.verification.counted == "people"
    assert shoal.anonymize(twice, k=2, entity="name", **LISTS).verification.counted == "people"
    with pytest.raises(SchemaError, match="must be an identifier"):
        shoal.anonymize(twice, k=2, entity="age", **LISTS)


@pytest.mark.parametrize(
    "frame",
    [
        PATIENTS,
        PATIENTS.lazy(),
        pd.DataFrame(PATIENTS.to_dict(as_series=False)),
        PATIENTS.to_arrow(),
    ],
    ids=["polars", "lazy", "pandas", "arrow"],
)
def test_the_same_type_comes_out(frame: Any) -> None:
    table = shoal.anonymize(frame, k=2, **LISTS).table
    assert type(table) is type(frame)
    assert isinstance(nw.from_native(table), nw.DataFrame | nw.LazyFrame)
    assert isinstance(table, pl.DataFrame | pl.LazyFrame | pd.DataFrame | pa.Table)


def test_names_of_pandas_may_come_as_an_index() -> None:
    frame = pd.DataFrame(PATIENTS.to_dict(as_series=False))
    made = shoal.anonymize(frame, k=2, drop="name", quasi=frame.columns[1:4], sensitive="disease")
    assert made.schema.quasi == ["age", "sex", "zip"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"drop": None}, r"Column 'name' has no role\. Give .* identifier \(which drops it\)"),
        (
            {"drop": ["nam"]},
            r"'nam' has a role but is not in the table, and .* 'name' has no role: they may be",
        ),
        ({"drop": ["name", "age"]}, "'age' is listed in quasi and in drop"),
        ({"drop": ["name", "name"]}, "'name' is listed twice in drop"),
        ({"quasi": {"age": shoal.sensitive(), "sex": None, "zip": None}}, "the role sensitive"),
        ({"quasi": {"age": {"wait": 2}, "sex": None, "zip": None}}, "Did you mean 'weight'"),
        ({"quasi": {"age": 3, "sex": None, "zip": None}}, "'age': It is described by an int"),
        ({"drop": {"name": {"weight": 2}}}, "'name': A column of the role identifier has no"),
    ],
)
def test_every_column_has_one_role(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        shoal.anonymize(PATIENTS, k=2, **{**LISTS, **changes})


def test_roles_are_given_once() -> None:
    with pytest.raises(ParameterError, match="given twice: by the second argument and by quasi"):
        shoal.anonymize(PATIENTS, SCHEMA, k=2, quasi=["age"])
    plan = shoal.anonymize(PATIENTS, SCHEMA, k=2).plan
    for said in ({"k": 2}, {"quasi": ["age"]}, {"entity": "name"}, {"method": "kaca"}):
        with pytest.raises(ParameterError, match="A plan already sets"):
            shoal.anonymize(PATIENTS, plan, **said)  # type: ignore[arg-type]
    named = shoal.Schema(dict(SCHEMA), entity="name")
    with pytest.raises(ParameterError, match="entity is 'name', but entity names 'age'"):
        shoal.anonymize(PATIENTS, named, k=2, entity="age")


@pytest.mark.parametrize("word", ["exact", "generalized"])
def test_the_former_words_say_the_new_ones(word: str) -> None:
    with pytest.raises(ParameterError, match=f'Write quasi_cells="{word}"'):
        shoal.anonymize(PATIENTS, SCHEMA, k=2, publication="two-table", quasi=word)
    with pytest.raises(ParameterError, match='Write sensitive_cells="rows"'):
        shoal.anonymize(PATIENTS, SCHEMA, k=2, publication="two-table", sensitive="rows")
    column = PATIENTS.rename({"age": word})
    made = shoal.anonymize(column, k=2, **{**LISTS, "quasi": [word, "sex", "zip"]})
    assert word in made.table.columns


def test_cells_of_several_tables() -> None:
    made = shoal.anonymize(
        PATIENTS,
        k=2,
        publication="two-table",
        quasi_cells="generalized",
        sensitive_cells="counts",
        **LISTS,
    )
    assert "count" in made.tables["sensitive"].columns


def test_others_take_the_same_forms() -> None:
    table = pl.DataFrame({"age": ["*"] * 4, "ill": ["a", "b", "a", "b"]})
    roles = {"age": "quasi", "ill": "sensitive"}
    for need in (2, [2], shoal.KAnonymity(2), {"model": "k-anonymity", "k": 2}):
        assert shoal.verify(table, roles, need).passed
    bound = {"model": "alpha-k", "alpha": 0.5, "k": 2}
    assert shoal.risk.probability(table, roles, require=bound).people == 0
    names = [each.name for each in shoal.risk.attacks(table, roles, require=[bound, 2])]
    assert {"homogeneity", "negation", "probability", "sensitivity", "skewness"} == set(names)
    original = table.with_columns(age=pl.Series([1, 2, 3, 4]))
    assert shoal.measures.iloss_rate(original, table, roles) == 1.0


def test_reprs_are_one_line() -> None:
    made = shoal.anonymize(PATIENTS, k=2, **LISTS)
    assert repr(made.verification) == "Verification(passed, k = 2, 5 rows in 2 classes)"
    assert str(made.plan) == repr(made.plan)
    assert repr(made.plan) == (
        "Plan(1 identifier, 3 quasi, 1 sensitive; k-anonymity (k = 2); auto, generalized)"
    )
