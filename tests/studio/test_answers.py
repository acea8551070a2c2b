"""Late answers: nothing that was edited meanwhile is lost, and page and plan agree in the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shoal.studio.studio import Studio
from tests.studio.conftest import Slow, hold, serving, visiting, wait_for, wait_until_quiet
from tests.studio.test_hierarchies import plan_of, row, told_tree, towns
from tests.studio.test_promise import _roles, patients

__all__ = ["patients", "towns"]  # fixtures


@dataclass
class Visit:
    """A page of a studio whose answers come late."""

    page: Any
    studio: Studio
    slow: Slow
    base: str

    def go(self, place: str) -> None:
        self.page.goto(self.base + place)
        self.wait()

    def wait(self) -> None:
        wait_until_quiet(self.page)

    def value(self, selector: str) -> str:
        return str(self.page.locator(selector).input_value())

    def focused(self) -> str:
        return str(self.page.evaluate("document.activeElement.id"))


@pytest.fixture(params=[0.0, 1.0], ids=["at-once", "1000-ms"])
def visit(request: Any, studio: Studio, browser: Any) -> Iterator[Visit]:
    slow = Slow(None, request.param)
    with serving(studio, slow) as address, visiting(browser, address, refused="422") as page:
        yield Visit(page, studio, slow, address.partition("/open")[0])


def opened(visit: Visit, table: Path, **more: Any) -> Visit:
    visit.studio.load(table, **more)
    wait_for(lambda: visit.studio.loading is None)
    return visit


# -- promise ------------------------------------------------------------------------------


@pytest.fixture
def promise(visit: Visit, patients: Path) -> Visit:
    opened(visit, patients).studio.change(_roles)
    visit.go("/promise")
    return visit


def required(visit: Visit, place: int = 0) -> Any:
    return visit.studio.data["require"][place]


def test_what_is_typed_while_an_answer_is_on_its_way_stays(promise: Visit) -> None:
    page = promise.page
    page.check("#missing-drop")
    page.evaluate("document.getElementById('r0-k').select()")
    page.keyboard.type("17")
    promise.wait()
    assert promise.value("#r0-k") == promise.value("#r0-k-slider") == "17"
    assert promise.focused() == "r0-k"
    assert "at least 17" in page.inner_text("#r0-verdict")  # judged as it stands there
    assert required(promise)["k"] == 5
    page.keyboard.type("0")  # the caret is where it was
    page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    promise.wait()
    assert required(promise)["k"] == 17
    assert promise.studio.plan.publication.missing == "drop"
    assert promise.value("#r0-k") == "17"


def test_a_number_below_what_its_slider_can_show_stays_as_it_is_typed(promise: Visit) -> None:
    promise.page.evaluate(
        """() => {
          document.getElementById("missing-drop").click();
          const field = document.getElementById("r0-k");
          field.focus();
          field.value = "1";
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }"""
    )
    promise.wait()
    assert (promise.value("#r0-k"), promise.value("#r0-k-slider")) == ("1", "2")


def test_a_number_that_is_typed_when_its_slider_was_let_go_stays(promise: Visit) -> None:
    page = promise.page
    box = hold(page, "#r0-k-slider")
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 2, middle, steps=5)
    page.mouse.up()
    page.fill("#r0-k", "7")
    promise.wait()
    assert required(promise)["k"] > 60  # where the slider was let go
    assert promise.value("#r0-k") == promise.value("#r0-k-slider") == "7"
    assert page.locator("#r0 .verdict.good").count() == 1
    page.keyboard.press("Enter")
    promise.wait()
    assert required(promise)["k"] == 7


def test_what_was_typed_is_sent_when_it_is_left_though_its_field_was_replaced(
    promise: Visit,
) -> None:
    promise.page.check("#missing-drop")
    promise.page.evaluate("document.getElementById('limit').select()")
    promise.page.keyboard.type("0.2")
    promise.wait()
    promise.page.keyboard.press("Tab")
    promise.wait()
    assert promise.studio.plan.publication.suppression_limit == 0.2
    assert promise.value("#limit") == "0.2"


def test_quick_changes_of_one_field_come_in_order(promise: Visit) -> None:
    for k in ("7", "9", "8"):
        promise.page.fill("#r0-k", k)
        promise.page.keyboard.press("Enter")
    promise.wait()
    assert required(promise)["k"] == 8
    assert promise.value("#r0-k") == promise.value("#r0-k-slider") == "8"
    steps = []
    for _ in range(3):
        promise.studio.undo()
        steps.append(required(promise)["k"])
    assert steps == [9, 7, 5]


def test_quick_changes_of_several_fields_are_all_made(promise: Visit) -> None:
    page = promise.page
    page.fill("#r0-k", "7")
    page.keyboard.press("Enter")
    page.check("#missing-drop")
    page.fill("#limit", "0.1")
    page.keyboard.press("Enter")
    page.check("#missing-suppress-column")
    page.select_option("#entity", "0")
    promise.wait()
    plan = promise.studio.plan
    assert required(promise)["k"] == 7
    assert plan.publication.suppression_limit == 0.1
    assert (plan.publication.missing, plan.entity) == ("suppress-column", "patient")
    assert promise.value("#r0-k") == "7"
    assert promise.value("#limit") == "0.1"
    assert page.is_checked("#missing-suppress-column")
    assert promise.value("#entity") == "0"


def test_two_quick_clicks_are_two_changes_and_a_double_click_is_one(promise: Visit) -> None:
    promise.page.evaluate(
        """for (const each of ["l-diversity", "alpha-k", "alpha-k"])
            document.getElementById(`add-${each}`).click()"""
    )
    promise.wait()
    models = [each["model"] for each in promise.studio.data["require"]]
    assert models == ["k-anonymity", "l-diversity", "alpha-k"]
    assert promise.page.locator("form.requirement").count() == 3
    # Both that are meant are removed, though the first one moves the second.
    promise.page.evaluate("for (const n of [0, 1]) document.getElementById(`r${n}-remove`).click()")
    promise.wait()
    assert [each["model"] for each in promise.studio.data["require"]] == ["alpha-k"]
    assert promise.page.locator("form.requirement").count() == 1


def test_what_is_typed_stays_with_its_requirement_when_another_one_goes(promise: Visit) -> None:
    promise.page.click("#add-alpha-k")
    promise.page.wait_for_selector("#r1")
    promise.wait()
    promise.page.click("#r0-remove")
    promise.page.fill("#r1-k", "6")
    promise.wait()
    assert promise.value("#r1-k") == "6"
    promise.page.keyboard.press("Enter")
    promise.wait()
    assert [(each["model"], each["k"]) for each in promise.studio.data["require"]] == [
        ("alpha-k", 6)
    ]


@pytest.mark.parametrize("first", ["", "document.getElementById('missing-drop').click();"])
def test_who_went_on_to_a_field_is_not_taken_from_it(promise: Visit, first: str) -> None:
    page = promise.page
    page.click("#add-alpha-k")
    page.wait_for_selector("#r1")
    promise.wait()
    assert promise.focused() == "r1-title"
    page.evaluate(
        f"""() => {{
          {first}
          document.getElementById("r0-remove").click();
          const field = document.getElementById("r1-k");
          field.focus();
          field.select();
        }}"""
    )
    promise.wait()
    assert page.locator("form.requirement").count() == 1
    assert promise.focused() == "r1-k"
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    promise.wait()
    assert required(promise)["k"] == 6


def test_levels_that_were_drafted_are_not_undone_by_a_change_made_meanwhile(
    promise: Visit,
) -> None:
    promise.page.click("#add-leveled-alpha-k")
    promise.page.wait_for_selector("#r1-draft")
    promise.wait()
    drafted = required(promise, 1)["alphas"]
    promise.studio.change(lambda data: data["require"][1].update(alphas=[0.9] * len(drafted)))
    promise.go("/promise")
    promise.page.click("#r1-draft")
    promise.page.fill("#r1-k", "4")
    promise.page.keyboard.press("Enter")
    promise.wait()
    assert required(promise, 1)["k"] == 4
    assert required(promise, 1)["alphas"] != [0.9] * len(drafted)


def test_a_slider_is_not_taken_from_the_hand(promise: Visit) -> None:
    page = promise.page
    page.check("#missing-drop")
    box = hold(page, "#r0-k-slider")
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 60, middle, steps=3)
    page.wait_for_function("() => !window.isWaiting()")  # the answer is there
    page.mouse.move(box["x"] + 90, middle, steps=3)
    said = promise.value("#r0-k")
    page.mouse.up()
    promise.wait()
    assert str(required(promise)["k"]) == promise.value("#r0-k") == said != "5"
    assert promise.studio.plan.publication.missing == "drop"
    assert page.is_checked("#missing-drop")


def test_a_link_waits_for_what_was_changed(promise: Visit) -> None:
    promise.page.check("#missing-drop")
    promise.page.fill("#r0-k", "7")
    promise.page.click("nav a[href='/runs']")
    promise.page.wait_for_url("**/runs")
    assert required(promise)["k"] == 7
    assert promise.studio.plan.publication.missing == "drop"


def test_undo_comes_after_what_was_changed_and_before_what_is_changed_then(promise: Visit) -> None:
    page = promise.page
    page.fill("#r0-k", "7")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-key=undo]:not([disabled])")
    promise.wait()
    page.check("#missing-drop")
    page.evaluate(
        """for (const each of ["[data-key=undo]", "#missing-suppress-column"])
            document.querySelector(each).click()"""
    )
    promise.wait()
    assert required(promise)["k"] == 7
    assert promise.studio.plan.publication.missing == "suppress-column"
    assert page.is_checked("#missing-suppress-column")
    promise.studio.undo()
    assert promise.studio.plan.publication.missing == "keep"


# -- columns ------------------------------------------------------------------------------


@pytest.fixture
def columns(visit: Visit, patients: Path) -> Visit:
    opened(visit, patients).studio.change(_roles)
    visit.go("/columns")
    return visit


def test_quick_roles_are_all_given_and_a_text_that_is_being_written_stays(columns: Visit) -> None:
    page = columns.page
    wanted = {3: "other", 4: "sensitive", 5: "quasi", 6: "quasi"}
    page.fill("#token-all", "n/")
    for number, role in wanted.items():
        page.evaluate(f"document.getElementById('role-{number}-{role}').click()")
    page.locator("#token-all").focus()
    page.keyboard.press("End")
    page.keyboard.type("a")
    columns.wait()
    names = list(columns.studio.plan.columns)
    for number, role in wanted.items():
        assert columns.studio.plan.columns[names[number]].role == role
        assert page.is_checked(f"#role-{number}-{role}")
    assert columns.value("#token-all") == "n/a"
    assert columns.focused() == "token-all"
    page.keyboard.press("Enter")
    columns.wait()
    assert "n/a" in columns.studio.data["input"]["missing"]
    assert columns.value("#token-all") == ""


def test_what_is_written_through_several_answers_is_sent_when_it_is_left(columns: Visit) -> None:
    page = columns.page
    columns.studio.change(lambda data: data["columns"]["age"].update(kind="numeric"))
    columns.go("/columns")
    page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    page.locator("#bottom-3").focus()
    page.keyboard.type("25")
    for number in (4, 5, 6):
        page.evaluate(f"document.getElementById('role-{number}-identifier').click()")
    columns.wait()
    assert (columns.value("#bottom-3"), columns.focused()) == ("25", "bottom-3")
    page.keyboard.press("Tab")
    columns.wait()
    assert columns.studio.data["columns"]["age"]["bottom"] == 25


def test_a_level_and_a_date_are_written_on_where_their_fields_were_replaced(
    columns: Visit, tmp_path: Path
) -> None:
    page, table = columns.page, tmp_path / "born.csv"
    lines = [f"2001-{n % 9 + 1:02}-1{n % 8},{'ab'[n % 2]},x" for n in range(40)]
    table.write_text("\n".join(["born,ill,town", *lines]), encoding="utf-8")
    opened(columns, table)
    levels = {"role": "sensitive", "levels": {"a": 1, "b": 2}}
    columns.studio.change(lambda data: data["columns"].update(ill=levels))
    columns.studio.change(lambda data: data["columns"]["born"].update(role="quasi", kind="date"))
    columns.go("/columns")
    page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    # Replaced while half of it is written.
    for roles, field, *parts in (
        (("quasi", "other"), "level-1-1", "1", "2"),
        (("quasi",), "age-0", "01", "012020"),
    ):
        for role in roles:
            page.evaluate(f"document.getElementById('role-2-{role}').click()")
        page.evaluate(f"document.getElementById('{field}').select()")
        for part in parts:
            page.keyboard.type(part)
            columns.wait()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        columns.wait()
    assert columns.studio.data["columns"]["ill"]["levels"] == {"a": 12, "b": 2}
    assert columns.studio.data["columns"]["born"]["age_at"] == "2020-01-01"


def test_a_refusal_of_a_part_that_was_replaced_is_dropped(columns: Visit) -> None:
    columns.studio.change(lambda data: data["columns"]["zip"].update(kind="date"))
    columns.page.goto(columns.base + "/columns")  # who is unique cannot be said
    columns.page.evaluate("document.getElementById('role-6-quasi').click()")
    columns.wait()


def test_an_answer_that_was_overtaken_is_dropped(columns: Visit) -> None:
    page = columns.page
    columns.studio.change(lambda data: data["columns"]["pay"].update(role="quasi"))
    columns.slow.seconds += 2  # those who are unique with this plan are told late
    asked = columns.slow.asked
    page.goto(columns.base + "/columns")
    wait_for(lambda: columns.slow.asked > asked)
    columns.slow.seconds -= 2
    for number in (3, 6):
        page.evaluate(f"document.getElementById('role-{number}-other').click()")
    columns.wait()
    shown = page.inner_text("#unique")
    columns.go("/columns")
    assert shown == page.inner_text("#unique")


def test_a_role_is_changed_and_changed_back_before_the_answer(columns: Visit) -> None:
    page = columns.page
    for role in ("other", "sensitive", "quasi", "other"):
        page.evaluate(f"document.getElementById('role-3-{role}').click()")
    columns.wait()
    assert columns.studio.data["columns"]["age"]["role"] == "other"
    assert page.is_checked("#role-3-other")


def test_what_is_refused_goes_back_and_what_is_written_meanwhile_stays(columns: Visit) -> None:
    page = columns.page
    columns.studio.change(lambda data: data["columns"]["age"].update(kind="numeric"))
    columns.studio.change(lambda data: data["columns"]["zip"].update(kind="categorical"))
    columns.go("/columns")
    page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    page.select_option("#kind-4", "date")  # no dates at all
    page.fill("#token-4", "unknown")
    page.fill("#bottom-3", "x")
    page.keyboard.press("Enter")
    page.fill("#top-3", "50")
    columns.wait()
    assert columns.value("#kind-4") == "categorical" == columns.studio.plan.columns["zip"].kind
    assert columns.value("#token-4") == "unknown"
    assert columns.value("#top-3") == "50"
    page.fill("#bottom-3", "25")
    page.keyboard.press("Enter")
    columns.wait()
    assert columns.studio.data["columns"]["age"]["top"] == 50
    assert columns.studio.data["columns"]["age"]["bottom"] == 25
    assert page.locator("#more-3").get_attribute("open") is not None


# -- hierarchies --------------------------------------------------------------------------


@pytest.fixture
def trees(visit: Visit, towns: Path) -> Visit:
    opened(visit, towns, plan=plan_of(towns)).go("/hierarchies/0")
    return visit


def group(visit: Visit, name: str, *labels: str) -> None:
    for label in labels:
        row(visit.page, label).locator(".check").click()
    visit.page.get_by_role("button", name="Group …").click()
    visit.page.get_by_label("Name", exact=True).fill(name)
    visit.page.get_by_role("button", name="OK").click()


def choose_nothing(visit: Visit) -> None:
    """Take back what is still chosen because the answer is not there yet."""
    visit.page.evaluate(
        """for (const each of document.querySelectorAll('#tree [aria-selected=true] .check'))
            each.click()"""
    )


def test_a_tree_is_edited_again_before_the_first_edit_is_answered(trees: Visit) -> None:
    group(trees, "Norway", "Oslo", "Bergen")
    choose_nothing(trees)
    group(trees, "Italy", "Rome", "Milan")
    trees.wait()
    tree = told_tree(trees.studio)
    assert sorted(tree["Norway"]) == ["Bergen", "Oslo"]
    assert sorted(tree["Italy"]) == ["Milan", "Rome"]
    shown = trees.page.locator("#tree .label").all_inner_texts()
    assert {"Norway", "Italy"} <= set(shown)


def test_a_filter_and_a_choice_stay_when_the_tree_is_replaced(trees: Visit) -> None:
    group(trees, "Norway", "Oslo", "Bergen")
    row(trees.page, "Paris").locator(".check").click()
    trees.page.locator("#filter").focus()
    trees.page.keyboard.type("ar")
    trees.wait()
    assert trees.value("#filter") == "ar"
    assert trees.focused() == "filter"
    assert trees.page.locator("#tree .found .label").all_inner_texts() == ["Paris"]
    assert sorted(told_tree(trees.studio)["Norway"]) == ["Bergen", "Oslo"]


def test_a_dialog_that_is_open_when_the_tree_is_replaced_means_the_same_nodes(trees: Visit) -> None:
    group(trees, "A", "Oslo", "Bergen")  # it comes first, and moves the numbers of all others
    choose_nothing(trees)
    row(trees.page, "Rome").locator(".check").click()
    row(trees.page, "Paris").locator(".check").click()
    trees.page.get_by_role("button", name="Group …").click()
    trees.page.get_by_label("Name", exact=True).fill("B")
    trees.wait()
    trees.page.get_by_role("button", name="OK").click()
    trees.wait()
    assert sorted(told_tree(trees.studio)["B"]) == ["Paris", "Rome"]


def test_what_an_edit_is_about_may_be_gone_and_is_said(trees: Visit) -> None:
    group(trees, "Norway", "Oslo", "Bergen")
    trees.wait()
    page = trees.page
    row(page, "Norway").locator(".label").click()
    page.evaluate(
        """() => {
          const button = document.querySelector("[data-action=dissolve]");
          button.click(); button.click();
        }"""
    )
    trees.wait()
    assert "Norway" not in told_tree(trees.studio)


# -- settings -----------------------------------------------------------------------------


@pytest.fixture
def settings(visit: Visit, patients: Path) -> Visit:
    opened(visit, patients).studio.change(_roles)
    visit.go("/runs")
    return visit


def test_a_run_is_asked_for_with_all_that_was_set_before(settings: Visit) -> None:
    page, studio = settings.page, settings.studio
    page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    for number in (3, 4):
        for _ in range(3):
            page.locator(f"#weight-{number}").press("ArrowRight")
    page.check("#method-mondrian")
    page.uncheck("#several [name=k] >> nth=0")
    page.click("#start")
    wait_for(lambda: len(studio.queue.of_kind("release")) == 1)
    settings.wait()
    (job,) = studio.queue.of_kind("release")
    for plan in (studio.data, job.request["before"]):
        assert plan["method"]["name"] == "mondrian"
        assert [plan["columns"][name]["weight"] for name in ("age", "zip")] == [4, 4]
    assert page.is_checked("#method-mondrian")
    assert [settings.value(f"#weight-{number}") for number in (3, 4)] == ["4", "4"]
    assert page.inner_text("#said-weight-4") == "4"
    assert not page.is_checked("#several [name=k] >> nth=0")
    assert page.locator("#other-methods").get_attribute("open") is not None


def test_methods_are_chosen_more_quickly_than_answers_come(settings: Visit) -> None:
    settings.page.evaluate("document.getElementById('other-methods').open = true")
    for name in ("mondrian", "kaca", "gaa-cp"):
        settings.page.evaluate(f"document.getElementById('method-{name}').click()")
    settings.wait()
    assert settings.studio.data["method"]["name"] == "gaa-cp"
    assert settings.page.is_checked("#method-gaa-cp")
    settings.studio.undo()
    assert settings.studio.data["method"]["name"] == "kaca"


def test_a_card_stays_marked_when_runs_come_and_go(settings: Visit) -> None:
    page, studio = settings.page, settings.studio
    page.click("#start")
    page.wait_for_selector("#run-1", timeout=60_000)
    assert [job.problem for job in studio.queue.jobs] == [""]
    page.click("#start")
    page.check("#pick-1")
    page.wait_for_selector("#run-2", timeout=60_000)
    wait_for(lambda: not any(job.is_open for job in studio.queue.jobs))
    settings.wait()
    assert page.is_checked("#pick-1")
    page.evaluate("for (const n of [1, 2]) document.getElementById(`remove-${n}`).click()")
    settings.wait()
    assert studio.queue.of_kind("release") == []
    assert page.locator("article.run").count() == 0


# -- release ------------------------------------------------------------------------------


def test_a_folder_that_is_named_while_a_copy_is_on_its_way_stays(
    visit: Visit, patients: Path, tmp_path: Path
) -> None:
    studio = opened(visit, patients).studio
    studio.change(_roles)
    asked = {"plan": studio.data, "folder": str(studio.folder)}
    job = studio.queue.add("release", asked)
    assert studio.queue.wait(job.number, 120).problem == ""
    visit.go("/release")
    page = visit.page
    page.fill("[name=folder]", str(tmp_path / "copy"))
    page.keyboard.press("Enter")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.keyboard.type("3")
    visit.wait()
    assert visit.value("[name=folder]") == str(tmp_path / "copy23")
    assert sorted(p.name for p in tmp_path.iterdir() if p.name in ("copy", "copy2")) == [
        "copy",
        "copy2",
    ]
    assert str(tmp_path / "copy2") in page.inner_text("#kept")
