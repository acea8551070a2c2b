"""One column in a role that somebody said: what the plan then says of it."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import InputError, SchemaError
from shoal.steward.proposal import propose_column


def test_it_says_what_a_proposal_for_the_whole_table_says() -> None:
    table = shoal.datasets.adult()
    made = shoal.propose(table)
    for name, said in made.plan.to_dict()["columns"].items():
        if said["role"] == "quasi":
            again = propose_column(table[name], "quasi", missing=made.missing)
            assert again == {key: value for key, value in said.items() if key != "weight"}


def test_a_plan_runs_with_each_role_and_kind() -> None:
    table = shoal.datasets.adult().head(400).select("age", "sex", "education", "salary-class")
    made = shoal.propose(table)
    wanted = [
        ("age", "quasi", "categorical"),
        ("education", "sensitive", None),
        ("sex", "other", None),
    ]
    for name, role, kind in wanted:
        data = made.plan.to_dict()
        data["columns"][name] = propose_column(table[name], role, kind=kind)
        assert shoal.anonymize(table, shoal.Plan.from_dict(data)).verification.passed


def test_dates_are_ranges_or_climb_the_calendar() -> None:
    born = pl.Series("born", ["17.03.1971", "2.11.1983"])
    assert propose_column(born, "quasi") == {
        "role": "quasi",
        "kind": "date",
        "format": "%d.%m.%Y",
    }
    climbing = propose_column(born, "quasi", kind="categorical")
    assert climbing["kind"] == "categorical"
    assert "1970s" in climbing["hierarchy"]["tree"]["*"]


def test_texts_that_mean_missing_are_guessed_or_said() -> None:
    given = pl.Series("age", ["39", "NA", "50", "51"])
    assert propose_column(given, "quasi")["missing"] == ["", "*", "NA"]
    assert propose_column(given, "quasi")["kind"] == "numeric"
    said = propose_column(given, "quasi", own=["", "*"])
    assert said["kind"] == "categorical"
    assert "missing" not in said
    assert "missing" not in propose_column(given, "identifier")
    assert propose_column(given, "other", own=["39"])["missing"] == ["39"]


def test_a_kind_that_the_values_cannot_be_is_refused() -> None:
    town = pl.Series("town", ["Bonn", "Ulm"])
    with pytest.raises(InputError, match="not numbers"):
        propose_column(town, "quasi", kind="numeric")
    with pytest.raises(InputError, match="not dates"):
        propose_column(town, "quasi", kind="date")
    with pytest.raises(SchemaError, match="no option 'kind'"):
        propose_column(town, "other", kind="numeric")
    with pytest.raises(SchemaError, match="no role"):
        propose_column(town, "quazi")


def test_codes_may_be_numbers_if_somebody_says_so() -> None:
    code = pl.Series("ward", ["01", "02", "03"])
    assert propose_column(code, "quasi")["kind"] == "categorical"
    assert propose_column(code, "quasi", kind="numeric") == {"role": "quasi", "kind": "numeric"}


def test_too_many_values_make_no_hierarchy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.steward.proposal.one_column.MOST_LEAVES", 3)
    names = pl.Series("name", ["Ann", "Bob", "Cy", "Dee"])
    with pytest.raises(InputError, match="4 different values, too many"):
        propose_column(names, "quasi")


def test_values_that_are_named_like_groups_get_a_draft_without_groups() -> None:
    zips = pl.Series("zip", ["01067", "0106*", "10115"])
    assert propose_column(zips, "quasi")["draft"] is True
