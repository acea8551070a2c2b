"""Texts that mean missing, or a value: NA may be Namibia."""

from __future__ import annotations

import tomllib

import polars as pl
import pytest

from shoal.steward.proposal import Doubt, profile, propose


def doubts(values: list[str]) -> dict[str, tuple[int, bool]]:
    found = profile(pl.DataFrame({"x": values}))[0].doubts
    return {doubt.token: (doubt.cells, doubt.believed) for doubt in found}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["DE", "FR", "NA", "NA"], {"NA": (2, False)}),
        (["Berlin", "Hamburg", "NA"], {"NA": (1, True)}),
        (["1", "2", "NA", "unknown"], {}),
        (["2024-03-17", "-"], {}),
        (["01234", "10115", "null"], {"null": (1, True)}),
        (["Private", "State-gov", "?", "unknown"], {"unknown": (1, False)}),
        (["?", "n/a", "Berlin"], {}),
        (["+", "-", "-"], {"-": (2, False)}),
        (["0", "1", " NA "], {" NA ": (1, False)}),
        (["a", "b"], {}),
    ],
)
def test_doubts(values: list[str], expected: dict[str, tuple[int, bool]]) -> None:
    assert doubts(values) == expected


def countries() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "country": ["DE", "FR", "NA", "FI"] * 10,
            "city": ["Berlin", "Bremen", "Hamburg", "Hamburg", "NA"] * 8,
            "name": ["CANARY", "NA"] * 20,
            "age": [str(20 + row) if row % 7 else "NA" for row in range(40)],
        }
    )


def test_warnings_name_the_column_the_token_and_the_way_out() -> None:
    draft = propose(countries())
    kept, taken = draft.warnings
    assert (kept.column, kept.doubt) == ("country", Doubt("NA", 10, believed=False))
    assert kept.line == 'missing = ["", "*", "NA"]'
    assert (taken.column, taken.doubt) == ("city", Doubt("NA", 8, believed=True))
    assert taken.line == 'missing = ["", "*"]'
    assert taken.also == "add it to the hierarchy"
    assert '# CHECK: "NA" occurs in 10 cells and is kept as a value.' in draft.to_toml()
    assert "\n# missing = [" in draft.to_toml()
    assert "CANARY" not in draft.to_toml() + repr(draft.warnings)


def test_the_line_in_the_plan_can_be_uncommented() -> None:
    text = propose(countries()).to_toml()
    edited = text.replace('# missing = ["", "*", "NA"]', 'missing = ["", "*", "NA"]')
    assert tomllib.loads(edited)["columns"]["country"]["missing"] == ["", "*", "NA"]


def test_missingness_counts_what_the_plan_counts() -> None:
    found = propose(countries()).missingness
    assert found.columns == {"country": 0, "city": 8, "name": 20, "age": 6}
    assert sum(pattern.rows for pattern in found.patterns) == found.rows == 40


def test_given_tokens_win_and_nothing_is_guessed() -> None:
    draft = propose(countries(), missing=["NA"])
    assert draft.warnings == ()
    assert draft.missingness.columns == {"country": 10, "city": 8, "name": 20, "age": 6}
    plan = draft.plan
    assert plan.input.missing == ("", "*", "NA")
    assert all(column.missing is None for column in plan.columns.values())
    assert propose(countries(), missing="NA").to_toml() == draft.to_toml()


def test_no_token_at_all_is_an_answer() -> None:
    draft = propose(countries(), missing=[])
    assert draft.missingness.cells == 0
    assert draft.warnings == ()
    plan = draft.plan
    assert plan.input.missing == ("", "*")
    assert plan.columns["age"].kind == "categorical"
    assert "NA" in draft.hierarchies["city"].leaves
