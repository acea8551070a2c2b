"""Pages and parts of pages: a template, the words of a language, and what all pages show."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from shoal.errors import InputError
from shoal.release.report.rendering import render
from shoal.studio.studio import Studio
from shoal.studio.texts import LANGUAGES, texts

if TYPE_CHECKING:
    from shoal.errors import ShoalError

HERE = Path(__file__).parent
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
)
"""What a report may do: it brings its own style, and nothing else."""

TEMPLATES, STATIC = HERE / "templates", HERE / "static"


def studio_of(request: Request) -> Studio:
    """Give the studio that a request is about."""
    made: Studio = request.app.state.studio
    return made


async def _here(request: Request) -> Studio:  # async: a plain function would have a thread
    return studio_of(request)


async def _sent(request: Request) -> dict[str, str]:
    form = await request.form()
    return {key: value for key, value in form.items() if isinstance(value, str)}


Here = Annotated[Studio, Depends(_here)]
"""The studio, as a parameter of a route."""

Sent = Annotated[dict[str, str], Depends(_sent)]
"""A form whose fields are not known beforehand."""


def page(request: Request, panel: str, template: str, /, **context: Any) -> HTMLResponse:
    """Make a whole page of a panel.

    `panel`: which step it is.
    `template`: in ``templates/``; it extends ``layout.html``.
    """
    return HTMLResponse(_rendered(request, template, panel=panel, **context))


def part(request: Request, template: str, /, **context: Any) -> HTMLResponse:
    """Make a part of a page, which replaces one that is shown."""
    return HTMLResponse(_rendered(request, template, **context))


def go_to(request: Request, place: str) -> Response:
    """Show another page, whether a script asked or the browser itself."""
    if "hx-request" in request.headers:
        return Response(status_code=204, headers={"HX-Redirect": place})
    return RedirectResponse(place, status_code=303)


def report_page(path: Path | None) -> Response:
    """Give the report of a release as it is; it may do nothing but show itself.

    Raises `InputError` if there is none.
    """
    if path is None or not path.is_file():
        raise InputError(
            "This release does not have this report.", "Make it again with this version."
        )
    headers = {"content-security-policy": REPORT_POLICY}
    return FileResponse(path, media_type="text/html; charset=utf-8", headers=headers)


def failure(request: Request, error: ShoalError, status: int = 422) -> HTMLResponse:
    """Say what is wrong and what to do, where the page has its place for that."""
    scripted = "hx-request" in request.headers
    template = "parts/problem.html" if scripted else "problem.html"
    body = _rendered(request, template, panel="", problem=error.problem, hint=error.hint)
    place = {"HX-Retarget": "#message", "HX-Reswap": "innerHTML"} if scripted else {}
    return HTMLResponse(body, status_code=status, headers=place)


def _rendered(request: Request, template: str, **context: Any) -> str:
    studio = studio_of(request)
    words = texts(studio.language)
    return render(
        template,
        TEMPLATES,
        **{
            "t": words,
            "has_text": words.has,
            "lang": words.code,
            "languages": LANGUAGES,
            "studio": studio,
            "panels": request.app.state.panels,
            "forgery": request.app.state.keys.forgery,
            "static": _static,
            **context,
        },
    )


@cache
def _static(name: str) -> str:
    """Give the address of a file that never changes under that address."""
    return f"/static/{name}?{sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"
