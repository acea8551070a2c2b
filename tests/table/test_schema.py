"""Roles, kinds and missing texts."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import ParameterError, SchemaError, ShoalError
from shoal.table.schema import Column, Kind, Role, Schema, is_missing

FULL = Schema(
    {
        "name": shoal.identifier(),
        "age": shoal.quasi(kind="numeric", weight=2),
        "zip": shoal.quasi(missing=["?"]),
        "disease": shoal.sensitive(missing=("unknown",)),
        "note": shoal.other(),
    },
    missing=["", "NA"],
)


def test_columns_by_role() -> None:
    assert FULL.identifiers == ["name"]
    assert FULL.quasi == ["age", "zip"]
    assert FULL.sensitive == ["disease"]
    assert FULL.other == ["note"]
    assert FULL.untouched == ["disease", "note"]
    assert list(FULL) == ["name", "age", "zip", "disease", "note"]
    assert len(FULL) == 5
    assert "quasi: age, zip" in repr(FULL)


def test_missing_texts_of_a_column_replace_the_schemas() -> None:
    assert FULL.missing_of("age") == ("", "NA")
    assert FULL.missing_of("zip") == ("?",)
    assert FULL.missing_of("disease") == ("unknown",)
    assert Schema({"a": shoal.quasi(missing=())}).missing_of("a") == ()
    assert Schema({"a": shoal.quasi()}).missing_of("a") == ("", "*")


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ((), [False, False, False, True, False, False]),
        (("",), [True, False, False, True, False, False]),
        (("", "*"), [True, False, True, True, False, False]),
        (("NA", "na"), [False, False, False, True, True, False]),
    ],
)
def test_missing_cells_of_text(tokens: tuple[str, ...], expected: list[bool]) -> None:
    cells = pl.Series(["", " ", "*", None, "NA", "Na"])
    assert is_missing(cells, tokens).to_list() == expected


def test_missing_tokens_hold_for_every_type() -> None:
    assert is_missing(pl.Series([-9, 1, None]), ("-9",)).to_list() == [True, False, True]
    assert is_missing(pl.Series([-9.0, 1.5]), ("-9", "")).to_list() == [True, False]
    assert is_missing(pl.Series([1, None]), ("",)).to_list() == [False, True]
    assert is_missing(pl.Series([True, None]), ("true",)).to_list() == [True, True]
    assert is_missing(pl.Series([None, None], dtype=pl.String), ("x",)).to_list() == [True, True]
    assert is_missing(pl.Series([], dtype=pl.String), ("x",)).to_list() == []


@pytest.mark.parametrize("make", [shoal.quasi, shoal.sensitive])
def test_one_text_as_missing_is_not_cut_into_letters(make: object) -> None:
    try:
        column = make(missing="NA")  # type: ignore[operator]
    except ParameterError:
        return
    assert column.missing == ("NA",)


def test_one_text_as_missing_of_a_schema_is_not_cut_into_letters() -> None:
    try:
        schema = Schema({"a": shoal.quasi()}, missing="NA")
    except ParameterError:
        return
    assert schema.missing == ("NA",)


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), -float("inf")])
def test_weights_are_positive_numbers(weight: float) -> None:
    with pytest.raises(ParameterError, match="weight"):
        shoal.quasi(weight=weight)


def test_a_weight_that_is_no_number_is_refused() -> None:
    with pytest.raises(ParameterError, match="weight"):
        shoal.quasi(weight="2")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["number", "Numeric", "", 5])
def test_kinds_are_two(kind: object) -> None:
    with pytest.raises(ParameterError, match="numeric"):
        shoal.quasi(kind=kind)  # type: ignore[arg-type]


def test_kind_may_be_the_enum() -> None:
    assert shoal.quasi(kind=Kind.NUMERIC) == Column(Role.QUASI, Kind.NUMERIC)


def test_with_column_leaves_the_schema_alone() -> None:
    changed = FULL.with_column("age", weight=5.0)
    assert changed["age"].weight == 5.0
    assert FULL["age"].weight == 2
    assert (changed.missing, changed.entity) == (FULL.missing, FULL.entity)
    assert list(changed) == list(FULL)


def test_with_column_reads_texts_as_a_schema_does() -> None:
    schema = Schema({"age": shoal.quasi(missing=["?"]), "illness": "other"})
    assert schema.with_column("illness", role="sensitive").sensitive == ["illness"]
    changed = schema.with_column("age", kind="numeric", hierarchy={"builder": "prefixes"})
    assert changed["age"].kind is Kind.NUMERIC
    assert isinstance(changed["age"].hierarchy, shoal.hierarchies.Prefixes)
    assert changed["age"].missing == ("?",)
    assert changed.with_column("age", kind=None)["age"].kind is None
    hidden = schema.with_column("age", role="identifier")
    assert hidden["age"] == Column(Role.IDENTIFIER, missing=("?",))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"role": "sensitiv"}, "Did you mean 'sensitive'"),
        ({"role": None}, "role is missing"),
        ({"role": 3}, "no role 3"),
        ({"wait": 2}, "Did you mean 'weight'"),
        ({"wait": None}, "Did you mean 'weight'"),
        ({"levels": {"a": 1}}, "no option 'levels'"),
        ({"weight": "x"}, "positive number"),
        ({"kind": "numbers"}, "numeric"),
        ({"hierarchy": 3}, "hierarchy"),
    ],
)
def test_with_column_refuses_what_a_schema_refuses(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ShoalError, match=words) as refused:
        Schema({"age": "quasi"}).with_column("age", **changes)
    assert "'age'" in str(refused.value)


def test_the_schema_does_not_follow_its_mapping() -> None:
    columns = {"a": shoal.quasi()}
    schema = Schema(columns)
    columns["b"] = shoal.other()
    assert list(schema) == ["a"]


def test_a_column_without_a_role_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"'x', 'y'.* role"):
        FULL.require_roles([*FULL, "x", "y"])


def test_many_columns_without_a_role_are_counted_and_cut() -> None:
    with pytest.raises(SchemaError, match=r"9 columns.*'0', '1', '2', '3', '4', …"):
        FULL.require_roles([*FULL, *"012345678"])


def test_a_schema_column_that_the_table_lacks_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"'age'.*Did you mean 'agee'"):
        Schema({"age": shoal.quasi(), "agee": shoal.other()}).require_roles(["agee"])


def test_a_schema_without_quasi_identifiers_is_refused() -> None:
    with pytest.raises(SchemaError, match="quasi"):
        Schema({"a": shoal.other()}).require_roles(["a"])


@pytest.mark.parametrize("entity", ["age", "disease", "note", "nobody"])
def test_the_entity_is_an_identifier(entity: str) -> None:
    schema = Schema(dict(FULL), entity=entity)
    with pytest.raises(SchemaError, match="entity"):
        schema.require_roles(FULL)
    Schema(dict(FULL), entity="name").require_roles(FULL)


def test_a_misspelt_column_is_named_by_both_halves() -> None:
    schema = shoal.Schema({"agee": "quasi", "sex": "quasi"})
    with pytest.raises(SchemaError) as caught:
        schema.require_roles(["age", "sex"])
    assert caught.value.problem == (
        "Column 'agee' has a role but no place in the table, and the table's column 'age' has no "
        "role: is one the other?"
    )
    with pytest.raises(SchemaError, match=r"Column 'agee' has a role but no place in the table\."):
        schema.require_roles(["sex"])
