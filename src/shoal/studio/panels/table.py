"""Which table: dropped, or named; how it was read, its first rows, a profile of each column."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from fastapi import Form, Request
from fastapi.responses import Response

from shoal.errors import InputError, ParameterError, ShoalError
from shoal.io import SQL, cannot_write
from shoal.io.sql import remove_connection, safe_address, save_connection, saved_connections
from shoal.studio.loaded import LoadedTable
from shoal.studio.pages import Here, Sent, go_to, page, part, studio_of
from shoal.studio.panels import Panel
from shoal.studio.panels._table_reading import fields_of, reading_of
from shoal.table.schema import is_missing

panel = Panel("table", 1, needs_table=False)

FIRST_ROWS = 20


@panel.router.get("")
def show(request: Request) -> Response:
    """Show what is open, or ask for a table."""
    return page(request, panel.name, "table/page.html", **_context(request))


@panel.router.get("/state")
def state(request: Request) -> Response:
    """Say how far a table is that is being read; then show it."""
    loading = studio_of(request).loading
    if loading is None or loading.failed:
        return go_to(request, "/table")
    return part(request, "table/loading.html", loading=loading)


@panel.router.get("/profiles")
def profiles(request: Request) -> Response:
    """Show what each column is like."""
    table = studio_of(request).table
    return part(request, "table/profiles.html", table=table)


@panel.router.post("/upload")
async def upload(request: Request, studio: Here) -> Response:
    """Take a file as it comes, without holding it in memory; then read it."""
    studio.require_idle()
    place = studio.workspace.place_of(unquote(request.headers.get("x-file-name", "")))
    made = place.with_name(f".{place.name}.part")
    try:
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            async for some in request.stream():
                out.write(some)
        made.replace(place)
    except OSError as error:
        raise cannot_write(place, error) from None
    finally:
        made.unlink(missing_ok=True)
    studio.load(place, within=place.parent)
    return go_to(request, "/table")


@panel.router.post("/open")
def open_path(request: Request, path: str = Form("")) -> Response:
    """Read a file that lies on this machine."""
    named = Path(path.strip()).expanduser()
    if not path.strip() or not named.is_file():
        raise InputError("There is no such file on this machine.", "Give its full path.")
    studio_of(request).load(named.resolve())
    return go_to(request, "/table")


@panel.router.post("/read")
def read_otherwise(request: Request, studio: Here, sent: Sent) -> Response:
    """Read the same file in another way; all else is proposed anew."""
    source = _now_open(request)[0]
    if not isinstance(source, Path):
        raise InputError("No file is open.", "Open one first.")
    own = studio.workspace.uploads
    within = own if source.is_relative_to(own) else None
    studio.load(source, reading=reading_of(sent), within=within)
    return go_to(request, "/table")


@panel.router.post("/stop")
def stop(request: Request) -> Response:
    """Wait no longer for a table."""
    studio_of(request).stop_loading()
    return go_to(request, "/table")


@panel.router.post("/database")
def open_database(
    request: Request,
    connection: str = Form(""),
    url: str = Form(""),
    table: str = Form(""),
    query: str = Form(""),
) -> Response:
    """Read a table of a database, by a saved connection or by its address."""
    if connection:
        address = _saved(connection)[1]
    elif url.strip():
        address = safe_address(url.strip())
    else:
        raise InputError("No database is named.", "Choose a connection, or write its address.")
    source = SQL(address, query.strip() or None, table.strip() or None)
    studio_of(request).load(source)
    return go_to(request, "/table")


@panel.router.post("/connections")
def save(request: Request, name: str = Form(""), url: str = Form("")) -> Response:
    """Save an address under a name."""
    save_connection(name, url)
    return part(request, "table/database.html", **_connections())


@panel.router.post("/connections/remove")
def remove(request: Request, connection: str = Form("")) -> Response:
    """Forget a saved connection."""
    remove_connection(_saved(connection)[0])
    return part(request, "table/database.html", **_connections())


def _saved(number: str) -> tuple[str, Any]:
    """Find a saved connection by its place in the list."""
    known = list(saved_connections().items())
    if not number.isdecimal() or int(number) >= len(known):
        raise ParameterError("This connection is no longer saved.", "Load the page again.")
    return known[int(number)]


def _connections() -> dict[str, Any]:
    try:
        return {"connections": saved_connections(), "broken": None}
    except ShoalError as error:
        return {"connections": {}, "broken": error}


def _now_open(request: Request) -> tuple[Any, Any]:
    """Say which table is, or was to be, open, and how it is to be read."""
    studio = studio_of(request)
    if studio.loading is not None:
        return studio.loading.source, studio.loading.reading
    if studio.has_table:
        return studio.table.source, studio.table.reading
    return None, {}


def _context(request: Request) -> dict[str, Any]:
    studio = studio_of(request)
    loading = studio.loading
    waiting = loading is not None and not loading.failed
    made: dict[str, Any] = {
        "loading": loading,
        "waiting": waiting,
        "table": None,
        "most": request.app.state.most_upload,
        "fields": fields_of(*_now_open(request)),
        **_connections(),
    }
    if studio.has_table and not waiting:
        made |= {"table": studio.table, **_first_rows(studio.table)}
    return made


def _first_rows(table: LoadedTable) -> dict[str, Any]:
    """Give the first rows, with nothing where the plan takes a cell for missing."""
    first = table.table.take(np.arange(min(FIRST_ROWS, table.rows))).frame
    known = [
        cells.set(is_missing(cells, table.plan.missing_of(cells.name)), None)
        if cells.name in table.plan.columns
        else cells
        for cells in first.iter_columns()
    ]
    return {
        "names": first.columns,
        "cells": list(zip(*(each.to_list() for each in known), strict=True)),
    }
