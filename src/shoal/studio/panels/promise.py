"""What is promised: requirements with sliders, marked where the table could not hold them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends, Form, Request
from fastapi.responses import Response

from shoal import models
from shoal.arguments import require_share
from shoal.compatibility import Way, refusals, ways
from shoal.errors import ParameterError, ShoalError
from shoal.groups import require_linkable
from shoal.missing_policy import POLICIES
from shoal.models import Requirement
from shoal.models.exact.shares import allowed
from shoal.plan import Plan
from shoal.plan.applying import with_combination
from shoal.plan.plan import ASKED
from shoal.release.promise import Promise
from shoal.schema import NO_ENTITY
from shoal.studio.pages import page, part, studio_of
from shoal.studio.panels import Panel
from shoal.studio.panels._promise_feasible import Slider, Verdict, slider, verdict, whole_table
from shoal.studio.panels._promise_levels import Levels, levels_of, with_level
from shoal.studio.panels._promise_offers import begin, drafted, offers
from shoal.studio.panels._promise_options import Columns, Option, options_of, requirement_of
from shoal.studio.panels._promise_picture import Shoal, shoal_of
from shoal.studio.panels._promise_publication import forms, with_form
from shoal.studio.studio import Studio

__all__ = ["panel"]

panel = Panel("promise", 4)


@dataclass(frozen=True)
class Card:
    """A requirement as the page shows it."""

    place: int
    requirement: Requirement
    options: Sequence[tuple[Option, Slider | None]]
    verdict: Verdict
    shoal: Shoal | None
    levels: Levels | None
    first_line: str


async def _sent(request: Request) -> dict[str, str]:
    """Read a form whose controls depend on the requirement."""
    return {name: str(value) for name, value in (await request.form()).items()}


Sent = Annotated[dict[str, str], Depends(_sent)]


@panel.router.get("")
def show(request: Request) -> Response:
    """Show what is asked for, and what it means."""
    return page(request, panel.name, "promise/page.html", **_context(studio_of(request)))


@panel.router.post("/judge/{place}")
def judge(request: Request, place: int, form: Sent) -> Response:
    """Say whether the table could hold what a form asks for; the plan stays as it is.

    It is posted, since a text may be a value, and no address holds any.
    """
    studio = studio_of(request)
    plan = studio.plan
    columns = _columns(studio, plan)
    asked = _requirement(plan, place)
    try:
        asked = requirement_of(asked, form, columns)
        found = verdict(studio.table, plan, asked, options_of(asked, columns))
    except ShoalError as error:
        found = Verdict("wrong", error.problem, error.hint)
    drawn = None if found.state == "wrong" else _shoal(studio, plan, asked)
    card = Card(place, asked, (), found, drawn, None, "")
    return part(request, "promise/verdict.html", card=card)


@panel.router.post("/require/{place}")
def require(request: Request, place: int, form: Sent) -> Response:
    """Ask for what a form says."""
    studio = studio_of(request)
    plan = studio.plan
    made = requirement_of(_requirement(plan, place), form, _columns(studio, plan))
    return _changed(request, lambda data: _write(data, place, made))


@panel.router.post("/add")
def add(request: Request, model: str = Form("")) -> Response:
    """Ask for one more."""
    studio = studio_of(request)
    plan = studio.plan
    every = [each for family in offers(plan).values() for each in family]
    offer = next((each for each in every if each.name == model), None)
    if offer is None or offer.reason:
        raise ParameterError("This requirement makes no sense here.", "Load the page again.")
    made, levels = begin(studio.table, plan, model)

    def change(data: dict[str, Any]) -> None:
        for name, given in levels.items():
            data["columns"][name]["levels"] = given
        data["require"].append(_spec(made))

    return _changed(request, change, focus=f"r{len(plan.require)}-title")


@panel.router.post("/remove/{place}")
def remove(request: Request, place: int) -> Response:
    """Ask for it no longer; something must be asked for."""
    studio = studio_of(request)
    _requirement(studio.plan, place)
    if len(studio.plan.require) < 2:
        raise ParameterError("A plan must ask for something.", "Add another requirement first.")
    near = f"r{min(place, len(studio.plan.require) - 2)}-title"
    return _changed(request, lambda data: data["require"].pop(place), focus=near)


@panel.router.post("/levels/{place}")
def levels(
    request: Request, place: int, code: int = Form(-1), level: int = Form(0), draft: str = Form("")
) -> Response:
    """Say how sensitive a value is, or draft the levels of all values from their rarity."""
    studio = studio_of(request)
    plan = studio.plan
    asked = _requirement(plan, place)
    shown = levels_of(studio.table, plan, asked)
    if shown is None:
        raise ParameterError("This requirement has no levels.", "Load the page again.")
    if draft:
        given, alphas = drafted(studio.table, plan, shown.column, asked.asked_size)
    else:
        given, alphas = with_level(shown, asked, code, level)

    def change(data: dict[str, Any]) -> None:
        data["columns"][shown.column]["levels"] = given
        made: Requirement = replace(asked, levels=None, alphas=alphas)  # type: ignore[type-var]
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
    """Say who has several rows, and how many of them an outsider may know."""
    studio = studio_of(request)
    columns = _columns(studio, studio.plan)
    said = entity if entity in (ASKED, NO_ENTITY) else columns.name(entity)
    linked = linkage if linkage == "all-rows" and said not in (ASKED, NO_ENTITY) else None

    def change(data: dict[str, Any]) -> None:
        data["entity"] = said
        data.pop("linkage", None)
        if linked:
            data["linkage"] = linked

    return _changed(request, change)


@panel.router.get("/ways")
def show_ways(request: Request) -> Response:
    """Find the nearest combinations that can work; that may take a moment."""
    return part(request, "promise/ways.html", ways=_ways(studio_of(request)))


@panel.router.post("/way/{number}")
def take_way(request: Request, number: int) -> Response:
    """Put together what can work."""
    studio = studio_of(request)
    found = _ways(studio)
    if not 0 <= number < len(found):
        raise ParameterError("There is no such way.", "Load the page again.")

    def change(data: dict[str, Any]) -> None:
        made = with_combination(data, found[number].combination)
        data.clear()
        data.update(made)

    return _changed(request, change)


def _changed(
    request: Request, change: Callable[[dict[str, Any]], object], focus: str = ""
) -> Response:
    """Change the plan, and show the panel anew; the focus stays, or goes where it should."""
    studio = studio_of(request)
    studio.change(change)
    return part(request, "promise/content.html", focus=focus, **_context(studio))


def _context(studio: Studio) -> dict[str, Any]:
    plan = studio.plan
    problem: ShoalError | None = None
    whole = None
    try:
        whole, _ = whole_table(studio.table, plan)
    except ShoalError as error:
        problem = error
    roles = {name: column.role.value for name, column in plan.columns.items()}
    counts = "rows" if plan.entity in (None, ASKED, NO_ENTITY) else "people"
    combination = plan.combination()
    sensitive = [name for name, role in roles.items() if role == "sensitive"]
    return {
        "cards": [_card(studio, plan, place) for place in range(len(plan.require))],
        "problem": problem,
        "offers": offers(plan),
        "promise": Promise.of(
            [_bound(whole, each) for each in plan.requirements()],
            counts=counts,
            sensitive=sensitive,
            exact=combination.publication.exact,
        ),
        "counts": counts,
        "entity": plan.entity,
        "linkage": plan.linkage or "any-row",
        "identifiers": [
            (place, name) for place, name in enumerate(roles) if roles[name] == "identifier"
        ],
        "refused": _refused(plan, None if whole is None else whole.schema),
        "method": combination.method.name,
        "follows": combination.follows,
        "form": combination.publication,
        "forms": forms(combination, None if whole is None else whole.schema),
        "policies": POLICIES,
        "policy": combination.missing,
        "limit": plan.publication.suppression_limit,
        "limit_rows": allowed(plan.publication.suppression_limit, studio.table.rows),
        "rows": studio.table.rows,
    }


def _card(studio: Studio, plan: Plan, place: int) -> Card:
    asked = _requirement(plan, place)
    options = options_of(asked, _columns(studio, plan))
    found = verdict(studio.table, plan, asked, options)
    with_sliders = [
        (each, slider(studio.table, plan, asked, each) if each.kind == "number" else None)
        for each in options
    ]
    shown = levels_of(studio.table, plan, asked)
    line = (type(asked).__doc__ or asked.describe()).strip().splitlines()[0]
    return Card(place, asked, with_sliders, found, _shoal(studio, plan, asked), shown, line)


def _shoal(studio: Studio, plan: Plan, asked: Requirement) -> Shoal | None:
    try:
        whole, _ = whole_table(studio.table, plan, [asked])
    except ShoalError:
        whole = None
    return shoal_of(asked, whole)


def _bound(whole: Any, requirement: Requirement) -> Requirement:
    """Fill in what columns say, if they do."""
    try:
        made: Requirement = requirement if whole is None else whole.bound(requirement)
    except ShoalError:
        return requirement
    return made


def _refused(plan: Plan, schema: Any) -> list[str]:
    """Say why what the plan puts together cannot work."""
    found = [each.problem for each in refusals(plan.combination(), schema)]
    if schema is not None:
        try:
            require_linkable(
                schema,
                plan.requirements(),
                plan.build_method(),
                refined=plan.refine is not None,
                blocks=isinstance(plan.blocks, int) and plan.blocks > 1,
            )
        except ShoalError as error:
            found.append(str(error))
    return list(dict.fromkeys(found))


def _ways(studio: Studio) -> list[Way]:
    """Find ways out once for each plan."""
    plan = studio.plan
    try:
        whole, key = whole_table(studio.table, plan)
        schema = whole.schema
    except ShoalError:
        schema, key = None, ""
    asked = plan.combination()
    return studio.table.keep(("ways", key, repr(asked)), lambda: ways(asked, schema))


def _columns(studio: Studio, plan: Plan) -> Columns:
    def values(column: str | None) -> Sequence[str | None]:
        try:
            whole, _ = whole_table(studio.table, plan)
            return whole.group.histogram(column)[1].labels
        except ShoalError:
            return ()

    return Columns({name: column.role.value for name, column in plan.columns.items()}, values)


def _requirement(plan: Plan, place: int) -> Requirement:
    if not 0 <= place < len(plan.require):
        raise ParameterError("There is no such requirement.", "Load the page again.")
    return models.from_spec(plan.require[place])


def _spec(requirement: Requirement) -> dict[str, Any]:
    """Write a requirement as a plan's table; TOML has no null."""
    return {name: value for name, value in requirement.to_spec().items() if value is not None}


def _write(data: dict[str, Any], place: int, requirement: Requirement) -> None:
    data["require"][place] = _spec(requirement)


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
