"""The promise: requirements by a click, and what the table could not hold marked while dragging."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import shoal
from shoal.models import MODELS
from shoal.plan.feasibility import WholeTable, required_numbers, strictest
from shoal.studio.panels._promise_feasible import whole_table
from shoal.studio.studio import Studio
from shoal.studio.texts import texts
from tests.studio.conftest import Asked, hold, visiting, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROWS = 60


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """A table with secrets, wishes and people."""
    path = tmp_path / "patients.csv"
    ills = ["flu"] * 30 + ["cold"] * 20 + ["ulcer"] * 10
    pl.DataFrame(
        {
            "patient": [f"p{n:03}" for n in range(ROWS)],
            "wish": ["3"] * ROWS,
            "guard": ["ulcer"] * 3 + [""] * (ROWS - 3),
            "age": [20 + n % 40 for n in range(ROWS)],
            "zip": [f"1{n % 7:04}" for n in range(ROWS)],
            "ill": ills,
            "pay": [1000 + 100 * (n % 9) for n in range(ROWS)],
        }
    ).write_csv(path)
    return path


@pytest.fixture
def opened(asked: Asked, patients: Path) -> Asked:
    asked.open(patients)
    asked.studio.change(_roles)
    return asked


def _roles(data: dict[str, Any]) -> None:
    roles = {"patient": "identifier", "wish": "identifier", "guard": "identifier"}
    roles |= {"age": "quasi", "zip": "quasi", "ill": "sensitive", "pay": "other"}
    data["columns"] = {name: {"role": role} for name, role in roles.items()}
    data["entity"] = "none"
    data["require"] = [{"model": "k-anonymity", "k": 5}]
    data.pop("method", None)


def whole(studio: Studio) -> WholeTable:
    return whole_table(studio.table, studio.plan)[0]


def state(answer: Any) -> str:
    found = re.search(r'data-state="(\w+)"', answer.text)
    assert found is not None, answer.text
    return found[1]


def plain(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"&#39;|&#34;", "'", answer.text))


NO_POPULATION = [name for name in MODELS if "population" not in MODELS[name].example().needs]


@pytest.mark.parametrize("name", NO_POPULATION)
def test_each_requirement_is_added_moved_and_removed(opened: Asked, name: str) -> None:
    studio = opened.studio
    if name == "k-anonymity":
        studio.change(lambda data: data.update(require=[{"model": "highest-risk", "risk": 0.5}]))
    before = studio.data
    answer = opened.post("/promise/add", model=name)
    assert answer.status_code == 200, answer.text
    [_, made] = studio.plan.requirements()
    assert made.name == name
    WholeTable.of(  # what it begins with could hold
        studio.table.table, studio.plan.schema_(), [made]
    ).require_feasible(made, suppression_limit=0.05)
    for number in required_numbers(made):
        key = number.option
        field = key if number.key is None else f"{key}.{_sent(number.key, studio)}"
        value = "4" if number.whole else "0.9"
        said = {field: value}
        if "k" in studio.data["require"][1] and key != "k":
            said["k"] = "4"
        assert opened.post("/promise/judge/1", **said).status_code == 200
        assert opened.post("/promise/require/1", **said).status_code == 200
        [_, moved] = studio.plan.requirements()
        asked = next(n for n in required_numbers(moved) if (n.option, n.key) == (key, number.key))
        assert str(float(asked.value)) == str(float(value))
    assert opened.post("/promise/remove/1").status_code == 200
    assert studio.data["require"] == before["require"]


def _sent(key: str | int, studio: Studio) -> int:
    return key if isinstance(key, int) else list(studio.plan.columns).index(key)


def test_what_needs_a_population_is_not_offered_without_one(opened: Asked) -> None:
    page = plain(opened.get("/promise"))
    assert texts("en")("promise.reasons.no_population") in page
    assert opened.post("/promise/add", model="delta-presence").status_code == 422


@pytest.mark.parametrize(
    ("spec", "sent", "nearest"),
    [
        ({"model": "k-anonymity", "k": 5}, {"k": "61"}, "60"),
        ({"model": "l-diversity", "l": 2}, {"l": "9"}, "3"),
        ({"model": "alpha-k", "alpha": 0.9, "k": 2}, {"alpha": "0.1"}, "0.5"),
        ({"model": "alpha-k", "alpha": 0.9, "k": 2}, {"k": "99"}, "60"),
        ({"model": "l-diversity", "l": 2, "kind": "entropy"}, {"l": "2.9"}, "2.7494"),
        ({"model": "highest-risk", "risk": 0.5}, {"risk": "0.001"}, "0.0167"),
        ({"model": "multi-l-diversity", "l": {"ill": 2}}, {"l.5": "7"}, "3"),
    ],
)
def test_what_cannot_hold_is_marked_with_the_nearest_that_can(
    opened: Asked, spec: dict[str, Any], sent: dict[str, str], nearest: str
) -> None:
    studio = opened.studio
    studio.change(lambda data: data.update(require=[spec]))
    before = studio.data
    answer = opened.post("/promise/judge/0", **sent)
    assert answer.status_code == 200
    assert state(answer) == "cannot"
    # The words and the number are the library's own.
    (name, value), *_ = sent.items()
    asked = studio.plan.requirements()[0]
    found = whole(studio)
    number = next(n for n in required_numbers(asked) if n.option == name.partition(".")[0])
    end = strictest(found, asked, number)
    assert end is not None
    assert float(end) == float(nearest)
    wrong = number.set(asked, type(end)(value))
    with pytest.raises(shoal.errors.InfeasibleError) as refused:
        found.require_feasible(wrong, suppression_limit=0.05)
    assert refused.value.hint.replace('"', "'") in plain(answer)
    assert f'data-value="{nearest}"' in answer.text
    assert studio.data == before, "dragging changes nothing"
    # It may be asked for all the same: the page keeps the mark.
    assert opened.post("/promise/require/0", **sent).status_code == 200
    assert 'data-state="cannot"' in opened.get("/promise").text


def test_any_t_holds_and_what_costs_rows_says_how_many(opened: Asked) -> None:
    opened.studio.change(lambda data: data.update(require=[{"model": "t-closeness", "t": 0.5}]))
    assert state(opened.post("/promise/judge/0", t="0")) == "good"
    assert state(opened.post("/promise/judge/0", t="1.5")) == "wrong"
    alpha = {"model": "alpha-k", "alpha": 0.9, "k": 2}
    opened.studio.change(lambda data: data.update(require=[alpha]))
    answer = opened.post("/promise/judge/0", alpha="0.49")
    assert state(answer) == "costly"
    assert texts("en")("promise.costly", rows=2) in plain(answer)


@pytest.mark.parametrize("wrong", ["", "abc", "1", "-3", "2.5", "0", "1e999", "<b>", "9" * 40])
def test_wrong_numbers_are_said_and_change_nothing(opened: Asked, wrong: str) -> None:
    before = opened.studio.data
    answer = opened.post("/promise/judge/0", k=wrong)
    assert answer.status_code == 200
    assert state(answer) == "wrong"
    assert "<b>" not in answer.text
    assert opened.post("/promise/require/0", k=wrong).status_code == 422
    assert opened.studio.data == before


def test_without_a_sensitive_column_it_says_why(opened: Asked) -> None:
    opened.studio.change(lambda data: data["columns"]["ill"].update(role="other"))
    page = plain(opened.get("/promise"))
    assert texts("en")("promise.reasons.no_sensitive") in page
    assert re.search(r'id="add-l-diversity"[^>]* disabled ', page)
    assert not re.search(r'id="add-highest-risk"[^>]* disabled ', page)
    assert opened.post("/promise/add", model="l-diversity").status_code == 422
    # One that was asked for before says so on its card.
    opened.studio.change(lambda data: data["require"].append({"model": "l-diversity", "l": 2}))
    page = plain(opened.get("/promise"))
    assert "'l-diversity' protects sensitive values, but no column is sensitive." in page


def test_columns_are_chosen_where_there_are_several(opened: Asked) -> None:
    studio = opened.studio
    studio.change(lambda data: data["columns"]["pay"].update(role="sensitive"))
    opened.post("/promise/add", model="l-diversity")
    assert studio.data["require"][1]["column"] == "ill"
    pay = list(studio.plan.columns).index("pay")
    opened.post("/promise/require/1", column=str(pay), l="2")
    assert studio.data["require"][1]["column"] == "pay"
    opened.post("/promise/add", model="multi-l-diversity")
    assert studio.data["require"][2]["l"] == {"ill": 2, "pay": 2}
    opened.post("/promise/require/2", **{f"l.{pay}": ""})
    assert studio.data["require"][2]["l"] == {"ill": 2}
    assert opened.post("/promise/require/1", column="99").status_code == 422


def test_another_kind_brings_the_number_that_it_needs(opened: Asked) -> None:
    opened.studio.change(lambda data: data.update(require=[{"model": "l-diversity", "l": 2}]))
    assert 'name="c"' not in opened.get("/promise").text
    opened.post("/promise/require/0", kind="recursive")
    assert opened.studio.data["require"][0]["c"] == 2
    assert 'name="c"' in opened.get("/promise").text
    opened.post("/promise/require/0", kind="distinct", c="2")
    assert "c" not in opened.studio.data["require"][0]
    page = opened.client.get("/promise").text
    assert "r0-l-slider" in page


def test_levels_are_drafted_and_changed_by_hand(opened: Asked) -> None:
    studio = opened.studio
    opened.post("/promise/add", model="leveled-alpha-k")
    drafted = {"ulcer": 1, "cold": 2, "flu": 3}
    assert studio.data["columns"]["ill"]["levels"] == drafted
    assert len(studio.data["require"][1]["alphas"]) == 3
    page = plain(opened.get("/promise"))
    code = whole(studio).group.histograms["ill"].labels.index("flu")
    assert f'id="r1-level-{code}"' in page
    assert opened.post("/promise/levels/1", code=code, level=4).status_code == 200
    assert studio.data["columns"]["ill"]["levels"] == {**drafted, "flu": 4}
    alphas = studio.data["require"][1]["alphas"]
    assert len(alphas) == 4
    assert alphas[3] == alphas[2]
    assert opened.post("/promise/levels/1", code=code, level=9).status_code == 422
    assert opened.post("/promise/levels/1", code=99, level=1).status_code == 422
    assert opened.post("/promise/levels/0", draft="yes").status_code == 422
    opened.post("/promise/levels/1", draft="yes")
    assert studio.data["columns"]["ill"]["levels"] == drafted
    assert studio.plan.requirements()


def test_what_does_not_go_together_has_a_way_by_a_click(opened: Asked) -> None:
    studio = opened.studio
    studio.change(lambda data: data.update(method={"name": "micd", "seed": 3}))
    page = plain(opened.get("/promise"))
    assert texts("en")("promise.together.no") in page
    assert "The method 'micd'" in page
    ways = opened.get("/promise/ways")
    assert "/promise/way/0" in ways.text
    answer = opened.post("/promise/way/0")
    assert texts("en")("promise.together.no") not in answer.text
    assert opened.post("/promise/way/7").status_code == 422


def test_form_missing_limit_and_people_are_chosen(opened: Asked) -> None:
    studio = opened.studio
    opened.post("/promise/publication", form="two-table")
    assert studio.data["publication"]["form"] == "two-table"
    assert "seed" in studio.data["publication"]
    opened.post("/promise/publication", form="two-table", quasi_cells="generalized")
    opened.post(
        "/promise/publication", form="two-table", quasi_cells="generalized", bounds="observed"
    )
    assert studio.data["publication"]["bounds"] == "observed"
    opened.post("/promise/publication", form="two-table", quasi_cells="exact", bounds="observed")
    assert "bounds" not in studio.data["publication"]
    assert opened.post("/promise/publication", form="cuneiform").status_code == 422
    for policy in ("drop", "suppress-column", "keep"):
        assert opened.post("/promise/missing", policy=policy).status_code == 200
        assert studio.plan.publication.missing == policy
    assert opened.post("/promise/missing", policy="burn").status_code == 422
    told = opened.client.get("/promise/limit", params={"limit": "0.1"})
    assert texts("en")("promise.limit.rows", most=6) in plain(told)
    assert "must be a number" in opened.client.get("/promise/limit", params={"limit": "x"}).text
    opened.post("/promise/limit", limit="0.1")
    assert studio.plan.publication.suppression_limit == 0.1
    assert opened.post("/promise/limit", limit="7").status_code == 422
    answer = opened.post("/promise/people", entity="0", linkage="all-rows")
    assert (studio.plan.entity, studio.plan.linkage) == ("patient", "all-rows")
    assert texts("en")("promise.people.people") in plain(answer)
    opened.post("/promise/people", entity="none", linkage="all-rows")
    assert (studio.plan.entity, studio.plan.linkage) == ("none", None)


def test_the_last_requirement_stays_and_strange_places_are_refused(opened: Asked) -> None:
    assert opened.post("/promise/remove/0").status_code == 422
    assert opened.post("/promise/remove/5").status_code == 422
    assert opened.post("/promise/judge/5").status_code == 422
    assert opened.post("/promise/require/5", k="3").status_code == 422
    assert opened.post("/promise/add", model="magic").status_code == 422


def test_a_table_that_does_not_fit_is_said_once_and_nothing_breaks(opened: Asked) -> None:
    opened.studio.change(lambda data: data["columns"]["ill"].update(levels={"flu": 1}))
    page = plain(opened.get("/promise"))
    assert "The levels of column 'ill' miss 2 of 3 values." in page
    opened.studio.change(lambda data: data.update(entity="?"))
    opened.studio.change(lambda data: data["columns"]["ill"].pop("levels"))
    assert texts("en")("promise.people.undecided") in plain(opened.get("/promise"))


def test_a_large_table_is_counted_after_the_page_is_there(
    opened: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoal.studio.panels.promise.AT_ONCE", ROWS - 1)
    page = opened.get("/promise").text
    assert texts("en")("promise.counting") in page
    assert "r0-k-slider" not in page
    assert "r0-k-slider" in opened.get("/promise/content").text


def test_words_of_a_requirement_are_whole_and_of_one_there_is() -> None:
    known = [key.split(".")[2:] for key in texts("en").known if key.startswith("promise.models.")]
    told = {name for name, *_ in known}
    assert len(told) > 15
    assert told <= set(MODELS.files)
    for name in told:
        assert {"title", "protects", "leaves"} <= {word for of, word, *_ in known if of == name}


@dataclass(frozen=True)
class Luck(shoal.models.KAnonymity):
    """Groups of at least k, on a good day."""

    name = "luck"
    chance: float = 0.5


def test_a_requirement_of_another_package_is_shown_by_its_own_words(
    opened: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MODELS._loaded, "luck", Luck)
    page = plain(opened.get("/promise"))
    assert "Groups of at least k, on a good day." in page
    assert opened.post("/promise/add", model="luck").status_code == 200
    opened.post("/promise/require/1", k="7", chance="0.25")
    assert opened.studio.data["require"][1] == {"model": "luck", "k": 7, "chance": 0.25}
    assert state(opened.post("/promise/judge/1", k="61")) == "cannot"


@pytest.fixture
def at_promise(studio: Studio, served: str, patients: Path, browser: Browser) -> Iterator[Any]:
    studio.load(patients)
    wait_for(lambda: studio.loading is None)
    studio.change(_roles)
    with visiting(browser, served, "/promise") as page:
        yield page


def test_a_held_key_shows_the_mark_before_it_is_let_go(at_promise: Any, studio: Studio) -> None:
    page = at_promise
    page.focus("#r0-k-slider")
    page.keyboard.down("End")  # beyond the 60 rows
    page.wait_for_selector("#r0 .verdict.cannot")
    assert page.locator("#r0-k").input_value() == page.locator("#r0-k-slider").get_attribute("max")
    assert "k = 60 is the largest possible" in page.inner_text("#r0-verdict")
    assert studio.data["require"][0]["k"] == 5
    assert studio.history.now is not None  # nothing was noted yet
    page.keyboard.up("End")
    wait_for(lambda: studio.data["require"][0]["k"] > 60)
    page.wait_for_selector("#promise[data-known]")
    assert page.evaluate("document.activeElement.id") == "r0-k-slider"
    page.click("#r0-use-1")
    wait_for(lambda: studio.data["require"][0]["k"] == 60)
    page.wait_for_selector("#r0 .verdict.good")
    page.wait_for_selector("[data-key=undo]:not([disabled])")
    page.click("[data-key=undo]")
    wait_for(lambda: studio.data["require"][0]["k"] > 60)
    studio.undo()
    assert studio.data["require"][0]["k"] == 5, "a held key is one step"


def test_a_dragged_slider_and_a_typed_number_are_judged_while_they_move(
    at_promise: Any, studio: Studio
) -> None:
    page = at_promise
    box = hold(page, "#r0-k-slider")
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2, steps=5)
    page.wait_for_selector("#r0 .verdict.cannot")
    assert studio.data["require"][0]["k"] == 5
    page.mouse.up()
    wait_for(lambda: studio.data["require"][0]["k"] > 60)
    page.wait_for_selector("#promise[data-known]")
    page.fill("#r0-k", "7")
    page.wait_for_selector("#r0 .verdict.good")
    assert page.locator("#r0-k-slider").input_value() == "7"
    page.keyboard.press("Enter")
    wait_for(lambda: studio.data["require"][0]["k"] == 7)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.click("#add-highest-risk")
    page.wait_for_selector("#r1")
    assert page.evaluate("document.activeElement.id") == "r1-title"
    assert page.locator("#family-found").get_attribute("open") is not None


def test_no_serious_fault_of_accessibility(at_promise: Any, studio: Studio) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    for place, model in enumerate(("leveled-alpha-k", "l-diversity", "alpha-k"), 1):
        at_promise.click(f"#add-{model}")
        at_promise.wait_for_selector(f"#r{place}")
        assert studio.data["require"][-1]["model"] == model
    at_promise.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    for scheme in ("light", "dark"):
        at_promise.emulate_media(color_scheme=scheme)
        found = axe.Axe().run(at_promise).response["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        assert not serious, [(each["id"], each["nodes"][0]["html"]) for each in serious]
