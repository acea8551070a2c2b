"""Run and compare: what is asked for, how runs go, and what each costs and protects."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import Form, Query, Request
from fastapi.responses import Response

from shoal.errors import ParameterError, ShoalError
from shoal.plan import Plan
from shoal.steward.comparison.budget import can_be_refined
from shoal.steward.comparison.setting import KS, settings
from shoal.studio.jobs import Job, State
from shoal.studio.pages import Here, page, part, studio_of
from shoal.studio.panels import Panel
from shoal.studio.panels._runs_cards import Board, Run, curve, run_of, runs_of
from shoal.studio.panels._runs_compare import alternatives, both, draw
from shoal.studio.panels._runs_settings import (
    TIMES,
    add_run,
    budget_of,
    choices,
    set_method,
    set_weight,
    weights,
)
from shoal.studio.studio import Studio

panel = Panel("runs", 5)

CHANGED, PLAN_CHANGED = "runs-changed", "plan-changed"
"""What a page is told: that runs began or ended, and that the plan is another one."""

AT_ONCE = 1.0
"""Seconds that an answer waits for a job to stop."""

LATTICE = "lattice"


@panel.router.get("")
def show(request: Request, studio: Here) -> Response:
    """Show the settings, the runs, and the last release."""
    done = [run for run in runs_of(studio) if run.is_done]
    more = {"run": done[-1] if done else None, "curve": curve(done[-1].job) if done else None}
    board = _board_context(studio)
    return page(request, panel.name, "runs/page.html", **_settings(studio), **board, **more)


# -- what is asked for --------------------------------------------------------------------


@panel.router.post("/method")
def choose_method(request: Request, name: str = Form("")) -> Response:
    """Group by another method."""
    set_method(studio_of(request), name)
    return _settings_part(request)


@panel.router.post("/weight")
def weigh(request: Request, column: int = Form(), at: float = Form()) -> Response:
    """Let a column count more or less."""
    set_weight(studio_of(request), column, at)
    return _settings_part(request)


@panel.router.post("/budget")
def choose_budget(request: Request, at: int = Form()) -> Response:
    """Refine for longer or shorter; below 0: as the plan says."""
    if at >= len(TIMES):
        raise ParameterError("There is no such budget.", "Load the page again.")
    studio_of(request).budget = None if at < 0 else TIMES[at]
    return _settings_part(request, changed=False)


def _settings(studio: Studio) -> dict[str, object]:
    plan = studio.plan
    times = budget_of(studio, plan)
    refinable, several = False, [str(plan.method["name"])]
    with suppress(ShoalError):  # worth comparing are the plan's own method and usual ones
        refinable = can_be_refined(plan)
        several = list(dict.fromkeys(each.method for each in settings(plan, k=[KS[0]])))
    return {
        "plan": plan,
        "methods": choices(plan),
        "weights": list(weights(plan)),
        "times": times,
        "budgets": TIMES,
        "at": TIMES.index(times) if times in TIMES else 0,
        "plan_says": plan.refine is not None or plan.bound is not None,
        "can_be_refined": refinable,
        "ks": KS,
        "has_k": any("k" in spec for spec in plan.require),
        "several": several,
    }


def _settings_part(request: Request, *, changed: bool = True) -> Response:
    studio = studio_of(request)
    made = part(request, "runs/settings.html", **_settings(studio))
    if changed:
        made.headers["HX-Trigger"] = PLAN_CHANGED
    return made


# -- runs ---------------------------------------------------------------------------------


@panel.router.post("/start")
def start(request: Request, studio: Here) -> Response:
    """Make a release of the plan as it is now."""
    add_run(studio, studio.plan, budget_of(studio, studio.plan))
    return _board(request)


@panel.router.post("/several")
def start_several(
    request: Request,
    k: Annotated[list[int] | None, Form()] = None,
    method: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Make a release for each k by each method that was chosen."""
    studio = studio_of(request)
    if not k or not method:
        raise ParameterError("Nothing is chosen.", "Choose at least one k and one method.")
    plan = studio.plan
    for each in settings(plan, k, method):
        made = each.plan(plan).model_copy(update={"output": plan.output}).to_dict()
        add_run(studio, Plan.from_dict(made, folder=studio.folder), budget_of(studio, plan))
    return _board(request)


@panel.router.get("/board")
def board(request: Request) -> Response:
    """Show what is open, all cards, and the picture of risk and loss."""
    return _board(request)


@panel.router.get("/compare")
def compare(request: Request, pick: Annotated[list[int] | None, Query()] = None) -> Response:
    """Show two runs side by side."""
    if not pick or len(pick) != 2:
        raise ParameterError("Choose two runs to compare.", "Mark exactly two cards.")
    studio = studio_of(request)
    first, second = (run_of(studio, number) for number in sorted(pick))
    return part(request, "runs/compare.html", **both(first, second))


