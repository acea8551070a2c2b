"""Sensitive columns in bins, and degrees that are given: the same in every publication."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import InputError, ParameterError, PlanError, SchemaError, ShoalError
from shoal.io.frames import Coded
from shoal.methods._scaling import GRID
from shoal.methods.inverse._sensitive import order_attributes
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy, Intervals
from shoal.table.levels import read_degrees
from shoal.table.sensitive import binned

SECRET = "4711"
CUTS = Intervals(cuts=[0, 1000, 3000, 9000])
PAY = ["[0, 1000)", "[1000, 3000)", "[3000, 9000]"]
FORMS: list[dict[str, Any]] = [
    {"publication": "generalized"},
    {"publication": "two-table"},
    {"publication": "two-table", "quasi_cells": "generalized", "sensitive_cells": "counts"},
    {"publication": "sensitive-groups"},
    {"publication": "sensitive-groups", "sensitive_cells": "counts"},
]


def people(dtype: Any = pl.Int64, n: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    pay = pl.Series("pay", rng.integers(0, 9000, n)).cast(dtype)
    return pl.DataFrame({"age": rng.integers(20, 60, n), "pay": pay})


def schema(**facts: Any) -> shoal.Schema:
    pay = shoal.sensitive(**{"hierarchy": CUTS, **facts})
    return shoal.Schema({"age": shoal.quasi(), "pay": pay})


def cells(release: shoal.Release) -> set[str]:
    """Everything that the release shows of the column."""
    for table in release.tables.values():
        for frame in table.values() if isinstance(table, dict) else [table]:
            if "pay" in frame.columns:
                return set(frame["pay"])
    raise AssertionError


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.String])
def test_bins_are_published_in_every_form(form: dict[str, Any], dtype: Any, tmp_path: Path) -> None:
    need: list[Any] = [shoal.AlphaK(0.9, 5)]
    method: Any = shoal.GCA(seed=1)
    if form["publication"] == "sensitive-groups":
        need, method = [shoal.MultiLDiversity({"pay": 2})], shoal.MICD(seed=1)
    elif form["publication"] == "generalized":
        method = shoal.KACA(seed=1)
    frame = people(dtype)
    before = frame.clone()
    release = shoal.anonymize(frame, schema(), require=need, method=method, **form)
    assert frame.equals(before)
    assert release.verification.passed
    assert cells(release) == set(PAY)
    release.write(tmp_path / "out")
    for file in (tmp_path / "out").iterdir():
        for number in people()["pay"].unique():
            if number > 999:
                assert f",{number}\n" not in file.read_text()
    # What was written is proved from outside, by the private plan and the raw table.
    private = shoal.Plan.read(tmp_path / "out.private" / "plan.toml")
    assert shoal.verify(
        {"quasi": release.table, "sensitive": release.tables["sensitive"]}
        if "sensitive" in release.tables
        else release.table,
        private.schema_(),
        need,
        original=frame,
        rows=release.rows,
    ).passed


def test_a_wrong_bin_is_found() -> None:
    need = [shoal.KAnonymity(5)]
    release = shoal.anonymize(people(), schema(), require=need, method=shoal.GAACP(seed=1))
    other = {PAY[0]: PAY[1]}
    wrong = release.table.with_columns(pl.col("pay").replace(other))
    for original in (people(), release.source):
        judged = shoal.verify(wrong, release.schema, need, original=original, rows=release.rows)
        assert not judged.passed
    assert shoal.verify(
        release.table, schema(), need, original=people(), rows=release.rows
    ).passed  # the builder makes the same bins again


def test_binning_twice_changes_nothing() -> None:
    once, built = binned(Coded(people()), schema(hierarchy=Intervals(bins=7)))
    twice, again = binned(once, built)
    assert once.frame.equals(twice.frame)
    assert built["pay"].hierarchy is again["pay"].hierarchy
    table = Table.encode(people(), schema(hierarchy=Intervals(bins=7)))
    part = table.select(np.arange(5))
    assert part.frame["pay"].to_list() == table.frame["pay"][:5].to_list()


def test_missing_cells_stay_missing() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "pay": ["10.50", "?", None, " 2000 "]})
    table = Table.encode(frame, schema(missing=["?"]))
    assert table.frame["pay"].to_list() == [PAY[0], "?", None, PAY[1]]
    assert table.sensitive["pay"].labels == (PAY[0], PAY[1], None)


def test_any_tree_will_do() -> None:
    tree = Hierarchy.from_dict({"viral": {"acute": ["flu", "cold"]}, "none": {}})
    frame = pl.DataFrame({"age": [1, 2, 3], "pay": ["flu", "none", "cold"]})
    table = Table.encode(frame, schema(hierarchy=tree))
    assert table.frame["pay"].to_list() == ["acute", "none", "acute"]  # below the root: as it is


@pytest.mark.parametrize(
    ("values", "hierarchy", "problem"),
    [
        ([10, 20, 4711, 4711], Intervals(cuts=[0, 100]), "'pay'.*1 of 3 values are outside"),
        (["10", "a4711"], Intervals(width=5), "'pay'.*1 of 2 values are not numbers"),
        ([1.0, float("nan"), 4711.0], CUTS, "'pay'.*1 of 3 values are not numbers"),
        (["a", "4711"], Hierarchy.from_dict({"x": ["a"]}), "'pay' misses 1 of 2 values"),
        (["a", "*"], Hierarchy.from_dict({"x": ["b"]}), "'pay' misses 1 of 1 values"),
    ],
)
def test_values_outside_are_counted_not_shown(values: Any, hierarchy: Any, problem: str) -> None:
    frame = pl.DataFrame({"age": range(len(values)), "pay": values})
    with pytest.raises(ShoalError, match=problem) as caught:
        Table.encode(frame, schema(hierarchy=hierarchy))
    assert SECRET not in str(caught.value)


def test_levels_and_degrees_are_of_the_bins() -> None:
    levels = {PAY[0]: 1, PAY[1]: 2, PAY[2]: 1}
    table = Table.encode(people(), schema(levels=levels, degrees={PAY[1]: 9}))
    column = table.sensitive["pay"]
    assert column.degrees(table.schema["pay"].degrees)[1] == 9
    with pytest.raises(SchemaError, match="levels of column 'pay' miss 1 of 3"):
        Table.encode(people(), schema(levels={PAY[0]: 1, PAY[1]: 2}))
    with pytest.raises(SchemaError, match="None of the 1 values with a degree occurs in"):
        Table.encode(people(), schema(degrees={"4711": 1.0}))


def test_degrees_steer_the_methods() -> None:
    need = [shoal.MultiLDiversity({"pay": 2})]
    (plain,) = order_attributes(Table.encode(people(), schema()), need, method="micd")
    (given,) = order_attributes(
        Table.encode(people(), schema(degrees={PAY[1]: 9.0})), need, method="micd"
    )
    assert given.degrees[1] == 9 * GRID != plain.degrees[1]
    assert given.degrees[[0, 2]].tolist() == plain.degrees[[0, 2]].tolist()


@pytest.mark.parametrize("wrong", [{}, {"a": -1}, {"a": True}, {"a": "1"}, {"a": 1e999}, {1: 1}, 3])
def test_wrong_degrees_are_refused(wrong: Any) -> None:
    with pytest.raises(ParameterError, match=r"degree"):
        shoal.sensitive(degrees=wrong)


def plan(column: dict[str, Any]) -> dict[str, Any]:
    columns = {"age": {"role": "quasi", "kind": "numeric"}, "pay": {"role": "sensitive", **column}}
    return {"columns": columns, "require": [{"model": "k-anonymity", "k": 5}]}


def test_plans_there_and_back(tmp_path: Path) -> None:
    spec = {"builder": "intervals", "cuts": [0, 1000, 3000, 9000]}
    made = shoal.Plan.from_dict(plan({"hierarchy": spec, "degrees": {PAY[0]: 9}}))
    again = shoal.Plan.from_dict(tomllib.loads(made.to_toml()))
    assert again == made
    assert again.schema_()["pay"].degrees == {PAY[0]: 9.0}
    release = shoal.anonymize(people(), made)
    release.write(tmp_path / "out")
    private = shoal.Plan.read(tmp_path / "out.private" / "plan.toml").schema_()
    assert private["pay"].degrees == {PAY[0]: 9.0}
    from_python = shoal.anonymize(
        people(), schema(degrees={PAY[0]: 9}), require=[shoal.KAnonymity(5)]
    )
    assert from_python.plan.columns["pay"] == made.columns["pay"]


def test_degrees_are_read_beside_the_plan(tmp_path: Path) -> None:
    (tmp_path / "pay.csv").write_text('"[0, 1000)";9\n"[1000, 3000)";0.5\n')
    (tmp_path / "plan.toml").write_text(
        shoal.Plan.from_dict(plan({"degrees": "pay.csv"})).to_toml()
    )
    read = shoal.Plan.read(tmp_path / "plan.toml")
    assert read.schema_()["pay"].degrees == {PAY[0]: 9.0, PAY[1]: 0.5}
    (tmp_path / "pay.json").write_text('{"a": 2, "": 0.25}')
    assert read_degrees(tmp_path / "pay.json") == {"a": 2.0, "": 0.25}
    for text in (f"{SECRET};-1\n", f"{SECRET};nan\n", f"{SECRET};x\n"):
        (tmp_path / "pay.csv").write_text(text)
        with pytest.raises(InputError, match="Line 1 of the degrees file has no degree") as caught:
            read_degrees(tmp_path / "pay.csv")
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        ({"degrees": {"4711": -1}}, "'columns.pay.degrees' is not valid"),
        ({"degrees": {"4711": "x"}}, "'columns.pay.degrees' is not valid"),
        ({"role": "other", "degrees": {"4711": 1}}, "degrees are only for sensitive columns"),
        ({"role": "other", "hierarchy": "a.csv"}, "a hierarchy is only for"),
        ({"kind": "numeric"}, "only for quasi-identifiers"),
    ],
)
def test_wrong_plans_are_refused(column: dict[str, Any], problem: str) -> None:
    with pytest.raises(PlanError, match=problem) as caught:
        shoal.Plan.from_dict(plan(column))
    assert SECRET not in str(caught.value)
