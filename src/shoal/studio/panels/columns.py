"""What the columns are: roles with reasons, people, texts that mean missing, who is unique."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import Form, Request
from fastapi.responses import Response

from shoal.errors import ParameterError
from shoal.studio.loaded import LoadedTable
from shoal.studio.pages import Here, page, part, studio_of
from shoal.studio.panels import Panel, _columns_changes as changes
from shoal.studio.panels._columns_view import view_of
from shoal.table.schema import NO_ENTITY

panel = Panel("columns", 2)

EVERY = Form([])
"""All fields of one name."""


@panel.router.get("")
def show(request: Request) -> Response:
    """Show all columns."""
    return page(request, panel.name, "columns/page.html", view=view_of(studio_of(request)))


@panel.router.get("/risk")
def risk(request: Request, studio: Here) -> Response:
    """Say who is unique, with all quasi-identifiers and without each; put it into the cards."""
    with studio.table.counting:  # who waited here counts for the plan of now
        studio.table.uniqueness(studio.plan)
    return part(request, "columns/risk.html", view=view_of(studio))


@panel.router.post("/{number:int}/role")
def set_role(request: Request, number: int, role: str = Form("")) -> Response:
    """Give a column another role."""
    return _changed(request, number, partial(changes.set_role, role=role))


@panel.router.post("/{number:int}/kind")
def set_kind(request: Request, number: int, kind: str = Form("")) -> Response:
    """Make a quasi-identifier numeric, categorical or a date."""
    return _changed(request, number, partial(changes.set_kind, kind=kind))


@panel.router.post("/{number:int}/proposed")
def put_back(request: Request, number: int) -> Response:
    """Let a column be what was proposed."""
    return _changed(
        request, number, lambda data, table, name: changes.put_back(data, table, [name])
    )


@panel.router.post("/proposed")
def put_all_back(request: Request, studio: Here) -> Response:
    """Let all columns be what was proposed."""
    studio.change(lambda data: changes.put_back(data, studio.table, list(data["columns"])))
    return _shown(request)


@panel.router.post("/entity")
def set_entity(request: Request, studio: Here, entity: str = Form("")) -> Response:
    """Say which column tells people apart, if any."""
    entity_set = entity if entity == NO_ENTITY else _name(request, entity) if entity else None
    studio.change(lambda data: changes.set_entity(data, studio.table, entity_set))
    return _shown(request)


@panel.router.post("/missing")
def set_missing(request: Request, token: str = Form(""), means: str = Form("missing")) -> Response:
    """Say whether a text means missing, in all columns."""
    studio = studio_of(request)
    change = partial(changes.toggle_missing_everywhere, table=studio.table, token=_token(token))
    studio.change(partial(change, means_missing=means == "missing"))
    return _shown(request)


@panel.router.post("/{number:int}/missing")
def set_own_missing(
    request: Request, number: int, token: str = Form(""), means: str = Form("missing")
) -> Response:
    """Say whether a text means missing, in one column."""
    given = _token(token)
    change = partial(changes.toggle_missing, token=given, means_missing=means == "missing")
    return _changed(request, number, change)


@panel.router.post("/{number:int}/prepared")
def set_prepared(
    request: Request,
    number: int,
    age_at: str = Form(""),
    top: str = Form(""),
    bottom: str = Form(""),
    round_to: str = Form(""),
    only: str = Form(""),
) -> Response:
    """Cut numbers off, round them, or count ages; all of it, or only one thing."""
    form = {"age_at": age_at, "top": top, "bottom": bottom, "round_to": round_to}
    wanted = {key: entity_set for key, entity_set in form.items() if only in ("", key)}
    return _changed(request, number, partial(changes.set_prepared, form=wanted))


@panel.router.post("/{number:int}/levels")
def set_levels(
    request: Request, number: int, how: str = Form(""), level: list[str] = EVERY
) -> Response:
    """Draft levels, change them, or do without."""
    if how == "draft":
        return _changed(request, number, changes.draft_levels)
    numbers = [] if how == "none" else level
    return _changed(
        request, number, lambda data, table, name: changes.set_levels(data, name, numbers)
    )


def _changed(
    request: Request, number: int, how: Callable[[dict[str, Any], LoadedTable, str], None]
) -> Response:
    studio = studio_of(request)
    name = _name(request, number)
    studio.change(lambda data: how(data, studio.table, name))
    return _shown(request)


def _shown(request: Request) -> Response:
    return part(request, "columns/list.html", view=view_of(studio_of(request)))


def _name(request: Request, number: int | str) -> str:
    """Find a column by its place in the plan."""
    names: list[str] = list(studio_of(request).history.now["columns"])
    place = int(number) if str(number).isdecimal() else len(names)
    if place >= len(names):
        raise ParameterError("There is no such column.", "Load the page again.")
    return names[place]


def _token(given: str) -> str:
    if not given.strip():
        raise ParameterError("No text was given; an empty cell is always missing.", "Write one.")
    return given