@panel.router.get("/{number}")
def show_run(request: Request, number: int) -> Response:
    """Show what came of a run."""
    run = run_of(studio_of(request), number)
    assert run.result
    return part(request, "runs/shown.html", run=run, curve=curve(run.job), focus=True)


@panel.router.get("/{number}/progress")
def progress(request: Request, number: int, state: str = "", shown: str = "") -> Response:
    """Say how far a job is; when it has begun or ended, the page is told to look at all of them.

    `state`: how far the page believes it to be.
    `shown`: what the page shows: the rows of a run that is done replace those of another run, but
    no comparison.
    """
    studio = studio_of(request)
    job = studio.queue.job(number)
    run = next((run for run in runs_of(studio) if run.job is job), None)
    made = part(
        request,
        "runs/progress.html",
        job=job,
        curve=curve(job),
        seconds=job.seconds_so_far,
        ended=None if job.is_open else run,
        run=run if run is not None and run.is_done and shown != "compare" else None,
    )
    if job.state.value != state:
        made.headers["HX-Trigger"] = CHANGED
    return made


@panel.router.post("/{number}/stop")
def stop(request: Request, studio: Here, number: int) -> Response:
    """Stop a job, or let it never begin; nothing of it is left."""
    studio.queue.stop(number)
    studio.queue.wait(number, AT_ONCE)
    return _board(request)


@panel.router.post("/{number}/remove")
def remove(request: Request, studio: Here, number: int) -> Response:
    """Throw a run away."""
    studio.queue.remove(run_of(studio, number).job.number)
    return _board(request)


@panel.router.post("/{number}/again")
def use_again(request: Request, studio: Here, number: int) -> Response:
    """Go back to the plan of a run, as a step that can be undone."""
    run = run_of(studio, number)
    studio.replace(lambda data: run.asked)
    studio.budget = run.times
    return _settings_part(request)


@panel.router.post("/{number}/further")
def refine_further(request: Request, studio: Here, number: int) -> Response:
    """Make the same run with the next longer budget."""
    run = run_of(studio, number)
    if run.further is None:
        raise ParameterError("This run cannot be refined further.", "Choose another one.")
    add_run(studio, Plan.from_dict(run.asked, folder=studio.folder), run.further)
    return _board(request)


def _board_context(studio: Studio) -> dict[str, object]:
    open_jobs = [job for job in studio.queue.jobs if job.is_open]
    return {
        "board": Board(runs_of(studio), open_jobs),
        "runs_by_job": {run.job.number: run.number for run in runs_of(studio)},
    }


def _board(request: Request) -> Response:
    return part(request, "runs/board.html", **_board_context(studio_of(request)))


# -- the lattice --------------------------------------------------------------------------


@panel.router.post("/{number}/lattice")
def review(request: Request, studio: Here, number: int) -> Response:
    """Ask for the lattice of a run, unless it is known."""
    run = run_of(studio, number)
    job_request = {"plan": _free(run), "folder": run.job.request["folder"]}
    known = [job for job in studio.queue.of_kind(LATTICE) if dict(job.request) == job_request]
    if known and known[-1].state not in (State.FAILED, State.STOPPED):
        job = known[-1]
    else:
        job = studio.queue.add(LATTICE, job_request)
    return _lattice(request, run, job)


@panel.router.get("/{number}/lattice/{lattice}")
def lattice_state(request: Request, studio: Here, number: int, lattice: int) -> Response:
    """Show the lattice, or how far the look over it is."""
    return _lattice(request, run_of(studio, number), studio.queue.job(lattice))


@panel.router.post("/{number}/lattice/{lattice}/{node}")
def run_node(request: Request, studio: Here, number: int, lattice: int, node: int) -> Response:
    """Make a run with the levels of a node."""
    run, job = run_of(studio, number), studio.queue.job(lattice)
    nodes = (job.result or {}).get("nodes", [])
    if job.kind != LATTICE or not 0 <= node < len(nodes):
        raise ParameterError("There is no such node.", "Show the lattice again.")
    data = _free(run)
    kept = ("objective", "weights", "label")
    settings = {name: data["method"][name] for name in kept if name in data["method"]}
    data["method"] = {**settings, "name": "full-domain", "levels": nodes[node]["levels"]}
    add_run(studio, Plan.from_dict(data, folder=studio.folder), None)
    return _board(request)


def _lattice(request: Request, run: Run, job: Job) -> Response:
    seen, own = job.result, run.result["levels"]
    whole = seen is not None and seen["whole"]
    return part(
        request,
        "runs/lattice.html",
        run=run,
        job=job,
        seen=seen,
        drawing=draw(seen, own) if seen is not None and whole else None,
        others=alternatives(seen, own) if seen is not None and not whole else [],
    )


def _free(run: Run) -> dict[str, dict[str, object]]:
    """Give the plan of a run, with the levels of all columns left to choose."""
    data = run.plan.to_dict()
    data["method"].pop("levels", None)
    return data
