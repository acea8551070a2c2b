"""What is promised: requirements with sliders, marked where the table could not hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fastapi import Form, Request
from fastapi.responses import Response

from shoal.base.arguments import require_share
from shoal.errors import ParameterError, ShoalError
from shoal.models import Requirement, from_spec
from shoal.models.exact.shares import allowed
from shoal.plan import Plan
from shoal.plan.applying import specified, with_combination
from shoal.plan.compatibility import Alternative, alternatives
from shoal.plan.plan import UNANSWERED
from shoal.studio.pages import Here, Sent, page, part, studio_of
from shoal.studio.panels import Panel
from shoal.studio.panels._promise_cards import Card, columns_of, drawn, numbers_of, place_of, shown
from shoal.studio.panels._promise_feasible import Verdict, verdict, whole_table
from shoal.studio.panels._promise_levels import levels_of, with_level
from shoal.studio.panels._promise_offers import begin, drafted, offers
from shoal.studio.panels._promise_options import options_of, requirement_of
from shoal.studio.panels._promise_publication import with_form
from shoal.studio.studio import Studio
from shoal.table.schema import NO_ENTITY

panel = Panel("promise", 4)

AT_ONCE = 200_000
"""A table of more rows is counted while the page is there already."""


@panel.router.get("")
def show(request: Request, studio: Here) -> Response:
    """Show what is asked for, and what it means; of a large table in a moment."""
    if studio.table.rows > AT_ONCE:
        return page(request, panel.name, "promise/page.html", later=True)
    return page(request, panel.name, "promise/page.html", later=False, **shown(studio))


@panel.router.get("/content")
def content(request: Request) -> Response:
    """Show what a page left for later."""
    return part(request, "promise/content.html", focus="", **shown(studio_of(request)))


@panel.router.post("/judge/{number}")
def judge(request: Request, studio: Here, number: int, form: Sent) -> Response:
    """Say whether the table could hold what a form asks for; the plan stays as it is.

    It is posted, since a text may be a value, and no address holds any.
    """
    plan = studio.plan
    columns = columns_of(studio, plan)
    requirement = _requirement(studio, plan, number)
    try:
        requirement = requirement_of(requirement, form, columns)
        found = verdict(studio.table, plan, requirement, options_of(requirement, columns))
    except ShoalError as error:
        found = Verdict("wrong", error.problem, error.hint)
    picture = None if found.state == "wrong" else drawn(studio, plan, requirement)
    card = Card(number, requirement, (), found, picture, None, "")
    return part(request, "promise/verdict.html", card=card)


@panel.router.post("/require/{number}")
def require(request: Request, studio: Here, number: int, form: Sent) -> Response:
    """Ask for what a form says."""
    plan = studio.plan
    made = requirement_of(_requirement(studio, plan, number), form, columns_of(studio, plan))
    place = place_of(studio, plan, number)
    return _changed(request, lambda data: _write(data, place, made))


@panel.router.post("/add")
def add(request: Request, studio: Here, model: str = Form("")) -> Response:
    """Ask for one more."""
    plan = studio.plan
    every = [each for family in offers(plan).values() for each in family]
    offer = next((each for each in every if each.name == model), None)
    if offer is None or offer.reason:
        raise ParameterError("This requirement makes no sense here.", "Load the page again.")
    made, levels = begin(studio.table, plan, model)

    def change(data: dict[str, Any]) -> None:
        for name, given in levels.items():
            data["columns"][name]["levels"] = given
        data["require"].append(specified(made))

    return _changed(request, change, focus=lambda numbers: numbers[-1])


@panel.router.post("/remove/{number}")
def remove(request: Request, studio: Here, number: int) -> Response:
    """Ask for it no longer; something must be asked for."""
    place = place_of(studio, studio.plan, number)
    if len(studio.plan.require) < 2:
        raise ParameterError(
            "A plan needs at least one requirement.", "Add another requirement first."
        )
    return _changed(
        request,
        lambda data: data["require"].pop(place),
        focus=lambda numbers: numbers[min(place, len(numbers) - 1)],
    )


@panel.router.post("/levels/{number}")
def levels(
    request: Request, number: int, code: int = Form(-1), level: int = Form(0), draft: str = Form("")
) -> Response:
    """Say how sensitive a value is, or draft the levels of all values from their rarity."""
    studio = studio_of(request)
    plan = studio.plan
    requirement, place = _requirement(studio, plan, number), place_of(studio, plan, number)
    graded = levels_of(studio.table, plan, requirement)
    if graded is None:
        raise ParameterError("This requirement has no levels.", "Load the page again.")
    if draft:
        given, alphas = drafted(studio.table, plan, graded.column, requirement.required_size)
    else:
        given, alphas = with_level(graded, requirement, code, level)

    def change(data: dict[str, Any]) -> None:
        data["columns"][graded.column]["levels"] = given
        made: Requirement = replace(requirement, levels=None, alphas=alphas)  # type: ignore[type-var]
        _write(data, place, made)

    return _changed(request, change)


@panel.router.post("/publication")
def publication(request: Request, form: Sent) -> Response:
    """Publish in another form, or with other options of it."""
    return _changed(request, lambda data: with_form(data, form))


@panel.router.post("/missing")
def missing(request: Request, policy: str = Form("")) -> Response:
    """Say what becomes of missing cells."""
    return _changed(request, lambda data: _publication(data).update(missing=policy))


@panel.router.get("/limit")
def judge_limit(request: Request, limit: str = "") -> Response:
    """Say how many rows a share of them is."""
    rows = studio_of(request).table.rows
    try:
        return part(request, "promise/limit.html", most=allowed(_share(limit), rows), problem="")
    except ShoalError as error:
        return part(request, "promise/limit.html", most=0, problem=f"{error.problem} {error.hint}")


@panel.router.post("/limit")
def set_limit(request: Request, limit: str = Form("")) -> Response:
    """Say how many rows may be left out at most."""
    share = _share(limit)
    return _changed(request, lambda data: _publication(data).update(suppression_limit=share))


@panel.router.post("/people")
def people(request: Request, entity: str = Form(""), linkage: str = Form("")) -> Response:
    """Set the entity column, and how many rows of a person an attacker may know."""
    studio = studio_of(request)
    columns = columns_of(studio, studio.plan)
    entity_set = entity if entity in (UNANSWERED, NO_ENTITY) else columns.name(entity)
    linked = (
        linkage if linkage == "all-rows" and entity_set not in (UNANSWERED, NO_ENTITY) else None
    )

    def change(data: dict[str, Any]) -> None:
        data["entity"] = entity_set
        data.pop("linkage", None)
        if linked:
            data["linkage"] = linked

    return _changed(request, change)


@panel.router.get("/ways")
def show_alternatives(request: Request) -> Response:
    """Find the nearest combinations that can work; that may take a moment."""
    return part(
        request, "promise/alternatives.html", alternatives=_alternatives(studio_of(request))
    )


@panel.router.post("/way/{number}")
def take_alternative(request: Request, studio: Here, number: int) -> Response:
    """Put together what can work."""
    found = _alternatives(studio)
    if not 0 <= number < len(found):
        raise ParameterError("There is no such suggestion.", "Load the page again.")

    def change(data: dict[str, Any]) -> None:
        made = with_combination(data, found[number].combination)
        data.clear()
        data.update(made)

    return _changed(request, change)


def _changed(
    request: Request,
    change: Callable[[dict[str, Any]], object],
    focus: Callable[[list[int]], int] | None = None,
) -> Response:
    """Change the plan, and show the panel anew; the focus stays, or goes to a requirement."""
    studio = studio_of(request)
    numbers_of(studio, studio.plan)
    studio.change(change)
    numbers = numbers_of(studio, studio.plan)
    place = f"r{focus(numbers)}-title" if focus is not None else ""
    return part(request, "promise/content.html", focus=place, **shown(studio))


def _requirement(studio: Studio, plan: Plan, number: int) -> Requirement:
    return from_spec(plan.require[place_of(studio, plan, number)])


def _alternatives(studio: Studio) -> list[Alternative]:
    """Find ways out once for each plan."""
    plan = studio.plan
    try:
        whole, key = whole_table(studio.table, plan)
        schema = whole.schema
    except ShoalError:
        schema, key = None, ""
    requirement = plan.combination()
    return studio.table.keep(
        ("ways", key, repr(requirement)), lambda: alternatives(requirement, schema)
    )


def _write(data: dict[str, Any], place: int, requirement: Requirement) -> None:
    data["require"][place] = specified(requirement)


def _publication(data: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = data.setdefault("publication", {})
    return made


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    require_share("suppression_limit", share, "0.05 is usual: one row in twenty.")
    return share
