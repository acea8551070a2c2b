"""What a plan may ask of cells that come in, and what is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.errors import ParameterError, PlanError, SchemaError
from shoal.table.preparation import Preparation, iso_day, require_format

BAD: list[tuple[dict[str, Any], str]] = [
    ({"top": 18, "bottom": 90}, "top = 18 is not above bottom = 90."),
    ({"top": 18, "bottom": 18}, "top = 18 is not above bottom = 18."),
    ({"round_to": 0}, "round_to must be above 0"),
    ({"round_to": -5}, "round_to must be above 0"),
    ({"top": float("inf")}, "top must be a number"),
    ({"top": 95, "round_to": 10}, "top = 95 is no multiple of round_to = 10."),
    ({"bottom": 0.25, "round_to": 0.1}, "bottom = 0.25 is no multiple of round_to = 0.1."),
    ({"age_at": "1.1.2026"}, "age_at must be a day"),
    ({"age_at": "2026-02-30"}, "age_at must be a day"),
    ({"kind": "date", "top": 90}, "top is only for numbers, and the column holds dates."),
    ({"kind": "categorical", "top": 90}, "top is only for numbers, and the column is categorical."),
    ({"kind": "categorical", "age_at": "2026-01-01"}, "age_at is only for dates"),
    ({"kind": "numeric", "format": "%d.%m.%Y"}, "format says how dates are written"),
    ({"format": "%d.%m.%Y"}, "format says how dates are written"),
    ({"kind": "date", "format": "%d.%m"}, "does not say the year, the month and the day"),
    ({"kind": "date", "format": "%Y-%m"}, "does not say the year, the month and the day"),
    ({"kind": "date", "format": "%d.%m.%Y %y"}, "does not say the year, the month and the day"),
    ({"kind": "date", "format": "%d.%m.%q"}, "has the directive %q, which is not known."),
    ({"kind": "dates"}, "kind must be 'numeric', 'categorical' or 'date'"),
]


@pytest.mark.parametrize(("options", "told"), BAD)
def test_what_makes_no_sense_is_refused_in_python(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ParameterError) as caught:
        shoal.quasi(**options)
    assert told in caught.value.problem
    assert caught.value.hint.endswith((".", "?"))


@pytest.mark.parametrize(
    ("options", "told"), [each for each in BAD if each[0].get("kind") != "dates"]
)
def test_what_makes_no_sense_is_refused_in_a_plan(options: dict[str, Any], told: str) -> None:
    plan = {
        "columns": {"x": {"role": "quasi", **options}},
        "require": [{"model": "k-anonymity", "k": 2}],
        "method": {"name": "mondrian"},
    }
    with pytest.raises(PlanError) as caught:
        shoal.Plan.from_dict(plan)
    if "inf" not in str(options):
        assert told in caught.value.problem
        assert "'x'" in caught.value.problem
    assert caught.value.hint


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ({"role": "identifier", "top": 3}, "top is not for identifiers"),
        ({"role": "sensitive", "age_at": "2026-01-01"}, "age_at is only for quasi-identifiers"),
        ({"role": "other", "format": "%d.%m.%Y"}, "format is only for quasi-identifiers"),
        ({"role": "sensitive", "kind": "date"}, "kind and weight are only for quasi-identifiers"),
        ({"role": "sensitive", "round_to": "100"}, "round_to"),
        ({"role": "quasi", "roundto": 100}, "unknown key"),
    ],
)
def test_options_that_a_role_does_not_have(column: dict[str, Any], told: str) -> None:
    plan = {"columns": {"x": column}, "require": [], "method": {"name": "mondrian"}}
    with pytest.raises(PlanError) as caught:
        shoal.Plan.from_dict(plan)
    assert told in str(caught.value)


def test_options_by_role_in_python() -> None:
    assert shoal.other(round_to=5).round_to == 5
    assert shoal.quasi(age_at=date(2026, 1, 1)).age_at == "2026-01-01"
    with pytest.raises(SchemaError, match="has no option 'age_at'"):
        shoal.Schema({"x": {"role": "sensitive", "age_at": "2026-01-01"}})


def test_a_schema_keeps_and_checks_them() -> None:
    schema = shoal.Schema({"age": shoal.quasi(top=90), "pay": "sensitive"})
    assert schema.with_column("age", weight=2.0)["age"].top == 90
    assert schema.with_column("pay", round_to=100)["pay"].round_to == 100
    assert schema.with_column("age", top=None, age_at="2026-01-01")["age"].kind == "numeric"
    with pytest.raises(ParameterError, match="is not above bottom"):
        schema.with_column("age", bottom=95)
    assert not schema["age"].prepared.preparation


def test_a_plan_keeps_them_from_toml_to_toml(tmp_path: Path) -> None:
    text = """
[columns.birth]
role = "quasi"
kind = "date"
format = "%d.%m.%Y"
[columns.born]
role = "quasi"
age_at = 2026-01-01
top = 90
bottom = 18
[columns.pay]
role = "sensitive"
round_to = 0.5
top = 1000
[[require]]
model = "k-anonymity"
k = 2
[method]
name = "mondrian"
"""
    (tmp_path / "plan.toml").write_text(text)
    plan = shoal.Plan.read(tmp_path / "plan.toml")
    (tmp_path / "again.toml").write_text(plan.to_toml())
    assert shoal.Plan.read(tmp_path / "again.toml") == plan
    schema = plan.schema_()
    assert schema["born"].preparation == Preparation(None, "2026-01-01", 90, 18)
    assert (schema["birth"].kind, schema["birth"].format) == ("date", "%d.%m.%Y")
    made = shoal.Plan.of(
        schema, plan.requirements(), plan.build_method(), plan.publication, None
    ).schema_()
    for name in schema:
        assert made[name].preparation == schema[name].preparation
        assert made[name].kind == schema[name].kind


def test_days_and_formats() -> None:
    assert iso_day("2026-01-31") == "2026-01-31"
    require_format("%d. %B %Y, %H:%M, 100%%")
    with pytest.raises(ParameterError):
        iso_day(20260131)
    with pytest.raises(ParameterError):
        require_format(3)


def test_columns_by_name_take_a_date() -> None:
    frame = pl.DataFrame({"birth": ["1955-03-01", "1956-04-02"] * 3, "ill": list("ababab")})
    made = shoal.anonymize(
        frame, quasi={"birth": "date"}, sensitive=["ill"], k=2, method="mondrian"
    )
    assert made.schema["birth"].kind == "date"
    assert made.schema["birth"].format == "%Y-%m-%d"
