"""Run and compare: settings, queue, cards, the picture of all, two side by side, the lattice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal.base.rounding import percent
from shoal.studio.jobs import State
from shoal.studio.panels._runs_settings import TIMES
from tests.studio.conftest import Asked, visiting, wait_for


@pytest.fixture
def opened(asked: Asked, people: Path) -> Asked:
    asked.open(people)
    return asked


def run(opened: Asked, place: str = "/runs/start", **data: Any) -> Any:
    """Ask for a run, and wait for it."""
    said = opened.post(place, **data)
    assert said.status_code == 200, said.text
    job = opened.studio.queue.jobs[-1]
    return opened.studio.queue.wait(job.number, 120)


def test_a_run_is_a_card_with_its_figures_and_its_rows(opened: Asked) -> None:
    assert "Run and compare" in opened.get("/runs").text
    started = opened.post("/runs/start").text
    job = opened.studio.queue.jobs[-1]
    assert f"/runs/{job.number}/progress" in started
    opened.studio.queue.wait(job.number, 120)
    assert job.state is State.DONE, job.problem
    said = opened.get(f"/runs/{job.number}/progress?state=working&shown=")
    assert said.headers["HX-Trigger"] == "runs-changed"
    assert "hx-swap-oob" in said.text  # the rows come along
    board = opened.get("/runs/board").text
    found = job.result["figures"]
    assert "a quick search" in board
    assert f"{percent(found['loss'])} of the information" in board
    assert f"{100 * found['highest']:.1f} %" in board
    shown = opened.get(f"/runs/{job.number}").text
    names, rows = job.result["examples"]["names"], job.result["examples"]["rows"]
    assert len(rows) == 8
    assert all(name in shown for name in names)
    assert shown.count("<ins>") == len(rows) * len(names)
    # A comparison that somebody looks at stays.
    kept = opened.get(f"/runs/{job.number}/progress?state=working&shown=compare").text
    assert "<ins>" not in kept


def test_a_quick_look_refines_nothing_and_further_is_offered(opened: Asked) -> None:
    first = run(opened)
    assert first.request["plan"]["refine"] == {"times": 0}
    assert first.result["refinement"] == ""
    assert first.result["bound"] is None
    second = run(opened, f"/runs/{first.number}/further")
    assert "refine" not in second.request["plan"]  # as the method does anyhow
    assert second.result["bound"] is not None
    assert second.result["figures"]["loss"] <= first.result["figures"]["loss"]
    third = run(opened, f"/runs/{second.number}/further")
    assert third.request["plan"]["refine"]["times"] == 2
    assert "seconds" not in third.request["plan"]["refine"]
    assert opened.studio.data.get("refine") is None  # the plan itself stays as it is


def test_the_same_plan_gives_the_same_bytes(opened: Asked, tmp_path: Path) -> None:
    opened.post("/runs/budget", at=2)
    job = run(opened)
    plan = shoal.Plan.read(job.folder / "plan.toml")
    plan = shoal.Plan.from_dict(plan.to_dict(), folder=job.request["folder"])
    shoal.run(plan, output=tmp_path / "again")
    for file in sorted((job.folder / "release").iterdir()):
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes(), file.name


def test_weights_refine_by_the_measure_that_they_speak_of(opened: Asked) -> None:
    number = list(opened.studio.plan.columns).index("age")
    said = opened.post("/runs/weight", column=number, at=8)
    assert said.headers["HX-Trigger"] == "plan-changed"
    assert opened.studio.plan.columns["age"].weight == 8
    assert opened.studio.data["method"] == {"name": "auto", "measure": "loss"}
    opened.post("/runs/budget", at=2)
    job = run(opened)
    assert job.request["plan"]["refine"] == {"times": 2, "measure": "loss"}
    assert job.result["bound"]["measure"] == "loss"
    assert "age × 8" in opened.get("/runs/board").text
    opened.post("/runs/weight", column=number, at=0)
    assert opened.studio.plan.columns["age"].weight == 0.1
    opened.post("/undo")
    opened.post("/undo")
    assert opened.studio.data["method"] == {"name": "auto"}


def test_what_cannot_be_set_is_refused(opened: Asked) -> None:
    before = opened.studio.data
    identifier = next(n for n, c in enumerate(before["columns"].values()) if c["role"] != "quasi")
    for place, data in (
        ("/runs/weight", {"column": identifier, "at": 3}),
        ("/runs/weight", {"column": 99, "at": 3}),
        ("/runs/weight", {"column": 0, "at": "nan"}),
        ("/runs/weight", {"column": 0, "at": 11}),
        ("/runs/weight", {"column": "x", "at": 1}),
        ("/runs/budget", {"at": len(TIMES)}),
        ("/runs/method", {"name": "no-such"}),
        ("/runs/several", {}),
        ("/runs/several", {"k": 1, "method": "auto"}),
        ("/runs/several", {"k": 3, "method": "no-such"}),
        ("/runs/77/again", {}),
        ("/runs/77/stop", {}),
        ("/runs/77/lattice", {}),
        ("/runs/77/lattice/1/1", {}),
    ):
        assert opened.post(place, **data).status_code == 422, (place, data)
    for place in ("/runs/77", "/runs/compare", "/runs/compare?pick=1", "/runs/x"):
        assert opened.get(place).status_code == 422, place
    assert opened.studio.data == before
    assert opened.studio.queue.jobs == []


def test_methods_that_cannot_carry_the_plan_say_why(opened: Asked) -> None:
    page = opened.get("/runs").text
    assert "needs a limit on the shares of sensitive values" in page
    assert re.search(r'value="anatomy"[^>]*disabled', page)
    opened.studio.change(lambda data: data["method"].update(seed=5))
    opened.studio.change(lambda data: data["publication"].pop("seed", None))
    said = opened.post("/runs/method", name="full-domain").text
    assert "cannot be refined" in said
    assert opened.studio.data["method"] == {"name": "full-domain"}
    assert opened.studio.data["publication"]["seed"] == 5


def test_what_a_plan_says_of_refining_holds_until_somebody_moves_the_slider(opened: Asked) -> None:
    opened.studio.change(lambda data: data.update(refine={"steps": 7}, bound={"looks": 9}))
    assert "as the plan says" in opened.get("/runs").text
    assert run(opened).request["plan"]["refine"] == {"steps": 7}
    opened.post("/runs/budget", at=0)
    assert run(opened).request["plan"]["refine"] == {"times": 0}
    opened.post("/runs/budget", at=-1)
    assert run(opened).request["plan"]["refine"] == {"steps": 7}


def test_several_k_are_runs_like_others_and_one_is_recommended(opened: Asked) -> None:
    before = opened.studio.data
    board = opened.post("/runs/several", k=[3, 5, 10, 20], method=["mondrian"]).text
    assert board.count("Waiting for its turn") >= 3
    assert opened.studio.data == before
    jobs = opened.studio.queue.jobs
    for job in jobs:
        assert opened.studio.queue.wait(job.number, 120).state is State.DONE
    assert [job.request["plan"]["require"][0]["k"] for job in jobs] == [3, 5, 10, 20]
    assert {job.request["plan"]["output"].get("path") for job in jobs} == {
        before.get("output", {}).get("path")
    }
    board = opened.get("/runs/board").text
    assert "Begin with run" in board
    for job in jobs:
        assert f'<a href="#run-{job.number}"' in board


def test_a_run_that_fails_says_why_and_a_plan_comes_back(opened: Asked) -> None:
    good = run(opened)
    opened.studio.change(lambda data: data["require"][0].update(k=301))
    bad = run(opened)
    assert bad.state is State.FAILED
    board = opened.get("/runs/board").text
    assert bad.problem in board
    assert bad.hint in board
    assert opened.get(f"/runs/{bad.number}").status_code == 422
    assert opened.post(f"/runs/{good.number}/again").status_code == 200
    assert opened.studio.data["require"][0]["k"] != 301
    assert "refine" not in opened.studio.data
    opened.post("/undo")
    assert opened.studio.data["require"][0]["k"] == 301


def test_a_run_that_is_removed_is_gone(opened: Asked) -> None:
    job = run(opened)
    assert job.folder.exists()
    opened.post(f"/runs/{job.number}/remove")
    assert not job.folder.exists()
    assert f"run-{job.number}" not in opened.get("/runs/board").text
    assert opened.get(f"/runs/{job.number}").status_code == 422
    assert run(opened).number == 2


def test_another_table_begins_without_runs(opened: Asked, tmp_path: Path) -> None:
    job = run(opened)
    other = tmp_path / "other.csv"
    shoal.datasets.adult().head(100).write_csv(other)
    opened.open(other)
    assert not job.folder.exists()
    assert "All runs" not in opened.get("/runs").text


def test_two_runs_show_the_same_rows(opened: Asked) -> None:
    one = run(opened)
    opened.studio.change(lambda data: data["require"][0].update(k=30))
    two = run(opened)
    befores = [
        [[before for before, _ in row] for row in job.result["examples"]["rows"]]
        for job in (one, two)
    ]
    assert befores[0] == befores[1]
    said = opened.get(f"/runs/compare?pick={one.number}&pick={two.number}").text
    assert "Run 1 beside run 2" in said
    assert said.count("Original") == 8
    assert 'class="differs"' in said
    twice = f"/runs/compare?pick={one.number}&pick={one.number}"
    assert opened.get(twice).status_code == 422


def test_a_node_of_the_lattice_is_a_run(opened: Asked) -> None:
    quasi = [n for n, c in opened.studio.plan.columns.items() if c.role.value == "quasi"]

    def few(data: dict[str, Any]) -> None:
        for name in quasi[3:]:
            data["columns"][name] = {"role": "identifier"}

    opened.studio.change(few)
    opened.post("/runs/method", name="full-domain")
    job = run(opened)
    assert job.state is State.DONE, job.problem
    assert "Show the lattice" in opened.get(f"/runs/{job.number}").text
    opened.post(f"/runs/{job.number}/lattice")
    found = opened.studio.queue.wait(opened.studio.queue.jobs[-1].number, 60)
    assert found.state is State.DONE, found.problem
    opened.post(f"/runs/{job.number}/lattice")  # it is known
    assert opened.studio.queue.jobs[-1] is found
    drawn = opened.get(f"/runs/{job.number}/lattice/{found.number}").text
    nodes = found.result["nodes"]
    assert drawn.count("<circle") == len(nodes) + 4  # and the legend
    other = next(n for n, x in enumerate(nodes) if x["holds"] and not x["best"])
    assert f"/runs/{job.number}/lattice/{found.number}/{other}" in drawn
    made = run(opened, f"/runs/{job.number}/lattice/{found.number}/{other}")
    assert made.state is State.DONE, made.problem
    assert made.result["levels"] == nodes[other]["levels"]
    # Its own lattice is the same one, with its node marked.
    drawn = opened.post(f"/runs/{made.number}/lattice").text
    assert opened.studio.queue.jobs[-1] is made
    assert drawn.count("<circle") == len(nodes) + 4
    assert drawn.count('class="holds own"') == 2
    wrong = f"/runs/{job.number}/lattice/{found.number}/{len(nodes)}"
    assert opened.post(wrong).status_code == 422


def near_nodes(opened: Asked) -> tuple[Any, Any, str]:
    """Run full-domain search, and ask for the nodes near its own."""
    opened.post("/runs/method", name="full-domain")
    job = run(opened)
    opened.post(f"/runs/{job.number}/lattice")
    found = opened.studio.queue.wait(opened.studio.queue.jobs[-1].number, 60)
    assert not found.result["whole"]
    return job, found, opened.get(f"/runs/{job.number}/lattice/{found.number}").text


def test_of_a_large_lattice_near_nodes_are_listed(opened: Asked) -> None:
    def widths(data: dict[str, Any]) -> None:
        for name, column in data["columns"].items():
            if column.get("kind") == "numeric":
                width = 10 if name in ("age", "hours-per-week") else 1000
                column["hierarchy"] = {"builder": "intervals", "width": width, "fan_out": 4}

    opened.studio.change(widths)
    job, found, said = near_nodes(opened)
    assert "too many to draw" in said
    number = int(re.findall(rf"/lattice/{found.number}/(\d+)", said)[0])
    assert found.result["nodes"][number]["suppressed"]
    made = run(opened, f"/runs/{job.number}/lattice/{found.number}/{number}")
    assert made.state is State.DONE, made.problem
    own, other = job.result["levels"], made.result["levels"]
    assert 1 <= sum(own[name] != other[name] for name in own) <= 2


def test_a_node_that_fails_in_the_trees_of_the_rows_that_stay_is_not_offered(
    opened: Asked,
) -> None:
    job, found, said = near_nodes(opened)
    within = [
        number
        for number, node in enumerate(found.result["nodes"])
        if node["suppressed"] <= found.result["suppression_limit_rows"]
    ]
    for number in within[:3]:
        made = run(opened, f"/runs/{job.number}/lattice/{found.number}/{number}")
        holds = found.result["nodes"][number]["holds"]
        assert (made.state is State.DONE) == holds, made.problem
        assert holds or f'/lattice/{found.number}/{number}"' not in said
    assert not all(found.result["nodes"][number]["holds"] for number in within)
    assert "built from the published rows" in said


# -- in a browser -------------------------------------------------------------------------


@pytest.fixture
def page(browser: Any, served: str, studio: Any, people: Path) -> Iterator[Any]:
    """Open the step of runs for a small table, and let no error pass."""
    studio.load(people)
    wait_for(lambda: studio.loading is None)
    with visiting(browser, served, "/runs") as made:
        yield made


def test_a_run_is_stopped_on_the_page(page: Any, studio: Any, tmp_path: Path) -> None:
    many = tmp_path / "many.csv"  # few rows are as good as they get within seconds
    shoal.datasets.adult().head(8000).write_csv(many)
    studio.load(many)
    wait_for(lambda: studio.loading is None)
    studio.change(lambda data: data.update(refine={"seconds": 100.0}))
    page.reload()
    page.click("#start")
    page.wait_for_selector(".curve", timeout=60_000)  # the loss falls
    (job,) = studio.queue.jobs
    page.focus(f"#stop-{job.number}")
    for _ in range(3):  # the page asks again meanwhile
        with page.expect_response(lambda said: "/progress" in said.url):
            pass
    assert page.evaluate("document.activeElement.id") == f"stop-{job.number}"
    page.keyboard.press("Enter")
    page.wait_for_selector("text=no results were kept", timeout=60_000)
    assert job.state is State.STOPPED
    assert not job.folder.exists()
    assert page.locator("#queue-title").count() == 0


def test_two_runs_are_compared_on_the_page(page: Any, studio: Any) -> None:
    page.click("#start")
    page.wait_for_selector("#shown ins", timeout=60_000)  # rows come by themselves
    before = page.locator("#weight-0").input_value()
    page.locator("#weight-0").press("ArrowRight")
    page.wait_for_selector("[data-key=undo]:not([disabled])")
    assert int(page.locator("#weight-0").input_value()) == int(before) + 1
    page.check("#pick-1")
    page.click("#start")
    page.wait_for_selector("#run-2", timeout=60_000)
    assert page.is_checked("#pick-1")  # although all cards came anew, twice
    page.check("#pick-2")
    page.click("#compare")
    page.wait_for_selector("table.both")
    assert page.evaluate("document.activeElement.id") == "shown-title"
    assert page.locator("table.both tbody").count() == 8
    # The marks of the picture lead to the cards.
    page.locator("svg.plot a").first.press("Enter")
    assert "#run-" in page.url
    # Taking the first plan back is a step that can be undone.
    page.click("#again-1")
    weight = page.locator("#weight-0")
    page.wait_for_selector("#weight-0[value='1']")
    page.click("[data-key=undo]")
    page.wait_for_selector("#weight-0[value='2']")
    assert weight.input_value() == "2"
