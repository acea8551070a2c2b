"""What is released: both reports, the files, and the plan that makes them again."""

from __future__ import annotations

from pathlib import Path

from fastapi import Form, Request
from fastapi.responses import FileResponse, Response

from shoal.errors import InputError, ParameterError
from shoal.release.copying import copy_release
from shoal.studio.pages import Here, go_to, page, part, report_page, studio_of
from shoal.studio.panels import Panel
from shoal.studio.releases import release_of, releases

panel = Panel("release", 7, needs_table=False)


@panel.router.get("")
def newest(request: Request) -> Response:
    """Show the newest release, or say that there is none."""
    known = releases(studio_of(request))
    if known:
        return go_to(request, f"/release/{known[0].number}")
    return page(request, panel.name, "release/page.html", known=[], shown=None)


@panel.router.get("/{number}")
def show(request: Request, studio: Here, number: int) -> Response:
    """Show a release."""
    shown = release_of(studio, number)
    return page(request, panel.name, "release/page.html", known=releases(studio), shown=shown)


@panel.router.get("/{number}/report")
def report(request: Request, number: int) -> Response:
    """Show the page that may go out."""
    return report_page(release_of(studio_of(request), number).report)


@panel.router.get("/{number}/private-report")
def private_report(request: Request, number: int) -> Response:
    """Show the private report."""
    return report_page(release_of(studio_of(request), number).private_report)


@panel.router.get("/{number}/file/{place}")
def file(request: Request, number: int, place: int) -> Response:
    """Give a file that may go out."""
    shown = release_of(studio_of(request), number)
    if not 0 <= place < len(shown.files):
        raise ParameterError("There is no such file.", "Load the page again.")
    path = shown.files[place]
    return FileResponse(path, media_type="application/octet-stream", filename=path.name)


@panel.router.get("/{number}/plan")
def plan(request: Request, number: int) -> Response:
    """Give the plan of a release as a file."""
    text = release_of(studio_of(request), number).plan_text
    if text is None:
        raise InputError(
            "The plan of this release is unknown.", "It is in the release's private folder."
        )
    headers = {"content-disposition": 'attachment; filename="plan.toml"'}
    return Response(text, media_type="application/toml; charset=utf-8", headers=headers)


@panel.router.post("/{number}/keep")
def keep(request: Request, number: int, folder: str = Form("")) -> Response:
    """Copy a release and its private folder to a place that stays."""
    shown = release_of(studio_of(request), number)
    place = Path(folder.strip()).expanduser()
    if not folder.strip() or not place.is_absolute():
        raise InputError("A folder must be given by its full path.", "Such as ~/releases/spring.")
    kept = copy_release(shown.folder, place)
    return part(request, "release/kept.html", kept=kept)
