"""Hierarchies: trees that are edited by hand, built, imported and exported, end in the plan."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.plan import Plan
from shoal.table.hierarchies import from_spec
from tests.studio.conftest import Asked, wait_for

TOWNS = ["Oslo", "Bergen", "Rome", "Milan", "Paris"]


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    """A table of a category that somebody must group, numbers, codes and something sensitive."""
    path = tmp_path / "towns.csv"
    frame = {
        "town": [TOWNS[i % 5] for i in range(40)],
        "age": [20 + i for i in range(40)],
        "zip": [f"{10000 + 7 * i}" for i in range(40)],
        "ill": ["flu", "cold"] * 20,
    }
    pl.DataFrame(frame).write_csv(path)
    return path


def plan_of(towns: Path, **town: Any) -> Plan:
    said: dict[str, Any] = {
        "columns": {
            "town": {"role": "quasi", "hierarchy": {"builder": "flat"}, "draft": True, **town},
            "age": {"role": "quasi", "kind": "numeric"},
            "zip": {"role": "quasi", "hierarchy": {"builder": "prefixes"}},
            "ill": {"role": "sensitive"},
        },
        "require": [{"model": "k-anonymity", "k": 2}],
        "input": {"path": str(towns)},
    }
    return Plan.from_dict(said)


def load(asked: Asked, path: Path, plan: Plan) -> None:
    asked.studio.load(path, plan=plan)
    wait_for(lambda: asked.studio.loading is None or asked.studio.loading.failed)


@pytest.fixture
def opened(asked: Asked, towns: Path) -> Asked:
    load(asked, towns, plan_of(towns))
    return asked


def version(asked: Asked, number: int = 0) -> str:
    found = re.search(r'data-version="(\w+)"', asked.get(f"/hierarchies/{number}").text)
    assert found is not None
    return found[1]


def tree(asked: Asked, name: str = "town") -> Any:
    return from_spec(asked.studio.data["columns"][name]["hierarchy"]).build(pl.Series(TOWNS))


def edit(asked: Asked, action: str, *labels: str, number: int = 0, **more: Any) -> Any:
    built = asked.studio.table.trees.of(asked.studio.plan, list(asked.studio.plan.columns)[number])
    assert built.tree is not None
    nodes = ",".join(str(built.tree.node(label)) for label in labels)
    if isinstance(more.get("to"), str):
        more["to"] = built.tree.node(more["to"])
    told = {"version": version(asked, number), "action": action, "nodes": nodes, **more}
    return asked.post(f"/hierarchies/{number}/edit", **told)


def test_the_first_page_is_of_a_draft(opened: Asked) -> None:
    said = opened.get("/hierarchies").text
    assert "Its values have no groups yet" in said
    assert "The tree holds all 5 values of the column." in said
    assert said.count('role="treeitem"') == 6


def test_edits_end_in_the_plan_and_can_be_taken_back(opened: Asked) -> None:
    assert edit(opened, "group", "Oslo", "Bergen", label="Norway").status_code == 200
    assert edit(opened, "group", "Rome", label="Italy").status_code == 200
    assert edit(opened, "move", "Milan", to="Italy").status_code == 200
    assert tree(opened).to_dict() == {
        "*": {"Norway": ["Bergen", "Oslo"], "Italy": ["Rome", "Milan"], "Paris": []}
    }
    assert "draft" not in opened.studio.data["columns"]["town"]
    assert edit(opened, "rename", "Italy", label="Italia").status_code == 200
    assert edit(opened, "merge", "Norway", "Italia", label="Europe").status_code == 200
    assert tree(opened).to_dict() == {
        "*": {"Europe": ["Bergen", "Oslo", "Rome", "Milan"], "Paris": []}
    }
    assert edit(opened, "dissolve", "Europe").status_code == 200
    assert tree(opened).height == 1
    for _ in range(6):
        opened.post("/undo")
    assert opened.studio.data["columns"]["town"]["hierarchy"] == {"builder": "flat"}
    assert opened.studio.data["columns"]["town"]["draft"] is True
    opened.post("/redo")
    assert tree(opened).labels[1:3] == ("Norway", "Bergen")


def test_the_plan_alone_runs_with_an_edited_tree(opened: Asked) -> None:
    edit(opened, "group", "Oslo", "Bergen", label='N"or\\way ü')
    plan = Plan.from_dict(tomllib.loads(opened.studio.plan.to_toml()))
    found = plan.columns["town"].hierarchy
    assert isinstance(found, dict)
    assert from_spec(found).build(pl.Series(TOWNS)) == tree(opened)
    made = opened.run()
    assert made.problem == ""


def test_a_draft_stays_one_until_somebody_groups(opened: Asked) -> None:
    edit(opened, "rename", "*", label="any town")
    assert opened.studio.data["columns"]["town"]["draft"] is True


def test_open_groups_stay_open_after_an_edit(opened: Asked) -> None:
    edit(opened, "group", "Oslo", "Bergen", label="Norway")
    said = edit(opened, "group", "Rome", "Milan", label="Italy", open="0:200").text
    open_ones = re.findall(r'aria-expanded="true"[^>]*data-node="(\d+)"', said)
    assert [tree(opened).labels[int(node)] for node in open_ones] == ["*", "Italy"]
    at = tree(opened).node("Italy")
    renamed = edit(opened, "rename", "Italy", label="Italia", open=f"0:200,{at}:200").text
    assert len(re.findall(r'aria-expanded="true"', renamed)) == 2
    closed = edit(opened, "rename", "Italia", label="Italy", open="0:200").text
    assert len(re.findall(r'aria-expanded="true"', closed)) == 1
    assert re.findall(r'tabindex="0" data-node="(\d+)"', said) == [str(tree(opened).node("Italy"))]


def test_edits_of_an_older_page_mean_the_nodes_that_it_shows(opened: Asked) -> None:
    older, seen = version(opened), tree(opened)
    edit(opened, "group", "Oslo", "Bergen", label="A")  # all numbers are others now
    nodes = ",".join(str(seen.node(town)) for town in ("Rome", "Milan"))
    told = {"action": "group", "nodes": nodes, "label": "Italy", "version": older}
    assert opened.post("/hierarchies/0/edit", **told).status_code == 200
    made = tree(opened)
    assert {made.labels[made.parent[made.node(town)]] for town in ("Rome", "Milan")} == {"Italy"}
    # A renamed group is known by its values; one that is gone is said.
    older, at = version(opened), made.node("Italy")
    edit(opened, "rename", "Italy", label="Italia")
    told = {"action": "dissolve", "nodes": str(at), "version": older}
    assert opened.post("/hierarchies/0/edit", **told).status_code == 200
    assert "Italia" not in tree(opened).labels
    again = opened.post("/hierarchies/0/edit", **told)
    assert again.status_code == 422
    assert "no longer exists" in again.text


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ({"action": "move", "nodes": "0", "to": 1}, 422),
        ({"action": "move", "nodes": "1", "to": 2}, 422),
        ({"action": "move", "nodes": "99", "to": 0}, 422),
        ({"action": "move", "nodes": "x", "to": 0}, 422),
        ({"action": "move", "nodes": "1", "to": "x"}, 422),
        ({"action": "group", "nodes": "1", "label": " "}, 422),
        ({"action": "group", "nodes": "1", "label": "Rome"}, 422),
        ({"action": "rename", "nodes": "1,2", "label": "A"}, 422),
        ({"action": "explode", "nodes": "1"}, 422),
        ({"action": "group", "nodes": "1", "label": "A", "version": "old"}, 422),
        ({"action": "group", "nodes": "1", "label": "A", "open": "x:y"}, 422),
    ],
)
def test_what_makes_no_sense_changes_nothing(
    opened: Asked, told: dict[str, Any], status: int
) -> None:
    before = opened.studio.data
    said = opened.post("/hierarchies/0/edit", **{"version": version(opened), **told})
    assert said.status_code == status
    assert opened.studio.data == before
    assert not any(town in said.text for town in TOWNS)


@pytest.mark.parametrize("number", [3, 4, -1, 99])
def test_only_quasi_identifiers_have_a_tree(opened: Asked, number: int) -> None:
    assert opened.get(f"/hierarchies/{number}").status_code == 422


def test_values_that_the_tree_misses_are_added_by_one_click(asked: Asked, towns: Path) -> None:
    given = {"builder": "tree", "tree": {"Norway": ["Oslo", "Bergen", "Voss"]}}
    load(asked, towns, plan_of(towns, hierarchy=given))
    said = asked.get("/hierarchies/0").text
    assert "The tree lacks 3 of 5 values; they occur in 24 rows." in said
    assert "Values in the tree that do not occur in the column: 1." in said
    assert "<li>Paris</li>" in said
    assert edit(asked, "add", "*", open="0:200").status_code == 200
    assert sorted(tree(asked).leaves) == sorted([*TOWNS, "Voss"])
    assert "The tree holds all 5 values" in asked.get("/hierarchies/0").text


def test_numbers_become_ranges_or_get_intervals(opened: Asked) -> None:
    assert "They become ranges" in opened.get("/hierarchies/1").text
    seen = opened.post("/hierarchies/1/preview", builder="intervals", **{"option-width": "10"})
    assert "[20, 30)" in seen.text
    assert "hierarchy" not in opened.studio.data["columns"]["age"]
    opened.post("/hierarchies/1/build", builder="intervals", **{"option-width": "10"})
    spec = opened.studio.data["columns"]["age"]["hierarchy"]
    assert spec == {"builder": "intervals", "width": 10}
    # No hand may put a number into a range that does not hold it.
    assert edit(opened, "move", "25", to="[30, 40)", number=1).status_code == 422
    assert edit(opened, "dissolve", "[20, 40)", number=1).status_code == 200
    assert opened.studio.data["columns"]["age"]["hierarchy"]["builder"] == "tree"
    opened.post("/hierarchies/1/remove")
    assert "hierarchy" not in opened.studio.data["columns"]["age"]


@pytest.mark.parametrize(
    ("builder", "told", "spec"),
    [
        ("prefixes", {"step": "2", "keep": "1"}, {"step": 2, "keep": 1}),
        ("prefixes", {"step": "1", "mask": "*", "root": "*"}, {}),
        ("intervals", {"cuts": "10000, 10100 10300"}, {"cuts": [10000, 10100, 10300]}),
        ("order", {"fan_out": "3"}, {"fan_out": 3}),
        ("auto", {"max_height": "3"}, {"max_height": 3}),
        ("flat", {"root": "any"}, {"root": "any"}),
    ],
)
def test_builders_end_in_the_plan(
    opened: Asked, builder: str, told: dict[str, str], spec: dict[str, Any]
) -> None:
    form = opened.get(f"/hierarchies/2/options?builder={builder}").text
    named = set(re.findall(r'name="option-(\w+)"', form))
    assert named >= set(told)
    told = {f"option-{name}": value for name, value in told.items()}
    said = opened.post("/hierarchies/2/build", builder=builder, **told)
    assert said.status_code == 200
    assert opened.studio.data["columns"]["zip"]["hierarchy"] == {"builder": builder, **spec}


def test_an_order_is_written_down_only_if_it_is_another_one(opened: Asked) -> None:
    form = opened.get("/hierarchies/0/options?builder=order").text
    assert "Bergen\nMilan\nOslo" in form
    for lines, said in (
        (sorted(TOWNS), {"builder": "order"}),
        (TOWNS, {"builder": "order", "order": TOWNS}),
    ):
        told = {"option-order": "\r\n".join(lines), "option-fan_out": "4"}
        opened.post("/hierarchies/0/build", builder="order", **told)
        assert opened.studio.data["columns"]["town"]["hierarchy"] == said


@pytest.mark.parametrize(
    "told",
    [
        {"builder": "dates"},
        {"builder": "csv", "option-path": "/etc/passwd"},
        {"builder": "tree", "option-path": "/etc/passwd"},
        {"builder": "nothing"},
        {"builder": "prefixes", "option-step": "x"},
        {"builder": "prefixes", "option-step": "1.5"},
        {"builder": "prefixes", "option-step": "0"},
        {"builder": "intervals"},
    ],
)
def test_what_does_not_fit_is_said_in_the_preview_and_not_taken(
    opened: Asked, told: dict[str, str]
) -> None:
    before = opened.studio.data
    seen = opened.post("/hierarchies/2/preview", **told)
    assert seen.status_code == 200
    assert "warning" in seen.text
    assert opened.post("/hierarchies/2/build", **told).status_code == 422
    assert opened.studio.data == before


def test_a_file_comes_in_and_goes_out(opened: Asked) -> None:
    lines = "Oslo;Norway;*\nBergen;Norway;*\nRome;Italy;*\nMilan;Italy;*\nParis;Paris;*\n"
    sent = opened.client.post("/hierarchies/0/import", content=lines.encode())
    assert sent.status_code == 303
    assert opened.studio.data["columns"]["town"]["hierarchy"]["builder"] == "tree"
    given = opened.get("/hierarchies/0/export")
    assert given.headers["content-disposition"] == 'attachment; filename="town.csv"'
    assert given.text == lines.replace("Paris;Paris;*", "Paris;*;*")
    assert not list(opened.studio.workspace.uploads.iterdir())


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe\x00", b"Oslo\nRome\n", b'"Oslo;*\n', b"a;b\nb;a\n"]
)
def test_a_file_that_is_no_hierarchy_changes_nothing(opened: Asked, body: bytes) -> None:
    before = opened.studio.data
    assert opened.client.post("/hierarchies/0/import", content=body).status_code == 422
    assert opened.studio.data == before
    assert not list(opened.studio.workspace.uploads.iterdir())


def test_a_tree_that_cannot_be_built_can_be_replaced(asked: Asked, towns: Path) -> None:
    load(asked, towns, plan_of(towns, hierarchy="nowhere.csv"))
    said = asked.get("/hierarchies/0")
    assert said.status_code == 200
    assert "cannot be read" in said.text
    asked.post("/hierarchies/0/build", builder="flat", **{"option-root": "*"})
    assert asked.studio.data["columns"]["town"]["hierarchy"] == {"builder": "flat"}


def test_long_lists_come_in_pages_and_are_found(asked: Asked, tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    names = [f"t{i:04}" for i in range(1000)] * 2
    ages, ill = [i % 50 for i in range(2000)], ["flu", "cold"] * 1000
    pl.DataFrame({"town": names, "age": ages, "ill": ill}).write_csv(path)
    columns = {"town": {"role": "quasi"}, "age": {"role": "other"}, "ill": {"role": "sensitive"}}
    asked_for = {"columns": columns, "require": [{"model": "k-anonymity", "k": 2}]}
    load(asked, path, Plan.from_dict(asked_for))
    first = asked.get("/hierarchies/0").text
    assert first.count("data-node=") == 201
    assert "Show more (800 left)" in first
    told = version(asked)
    later = asked.get(f"/hierarchies/0/below/0?version={told}&start=900").text
    assert later.count("data-node=") == 100
    assert "data-more" not in later
    found = asked.post("/hierarchies/0/tree", version=told, filter="T099").text
    assert found.count("found") == 10
    assert asked.get("/hierarchies/0/below/0?version=old").status_code == 422
    assert asked.get(f"/hierarchies/0/below/5000?version={told}").status_code == 422
    # What was edited is in sight, however far down.
    said = edit(asked, "group", "t0990", "t0991", label="A").text
    assert said.count("data-node=") == 1 + 999 + 2


def test_places_to_move_to_are_groups_outside_what_is_moved(opened: Asked) -> None:
    edit(opened, "group", "Oslo", "Bergen", label="Norway")
    edit(opened, "group", "Norway", "Paris", label="Far")
    edit(opened, "group", "Rome", label="Italy")
    moved = tree(opened).node("Far")
    told = {"version": version(opened), "nodes": str(moved)}
    listed = re.findall(r">([^<]+)</option>", opened.post("/hierarchies/0/places", **told).text)
    assert listed == ["*", "Italy"]
    told["nodes"] = str(tree(opened).node("Rome"))
    found = opened.post("/hierarchies/0/places", **told, **{"place-filter": "nor"}).text
    assert "Far › Norway" in found
    assert "Italy" not in found


# -- in a browser -------------------------------------------------------------------------


@pytest.fixture
def visited(browser: Any, served: str, studio: Any, towns: Path) -> Any:
    """The page of the towns, and what it complained about."""
    studio.load(towns, plan=plan_of(towns))
    wait_for(lambda: studio.loading is None)
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(served)
    page.wait_for_url(lambda address: "open" not in address)
    faults.clear()  # the first page is not ours
    page.goto(served.split("/open")[0] + "/hierarchies/0")
    yield page, studio
    assert faults == []
    page.context.close()


def row(page: Any, label: str) -> Any:
    return page.locator("#tree li", has=page.get_by_text(label, exact=True))


def told_tree(studio: Any) -> Any:
    spec = studio.data["columns"]["town"]["hierarchy"]
    return from_spec(spec).build(pl.Series(TOWNS)).to_dict()["*"]


def test_a_tree_is_edited_by_drag(visited: Any) -> None:
    page, studio = visited
    row(page, "Oslo").drag_to(row(page, "Bergen"))
    page.get_by_label("Name", exact=True).fill("Norway")
    page.get_by_role("button", name="OK").click()
    row(page, "Norway").wait_for()
    assert told_tree(studio)["Norway"] == ["Bergen", "Oslo"]
    row(page, "Paris").drag_to(row(page, "Norway"))
    page.locator("#tree li.level-3:has-text('Paris')").wait_for()
    assert told_tree(studio)["Norway"] == ["Bergen", "Oslo", "Paris"]
    # Several at once, and back to the root.
    row(page, "Oslo").locator(".check").click()
    row(page, "Paris").locator(".check").click()
    row(page, "Oslo").drag_to(row(page, "*"))
    page.locator("#tree li.level-2:has-text('Paris')").wait_for()
    assert told_tree(studio)["Norway"] == ["Bergen"]
    page.keyboard.press("Control+z")
    page.locator("#tree li.level-3:has-text('Paris')").wait_for()
    assert told_tree(studio)["Norway"] == ["Bergen", "Oslo", "Paris"]


def test_a_tree_is_edited_by_keyboard_alone(visited: Any) -> None:
    page, studio = visited
    page.locator("#tree li").first.focus()
    press = page.keyboard.press
    for key in ("ArrowDown", "Space", "ArrowDown", "Space"):  # Bergen and Milan
        press(key)
    assert page.locator("#count").inner_text() == "2 chosen"
    page.get_by_role("button", name="Group …").focus()
    press("Enter")
    page.keyboard.type("Far")
    press("Enter")
    row(page, "Far").wait_for()
    assert page.evaluate("document.activeElement.querySelector('.label').textContent") == "Far"
    assert told_tree(studio)["Far"] == ["Bergen", "Milan"]
    # Oslo follows the group; it is cut, and put into it.
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Control+x", "ArrowUp", "Control+v"):
        press(key)
    page.locator("#tree li.level-3:has-text('Oslo')").wait_for()
    assert told_tree(studio)["Far"] == ["Bergen", "Milan", "Oslo"]
    # The group is closed, opened and renamed.
    for key in ("ArrowLeft", "ArrowLeft"):
        press(key)
    assert row(page, "Oslo").count() == 0
    press("ArrowRight")
    row(page, "Oslo").wait_for()
    press("F2")
    page.keyboard.type("North")
    press("Enter")
    row(page, "North").wait_for()
    # A value goes out by the list of places.
    press("ArrowDown")
    page.get_by_role("button", name="Move to …").focus()
    press("Enter")
    page.locator("#places option").first.wait_for(state="attached")
    press("ArrowDown")
    press("Enter")
    page.locator("#tree li.level-2:has-text('Bergen')").wait_for()
    assert told_tree(studio)["North"] == ["Milan", "Oslo"]
    row(page, "North").focus()
    press("Delete")
    row(page, "North").wait_for(state="detached")
    assert told_tree(studio) == ["Milan", "Oslo", "Paris", "Rome", "Bergen"]


def test_the_page_is_accessible(visited: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page, _ = visited
    row(page, "Oslo").locator(".check").click()
    page.locator(".building summary").click()
    page.locator("#preview pre").wait_for()
    found = Axe().run(page).response["violations"]
    grave = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in grave] == []
