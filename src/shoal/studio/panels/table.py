"""Which table: dropped, or named; how it was read, its first rows, a profile of each column."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

import numpy as np
from fastapi import Form, Request
from fastapi.responses import Response

from shoal.errors import InputError
from shoal.io import cannot_write
from shoal.studio.pages import go_to, page, part, studio_of
from shoal.studio.panels import Panel

__all__ = ["panel"]

panel = Panel("table", 1, needs_table=False)

FIRST_ROWS = 20


@panel.router.get("")
def show(request: Request) -> Response:
    """Show what is open, or ask for a table."""
    return page(request, panel.name, "table/page.html", **_context(request))


@panel.router.get("/state")
def state(request: Request) -> Response:
    """Say how far a table is that is being read; then show it."""
    studio = studio_of(request)
    if studio.loading is None:
        return go_to(request, "/table")
    return part(request, "table/loading.html", loading=studio.loading)


@panel.router.post("/upload")
async def upload(request: Request) -> Response:
    """Take a file as it comes, without holding it in memory; then read it."""
    studio = studio_of(request)
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
        raise InputError("There is no such file on this machine.", "Give its whole path.")
    studio_of(request).load(named.resolve())
    return go_to(request, "/table")


def _context(request: Request) -> dict[str, object]:
    studio = studio_of(request)
    if not studio.has_table or studio.loading is not None:
        return {"loading": studio.loading, "table": None, "most": request.app.state.most_upload}
    first = studio.table.table.take(np.arange(min(FIRST_ROWS, studio.table.rows)))
    return {
        "loading": None,
        "table": studio.table,
        "most": request.app.state.most_upload,
        "names": first.columns,
        "rows": [list(row) for row in first.frame.iter_rows()],
    }
