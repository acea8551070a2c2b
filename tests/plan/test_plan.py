"""Plans: TOML there and back, and refusals that say where and what else."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal import GAACP, Auto, KAnonymity, Plan
from shoal.errors import ParameterError, PlanError, SchemaError, ShoalError
from shoal.plan import ColumnPlan, InputPlan, OutputPlan, PublicationPlan
from shoal.table.hierarchies import Prefixes
from shoal.table.schema import Kind

ADULT = shoal.datasets.folder("adult") / "adult.toml"
FULL: dict[str, Any] = {
    "version": 1,
    "entity": "name",
    "input": {
        "path": "in.csv",
        "format": "csv",
        "separator": ";",
        "encoding": "latin-1",
        "quote": "'",
        "missing": ["", "?", 'a"b'],
    },
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "kind": "numeric", "weight": 0.25, "missing": []},
        "zip": {"role": "quasi", "hierarchy": {"builder": "prefixes", "step": 2}},
        "job": {"role": "quasi", "hierarchy": {"builder": "tree", "tree": {"X": ["a", "b"]}}},
        "d.o.b": {"role": "other"},
        "qu\"o'te": {"role": "other"},
        "ü 日本": {"role": "sensitive", "missing": ["n/a"]},
        "illness": {"role": "sensitive", "levels": {"": 3, "H.I.V": 1, 'a "b"': 2}},
    },
    "require": [{"model": "k-anonymity", "k": 5}, {"model": "k-anonymity", "k": 3}],
    "method": {"name": "gaa-cp", "distance": "loss", "picks": "first", "seed": 9},
    "publication": {
        "form": "generalized",
        "bounds": "rounded",
        "missing": "drop",
        "suppression_limit": 0.0,
    },
    "output": {"path": "out", "format": "parquet"},
}
SMALL: dict[str, Any] = {
    "columns": {"age": {"role": "quasi"}},
    "require": [{"model": "k-anonymity", "k": 2}],
}


def altered(path: list[Any], value: object) -> dict[str, Any]:
    data = copy.deepcopy(FULL)
    inner = data
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return data


@pytest.mark.parametrize("data", [FULL, SMALL], ids=["full", "small"])
def test_toml_there_and_back(tmp_path: Path, data: dict[str, Any]) -> None:
    plan = Plan.from_dict(data, folder=tmp_path)
    path = tmp_path / "plan.toml"
    path.write_text(plan.to_toml(), encoding="utf-8")
    again = Plan.read(path)
    assert again == plan
    assert list(again.columns) == list(data["columns"])
    assert again.to_toml() == plan.to_toml()
    assert again.requirements() == plan.requirements()
    assert again.build_method() == plan.build_method()


def test_the_bundled_plan_there_and_back(tmp_path: Path) -> None:
    plan = Plan.read(ADULT)
    (tmp_path / "adult.toml").write_text(plan.to_toml(), encoding="utf-8")
    again = Plan.read(tmp_path / "adult.toml")
    assert again.model_dump() == plan.model_dump()
    assert plan.requirements() == [KAnonymity(10)]
    assert plan.build_method() == Auto(seed=7)
    assert plan.schema_().quasi[0] == "age"


def test_options_that_are_none_are_left_out_of_toml(tmp_path: Path) -> None:
    data = SMALL | {"method": {"name": "gaa-cp", "seed": None}}
    path = tmp_path / "plan.toml"
    path.write_text(Plan.from_dict(data).to_toml(), encoding="utf-8")
    assert Plan.read(path).build_method() == GAACP()


def test_what_the_plan_leaves_out() -> None:
    plan = Plan.from_dict(SMALL)
    assert plan.build_method() == Auto()
    assert plan.publication == PublicationPlan()
    assert (plan.publication.missing, plan.publication.suppression_limit) == ("keep", 0.05)
    assert plan.output == OutputPlan(format="csv")
    assert plan.input == InputPlan(missing=("", "*"))


def test_paths_start_from_the_plans_folder(tmp_path: Path) -> None:
    plan = Plan.from_dict(FULL, folder=tmp_path)
    assert plan.input_path == tmp_path / "in.csv"
    assert plan.output_path == tmp_path / "out"
    for missing in ("input_path", "output_path"):
        with pytest.raises(PlanError, match="names no"):
            getattr(Plan.from_dict(SMALL), missing)


def test_the_schema_of_a_plan() -> None:
    schema = Plan.from_dict(FULL).schema_()
    assert schema.entity == "name"
    assert schema.missing == ("", "?", 'a"b')
    assert schema.missing_of("age") == ()
    assert (schema["age"].kind, schema["age"].weight) == (Kind.NUMERIC, 0.25)
    assert schema["zip"].hierarchy == Prefixes(step=2)
    # A file's text is a category unless the plan says numeric.
    assert schema["zip"].kind is Kind.CATEGORICAL


@pytest.mark.parametrize(
    ("path", "near"),
    [
        (["methods"], "method"),
        (["requires"], "require"),
        (["input", "seperator"], "separator"),
        (["columns", "age", "wieght"], "weight"),
        (["columns", "d.o.b", "rol"], "role"),
        (["publication", "bound"], "bounds"),
        (["output", "fromat"], "format"),
        (["method", "sead"], "seed"),
    ],
)
def test_an_unknown_key_suggests_the_near_one(path: list[str], near: str) -> None:
    with pytest.raises(PlanError) as caught:
        Plan.from_dict(altered(path, "x"))
    assert path[-1] in str(caught.value)
    assert f"Did you mean '{near}'?" in str(caught.value)


def test_an_unknown_option_of_a_requirement_suggests_the_near_one() -> None:
    with pytest.raises(PlanError, match=r"no option 'kk'. Did you mean 'k'"):
        Plan.from_dict(altered(["require", 0], {"model": "k-anonymity", "kk": 3}))


@pytest.mark.parametrize(
    ("path", "value", "match"),
    [
        (["method"], {"name": "gaacp"}, "no method 'gaacp'. Did you mean 'gaa-cp'"),
        (["method"], {"seed": 1}, "method must be named by 'name'"),
        (["method"], {}, "method must be named by 'name'"),
        (["method"], "gaa-cp", "'method'"),
        (["method", "distance"], "far", "distance must be one of"),
        (["method", "seed"], "seven", "seed"),
        (["method", "seed"], 1.5, "seed"),
        (["method", "seed"], -1, "seed"),
        (["require"], [], "'require'"),
        (["require"], {"model": "k-anonymity", "k": 3}, "'require'"),
        (["require"], [{"model": "k-anonymty", "k": 3}], "Did you mean 'k-anonymity'"),
        (["require"], [{"k": 3}], "requirement must be named by 'model'"),
        (["require"], [{"model": "k-anonymity"}], "needs the option 'k'"),
        (["require"], [{"model": "k-anonymity", "k": "3"}], "k must be a whole number"),
        (["require"], [{"model": "k-anonymity", "k": True}], "k must be a whole number"),
        (["require"], [{"model": "k-anonymity", "k": 1}], "k must be a whole number"),
        (["require"], ["k-anonymity"], "'require.0'"),
        (["columns"], [], "'columns'"),
        (["columns", "age", "role"], "quasy", "'columns.age.role'"),
        (["columns", "age"], {}, "lacks 'columns.age.role'"),
        (["columns", "age", "kind"], "number", "'columns.age.kind'"),
        (["columns", "age", "weight"], 0, "'columns.age.weight'"),
        (["columns", "age", "weight"], float("inf"), "'columns.age.weight'"),
        (["columns", "age", "weight"], "heavy", "'columns.age.weight'"),
        (["columns", "age", "missing"], "NA", "'columns.age.missing' must be a list"),
        (["columns", "name", "kind"], "numeric", "only for quasi-identifiers"),
        (["columns", "name", "weight"], 2, "only for quasi-identifiers"),
        (["columns", "name", "draft"], True, "draft is only for quasi-identifiers"),
        (["columns", "age", "levels"], {"a": 1}, "only for sensitive columns"),
        (["columns", "illness", "levels"], {"a": 0}, "'columns.illness.levels' is not valid"),
        (["columns", "illness", "levels"], {"a": True}, "'columns.illness.levels' is not valid"),
        (["columns", "illness", "levels"], {"a": 1.5}, "'columns.illness.levels' is not valid"),
        (["columns", "illness", "levels"], {"a": "1"}, "whole number from 1 (most sensitive) on"),
        (["columns", "illness", "levels"], ["a"], "Name a file"),
        (["require"], [{"model": "alpha-k", "k": 3}], "needs the option 'alpha'"),
        (["require"], [{"model": "alpha-k", "alpha": 0, "k": 3}], "alpha must be above 0"),
        (["require"], [{"model": "alpha-k", "alpha": "1/0", "k": 3}], "alpha must be above 0"),
        (["require"], [{"model": "leveled-alpha-k", "k": 3}], "needs the option 'alphas'"),
        (["require"], [{"model": "leveled-alpha-k", "alphas": [2], "k": 3}], "alpha of level 1"),
        (
            ["require"],
            [{"model": "leveled-alpha-k", "alphas": [0.5], "k": 3, "levels": "x.csv"}],
            "levels must give each value its level",
        ),
        (["input", "missing"], "NA", "'input.missing'"),
        (["input", "format"], "xls", "'input.format'"),
        (["publication", "bounds"], "exact", "bounds must be one of"),
        (["publication", "form"], "two-tables", "There is no form of publication"),
        (["publication", "suppression_limit"], 1.5, "'publication.suppression_limit'"),
        (["publication", "suppression_limit"], float("nan"), "'publication.suppression_limit'"),
        (["version"], 2, "'version'"),
        (["entity"], 5, "'entity'"),
    ],
)
def test_what_is_not_right_is_named(path: list[Any], value: object, match: str) -> None:
    with pytest.raises(PlanError) as caught:
        Plan.from_dict(altered(path, value))
    assert match in str(caught.value)
    assert "pydantic" not in str(caught.value)


@pytest.mark.parametrize("key", ["columns", "require"])
def test_what_is_lacking_is_named(key: str) -> None:
    with pytest.raises(PlanError, match=f"lacks '{key}'"):
        Plan.from_dict({name: part for name, part in SMALL.items() if name != key})


def test_plans_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="no plan at"):
        Plan.read(tmp_path / "none.toml")
    with pytest.raises(PlanError, match="cannot be read"):
        Plan.read(tmp_path)
    path = tmp_path / "plan.toml"
    path.write_text("version = = 1")
    with pytest.raises(PlanError, match=r"not TOML.*line 1"):
        Plan.read(path)
    path.write_bytes("# Müller".encode("latin-1"))
    with pytest.raises(PlanError, match="not UTF-8"):
        Plan.read(path)
    path.write_text("")
    with pytest.raises(PlanError, match="lacks"):
        Plan.read(path)


def test_a_plan_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(Plan.from_dict(SMALL).to_toml(), encoding="utf-8-sig")
    assert Plan.read(path).requirements() == [KAnonymity(2)]


def test_a_hierarchy_file_that_is_not_there(tmp_path: Path) -> None:
    columns = {"zip": {"role": "quasi", "hierarchy": "trees/zip.csv"}}
    plan = Plan.from_dict(SMALL | {"columns": columns}, folder=tmp_path)
    with pytest.raises(ShoalError, match=r"'zip'.*zip\.csv"):
        shoal.anonymize(shoal.datasets.patients(1).select("zip"), plan)


def test_a_hierarchy_file_is_sought_beside_the_plan(tmp_path: Path) -> None:
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "zip.csv").write_text("1;X;*\n2;X;*\n")
    data = altered(["columns", "zip", "hierarchy"], "trees/zip.csv")
    schema = Plan.from_dict(data, folder=tmp_path).schema_()
    assert schema["zip"].hierarchy is not None


def test_a_release_keeps_in_its_plan_what_was_drafted(tmp_path: Path) -> None:
    """Who runs the private plan again is told of the draft again."""
    frame = pl.DataFrame({"town": ["a", "b", "c", "d"] * 5})
    data = {
        "columns": {"town": {"role": "quasi", "hierarchy": {"builder": "flat"}, "draft": True}},
        "require": [{"model": "k-anonymity", "k": 2}],
    }
    release = shoal.anonymize(frame, Plan.from_dict(data))
    assert release.schema["town"].draft
    assert "draft" in release.remarks[-1]
    release.write(tmp_path / "release")
    kept = Plan.read(tmp_path / "release.private" / "plan.toml")
    assert kept.columns["town"].draft
    made = Plan.of(release.schema, release.require, release.method, release.plan.publication, None)
    assert made.columns["town"].draft


def test_levels_are_read_beside_the_plan(tmp_path: Path) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "illness.csv").write_text("HIV;1\nflu;2\n")
    data = altered(["columns", "illness", "levels"], "levels/illness.csv")
    plan = Plan.from_dict(data, folder=tmp_path)
    assert plan.schema_()["illness"].levels == {"HIV": 1, "flu": 2}
    assert tomllib.loads(plan.to_toml())["columns"]["illness"]["levels"] == "levels/illness.csv"
    (tmp_path / "levels" / "illness.csv").write_text("HIV;1\nflu;two\n")
    with pytest.raises(ShoalError, match=r"'illness': Line 2 of the levels file has no level"):
        plan.schema_()
    with pytest.raises(ShoalError, match=r"'illness': The levels file .* cannot be read"):
        Plan.from_dict(data, folder=tmp_path / "elsewhere").schema_()


def test_a_release_keeps_its_levels_in_the_private_plan(tmp_path: Path) -> None:
    """Levels from a file, from a plan and from Python come back as the same schema."""
    frame = pl.DataFrame({"age": [30, 40, 50, 60], "illness": ["HIV", "flu", "flu", "cold"]})
    levels = {"HIV": 1, "flu": 2, "cold": 2, "plague": 1}
    (tmp_path / "levels.csv").write_text("HIV;1\nflu;2\ncold;2\nplague;1\n")
    data = {
        "columns": {
            "age": {"role": "quasi", "kind": "numeric"},
            "illness": {"role": "sensitive", "levels": "levels.csv"},
        },
        "require": [{"model": "leveled-alpha-k", "alphas": ["1/4", "1/2"], "k": 4}],
    }
    by_plan = shoal.anonymize(frame, Plan.from_dict(data, folder=tmp_path))
    schema = shoal.Schema({"age": shoal.quasi(), "illness": shoal.sensitive(levels=levels)})
    need = shoal.LeveledAlphaK(None, ["1/4", "1/2"], 4)
    by_schema = shoal.anonymize(frame, schema, require=need)
    for release, name in ((by_plan, "a"), (by_schema, "b")):
        release.write(tmp_path / name / "out")
        private = Plan.read(tmp_path / name / "out.private" / "plan.toml")
        assert private.schema_()["illness"].levels == levels
        assert shoal.anonymize(frame, private).verification.passed
        public = (tmp_path / name / "out" / "release.json").read_text()
        assert "plague" not in public  # nobody in the table has it
        assert '"HIV": 1' in public


@pytest.mark.parametrize(
    ("spec", "match"),
    [
        ({"builder": "prefix"}, "prefixes"),
        ({"builder": "prefixes", "stepp": 2}, "step"),
        ({}, "builder"),
    ],
)
def test_a_builder_that_is_not_there(spec: dict[str, object], match: str) -> None:
    plan = Plan.from_dict(altered(["columns", "zip", "hierarchy"], spec))
    with pytest.raises(ShoalError, match=f"'zip'.*{match}"):
        plan.schema_()


@pytest.mark.parametrize(
    "options",
    [
        {"publication": "two"},
        {"bounds": "exact"},
        {"missing": "remove"},
        {"suppression_limit": 2},
        {"suppression_limit": "5%"},
    ],
)
def test_options_in_python_are_refused_like_those_of_plans(options: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match=next(iter(options))):
        shoal.anonymize(
            shoal.datasets.patients(1).select("age", "disease"),
            shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()}),
            require=[KAnonymity(2)],
            **options,
        )


def test_a_plan_leaves_no_room_for_other_options() -> None:
    plan = Plan.from_dict(SMALL)
    with pytest.raises(ParameterError, match="plan"):
        shoal.anonymize(shoal.datasets.patients(1), plan, require=[KAnonymity(2)])
    with pytest.raises(SchemaError):
        shoal.anonymize(shoal.datasets.patients(1), plan)


def test_a_frame_with_a_plans_options_in_python_says_so() -> None:
    """Options beside a plan are not silently ignored."""
    frame = shoal.datasets.patients(1).select("age")
    plan = Plan.from_dict(SMALL)
    with pytest.raises(ParameterError, match="so bounds cannot be given"):
        shoal.anonymize(frame, plan, bounds="rounded")
    with pytest.raises(ParameterError, match="so bound cannot be given"):
        shoal.anonymize(frame, plan, bound=None)


def _fits(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Check a value against the part of JSON Schema that plans use."""
    if "$ref" in schema:
        return _fits(value, root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    for key, how in (("anyOf", any), ("oneOf", lambda fits: sum(fits) == 1), ("allOf", all)):
        if key in schema and not how([_fits(value, part, root) for part in schema[key]]):
            return False
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    types = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
        "null": type(None),
    }
    if "type" in schema and not isinstance(value, types[schema["type"]]):
        return False
    if isinstance(value, dict):
        known = schema.get("properties", {})
        if not set(schema.get("required", [])) <= set(value):
            return False
        rest = schema.get("additionalProperties", True)
        for key, item in value.items():
            if key in known:
                if not _fits(item, known[key], root):
                    return False
            elif rest is False or (isinstance(rest, dict) and not _fits(item, rest, root)):
                return False
    if isinstance(value, list) and "items" in schema:
        return all(_fits(item, schema["items"], root) for item in value)
    return True


def test_the_json_schema_takes_good_plans_and_no_others() -> None:
    schema = Plan.json_schema()
    good = tomllib.loads(ADULT.read_text(encoding="utf-8"))
    assert _fits(good, schema, schema)
    assert _fits(FULL, schema, schema)
    assert _fits(SMALL, schema, schema)
    for path, value in (
        (["methods"], {}),
        (["method", "sead"], 1),
        (["method", "name"], "gaacp"),
        (["require", 0, "model"], "k"),
        (["require", 0, "kk"], 3),
        (["columns", "age", "role"], "quasy"),
        (["columns", "age", "weigth"], 1),
        (["publication", "bounds"], "exact"),
    ):
        assert not _fits(altered(path, value), schema, schema), path


def test_the_json_schema_describes_every_field() -> None:
    schema = Plan.json_schema()
    assert schema["title"] == "Shoal plan"
    for name in ("ColumnPlan", "InputPlan", "OutputPlan", "PublicationPlan"):
        for key, field in schema["$defs"][name]["properties"].items():
            assert field.get("description"), (name, key)
    assert set(schema["$defs"]["ColumnPlan"]["properties"]) == set(ColumnPlan.model_fields)
