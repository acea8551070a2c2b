"""The second step: roles by a click, people, missing texts, and who is unique."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import shoal
from shoal.studio.jobs import State
from tests.steward.proposal.test_people import doubtful, panel
from tests.studio.conftest import Asked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from shoal.studio.studio import Studio


def number(asked: Asked, name: str) -> int:
    return list(asked.studio.data["columns"]).index(name)


def said(asked: Asked, name: str) -> dict[str, Any]:
    made: dict[str, Any] = asked.studio.data["columns"][name]
    return made


def change(asked: Asked, name: str, what: str, **data: Any) -> Any:
    place = f"/columns/{number(asked, name)}/{what}"
    return asked.client.post(place, data=data, headers={"HX-Request": "true"})


def opened(asked: Asked, tmp_path: Path, table: pl.DataFrame) -> None:
    path = tmp_path / "x.csv"
    table.write_csv(path)
    asked.open(path)
    assert asked.studio.loading is None, asked.studio.loading


def test_every_column_has_its_role_its_reason_and_a_choice(asked: Asked, people: Path) -> None:
    asked.open(people)
    page = asked.get("/columns").text
    assert page.count('type="radio"') == 15 * 4
    assert page.count("checked") == 15
    assert "A survey weight, by its name." in page
    assert "draft" in page
    assert "people would be unique" not in page  # the bars say it, for the roles of now


def test_roles_are_changed_by_a_click_and_back(asked: Asked, people: Path) -> None:
    asked.open(people)
    before = asked.studio.data
    answer = change(asked, "fnlwgt", "role", role="quasi")
    assert said(asked, "fnlwgt") == {"role": "quasi", "kind": "numeric"}
    assert "The proposal was Identifier" in answer.text
    assert 'id="history"' in answer.text
    change(asked, "education", "role", role="sensitive")
    assert said(asked, "education") == {"role": "sensitive"}
    change(asked, "education", "role", role="quasi")
    assert said(asked, "education")["hierarchy"] == before["columns"]["education"]["hierarchy"]
    change(asked, "age", "role", role="other")
    assert said(asked, "age") == {"role": "other"}
    change(asked, "age", "proposed")
    assert said(asked, "age") == before["columns"]["age"]
    asked.client.post("/columns/proposed")
    assert asked.studio.data == before
    for _ in range(6):
        asked.client.post("/undo")
    assert asked.studio.data == before
    assert not asked.studio.history.can_go_back


def test_what_was_chosen_runs(asked: Asked, people: Path) -> None:
    asked.open(people)
    for name, role in [("fnlwgt", "quasi"), ("race", "sensitive"), ("sex", "other")]:
        change(asked, name, "role", role=role)
    change(asked, "hours-per-week", "kind", kind="categorical")
    change(asked, "age", "prepared", top="80", bottom="20")
    job = asked.run()
    assert job.state is State.DONE, job.problem


@pytest.mark.parametrize(
    ("what", "data", "words"),
    [
        ("role", {"role": "king"}, "no role"),
        ("role", {}, "no role"),
        ("kind", {"kind": "date"}, "not dates"),
        ("kind", {"kind": "king"}, "kind must be"),
        ("prepared", {"top": "tall"}, "not a number"),
        ("prepared", {"top": "3", "bottom": "4"}, "not above bottom"),
        ("prepared", {"age_at": "soon"}, "a day"),
        ("missing", {"token": " "}, "No text"),
        ("missing", {"token": "*", "means": "value"}, "always mean missing"),
        ("levels", {"level": ["x"]}, "whole number"),
    ],
)
def test_what_cannot_be_changes_nothing(
    asked: Asked, people: Path, what: str, data: dict[str, Any], words: str
) -> None:
    asked.open(people)
    before = asked.studio.data
    answer = change(asked, "age", what, **data)
    assert answer.status_code == 422
    assert words in answer.text
    assert asked.studio.data == before
    assert asked.client.post("/columns/99/role", data={"role": "other"}).status_code == 422


def test_unique_people_are_counted_once_and_kept(
    asked: Asked, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked.open(people)
    page = asked.get("/columns").text
    assert 'hx-get="/columns/risk"' in page
    risk = asked.get("/columns/risk").text
    table = shoal.datasets.adult().head(300)
    quasi = [name for name, each in asked.studio.plan.columns.items() if each.role == "quasi"]
    found = shoal.risk.identity.records.records(table, quasi=quasi)
    unique = shoal.risk.identity.separation.unique_share(found)
    kept = asked.studio.table.uniqueness(asked.studio.plan)
    assert kept.share == unique
    assert kept.without == shoal.risk.identity.separation.unique_without(found)
    assert risk.count("hx-swap-oob") == 1 + len(quasi)
    monkeypatch.setattr("shoal.studio.loaded.records", None)
    assert 'hx-get="/columns/risk"' not in asked.get("/columns").text
    answer = change(asked, "age", "role", role="other")
    assert answer.status_code == 200  # the click does not wait for the count
    assert 'hx-get="/columns/risk"' in answer.text
    asked.client.post("/undo")
    assert 'hx-get="/columns/risk"' not in asked.get("/columns").text


def test_unique_people_are_those_of_prepared_columns(asked: Asked, tmp_path: Path) -> None:
    opened(asked, tmp_path, pl.DataFrame({"age": range(20, 60), "sex": ["f"] * 40}))
    change(asked, "age", "role", role="quasi")
    assert asked.studio.table.uniqueness(asked.studio.plan).share == 1.0
    change(asked, "age", "prepared", top="40")
    assert asked.studio.table.uniqueness(asked.studio.plan).share == 0.5
    change(asked, "age", "missing", token="25")
    change(asked, "age", "missing", token="26")
    assert asked.studio.table.uniqueness(asked.studio.plan).share == 18 / 40


def test_without_quasi_identifiers_the_page_says_so(asked: Asked, tmp_path: Path) -> None:
    opened(asked, tmp_path, pl.DataFrame({"age": range(20, 60), "sex": ["f", "m"] * 20}))
    for name in ("age", "sex"):
        change(asked, name, "role", role="identifier")
    assert "the table hides no one" in asked.get("/columns").text
    assert asked.get("/columns/risk").status_code == 200


def test_whether_people_have_several_rows_is_asked_and_answered(
    asked: Asked, tmp_path: Path
) -> None:
    opened(asked, tmp_path, doubtful())
    assert asked.studio.plan.entity == "?"
    page = asked.get("/columns").text
    assert "may identify people with several rows" in page
    assert asked.run().state is State.FAILED
    asked.client.post("/columns/entity", data={"entity": "none"})
    assert asked.studio.plan.entity == "none"
    assert "may identify people" not in asked.get("/columns").text
    assert asked.run().state is State.DONE
    asked.client.post("/columns/entity", data={"entity": str(number(asked, "place"))})
    assert asked.studio.plan.entity == "place"
    assert said(asked, "place")["role"] == "identifier"
    assert asked.client.post("/columns/entity", data={"entity": "x"}).status_code == 422


def test_people_are_counted_once_the_column_is_known(asked: Asked, tmp_path: Path) -> None:
    opened(asked, tmp_path, panel())
    assert asked.studio.plan.entity == "nr"
    people = asked.studio.table.uniqueness(asked.studio.plan)
    asked.client.post("/columns/entity", data={"entity": "none"})
    assert asked.studio.table.uniqueness(asked.studio.plan) != people
    asked.client.post("/undo")
    change(asked, "nr", "role", role="quasi")
    assert asked.studio.plan.entity == "?"  # rows are not taken for people unasked


def test_twins_are_named(asked: Asked, people: Path) -> None:
    asked.open(people)
    answer = change(asked, "education-num", "role", role="quasi")
    assert answer.text.count("Make one of the two an identifier") == 2
    answer = change(asked, "education-num", "role", role="other")
    assert "is published unchanged, which undoes" in answer.text


def test_texts_in_doubt_are_judged_by_people(asked: Asked, tmp_path: Path) -> None:
    codes = ["DE", "FR", "NA", "US"]
    table = pl.DataFrame({"country": codes * 30, "age": list(range(20, 80)) * 2})
    opened(asked, tmp_path, table)
    page = asked.get("/columns").text
    assert "“NA” occurs in 30 cells" in page
    assert said(asked, "country").get("missing") is None
    change(asked, "country", "missing", token="NA", means="missing")
    assert said(asked, "country")["missing"] == ["", "*", "NA"]
    change(asked, "country", "missing", token="NA", means="value")
    assert said(asked, "country")["missing"] == ["", "*"]
    assert asked.run().state is State.DONE


def test_a_text_that_is_a_value_after_all_makes_numbers_categories(
    asked: Asked, tmp_path: Path
) -> None:
    ages = [str(20 + i % 50) for i in range(190)] + ["NA"] * 10
    opened(asked, tmp_path, pl.DataFrame({"age": ages, "sex": ["f", "m"] * 100}))
    assert said(asked, "age")["kind"] == "numeric"
    change(asked, "age", "missing", token="NA", means="value")
    assert said(asked, "age")["kind"] == "categorical"
    assert said(asked, "age")["weight"] == 1.0
    assert asked.run().state is State.DONE
    change(asked, "age", "missing", token="NA", means="missing")
    assert said(asked, "age")["kind"] == "numeric"


def test_a_text_can_mean_missing_everywhere(asked: Asked, tmp_path: Path) -> None:
    table = pl.DataFrame(
        {"age": [str(20 + i % 50) if i % 5 else "k/A" for i in range(200)], "sex": ["f", "m"] * 100}
    )
    opened(asked, tmp_path, table)
    assert said(asked, "age")["kind"] == "categorical"
    before = asked.studio.data
    asked.client.post("/columns/missing", data={"token": "k/A"})
    assert asked.studio.plan.input.missing == ("", "*", "k/A")
    assert said(asked, "age")["kind"] == "numeric"
    assert asked.studio.plan.missing_of("age") == ("", "*", "k/A")
    asked.client.post("/columns/missing", data={"token": "k/A", "means": "value"})
    assert asked.studio.data == before


def test_an_edited_hierarchy_stays_when_missing_texts_change(asked: Asked, people: Path) -> None:
    asked.open(people)
    tree = {"builder": "tree", "tree": {"*": {"Female": {}, "Male": {}}}, "root": "*"}
    asked.studio.change(lambda data: data["columns"]["sex"].update(hierarchy=tree))
    change(asked, "sex", "missing", token="x")
    assert said(asked, "sex")["hierarchy"] == tree
    assert said(asked, "sex")["missing"] == ["", "*", "x"]


def test_birth_dates_become_ages_and_dates_again(asked: Asked, tmp_path: Path) -> None:
    born = [f"{1 + i % 28:02}.{1 + i % 12:02}.{1950 + i % 50}" for i in range(200)]
    opened(asked, tmp_path, pl.DataFrame({"born": born, "sex": ["f", "m"] * 100}))
    before = said(asked, "born")
    assert before["kind"] == "date"
    assert change(asked, "born", "prepared", age_at="2026-01-01").status_code == 200
    assert said(asked, "born")["age_at"] == "2026-01-01"
    assert asked.run().state is State.DONE
    assert change(asked, "born", "prepared", age_at="").status_code == 200
    assert said(asked, "born") == before


def test_offers_are_taken_one_by_one(asked: Asked, tmp_path: Path) -> None:
    ages = [20 + i % 40 for i in range(200)] + [87, 95, 101, 102]
    opened(asked, tmp_path, pl.DataFrame({"age": ages, "sex": ["f", "m"] * 102}))
    change(asked, "age", "prepared", bottom="21")
    assert "far out at the upper end" in asked.get("/columns").text
    change(asked, "age", "prepared", only="top", top="60")
    assert (said(asked, "age")["top"], said(asked, "age")["bottom"]) == (60, 21)
    assert "far out at the upper end" not in asked.get("/columns").text


def test_levels_are_drafted_only_if_asked(asked: Asked, people: Path) -> None:
    asked.open(people)
    change(asked, "race", "role", role="sensitive")
    assert "levels" not in said(asked, "race")
    change(asked, "race", "levels", how="draft")
    levels = said(asked, "race")["levels"]
    assert levels["White"] == max(levels.values())
    change(asked, "race", "levels", level=["2"] * len(levels))
    assert set(said(asked, "race")["levels"].values()) == {2}
    assert asked.run().state is State.DONE
    change(asked, "race", "levels", how="none")
    assert "levels" not in said(asked, "race")


def test_a_promise_about_a_column_that_is_not_sensitive_is_named(
    asked: Asked, people: Path
) -> None:
    asked.open(people)
    asked.studio.change(
        lambda data: data["require"].append(
            {"model": "l-diversity", "l": 2, "column": "salary-class"}
        )
    )
    assert "The promise covers" not in asked.get("/columns").text
    answer = change(asked, "salary-class", "role", role="other")
    assert "The promise covers" in answer.text


def test_names_of_columns_are_text_and_stand_in_no_address(asked: Asked, tmp_path: Path) -> None:
    table = pl.DataFrame({"<b>x</b>": ["a", "b"] * 20, "none": ["1", "2"] * 20, "é ?": ["u"] * 40})
    opened(asked, tmp_path, table)
    page = asked.get("/columns").text
    assert "<b>x" not in page
    assert "&lt;b&gt;x" in page
    assert change(asked, "é ?", "role", role="quasi").status_code == 200


def test_roles_are_changed_by_keys_and_focus_stays(
    served: str, studio: Studio, people: Path, browser: Browser
) -> None:
    page = browser.new_page()
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(served)
    page.wait_for_url("**/table")
    page.get_by_label("A file on this machine").fill(str(people))
    page.get_by_role("button", name="Open").click()
    page.get_by_text("300 rows").wait_for()
    faults.clear()
    page.get_by_role("link", name="Next: Columns").click()
    page.locator("#unique strong").wait_for()
    page.locator("#more-0 summary").click()
    page.locator("#role-0-quasi").focus()
    page.keyboard.press("ArrowRight")
    page.locator("#column-0.sensitive").wait_for()
    assert page.evaluate("document.activeElement.id") == "role-0-sensitive"
    assert page.locator("#more-0").get_attribute("open") is not None
    assert page.get_by_role("button", name="Undo").is_enabled()
    page.locator("#unique strong").wait_for()
    page.locator("#kind-1").wait_for(state="attached")
    page.locator("#more-1 summary").click()
    page.locator("#kind-1").select_option("date")
    page.locator("#message .problem").wait_for()
    assert page.locator("#kind-1").input_value() == "categorical"
    assert [each for each in faults if "422" not in each] == []
    page.keyboard.press("Control+z")
    page.locator("#column-0.quasi").wait_for()
    assert studio.plan.columns["age"].role == "quasi"
    page.close()
