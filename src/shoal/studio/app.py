"""The application: the gate, the panels and what all of them share; or one report alone."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Form, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from shoal.errors import InputError, ShoalError
from shoal.release import open_release
from shoal.studio.gate import Gate, Keys
from shoal.studio.pages import STATIC, failure, go_to, report_page, studio_of
from shoal.studio.panels import panels
from shoal.studio.studio import Studio
from shoal.studio.texts import LANGUAGES


def build(studio: Studio, *, keys: Keys, port: int, most_upload: int) -> FastAPI:
    """Put the application together.

    `port`: where it will listen.
    `most_upload`: bytes of a table that may be sent.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.state.studio, app.state.keys, app.state.most_upload = studio, keys, most_upload
    app.state.panels = panels()
    app.add_middleware(Gate, keys=keys, port=port, most_upload=most_upload)
    app.mount("/static", _Static(directory=STATIC))
    for panel in app.state.panels:
        app.include_router(panel.router, prefix=f"/{panel.name}")

    @app.get("/")
    def start(request: Request) -> Response:
        return go_to(request, "/columns" if studio.has_table else "/table")

    @app.post("/undo")
    def undo(request: Request) -> Response:
        studio_of(request).undo()
        return _again()

    @app.post("/redo")
    def redo(request: Request) -> Response:
        studio_of(request).redo()
        return _again()

    @app.post("/language")
    def language(request: Request, code: str = Form("")) -> Response:
        studio_of(request).language = code if code in LANGUAGES else "en"
        return _again()

    @app.exception_handler(ShoalError)
    def refused(request: Request, error: ShoalError) -> Response:
        return failure(request, error)

    @app.exception_handler(RequestValidationError)
    def unreadable(request: Request, error: RequestValidationError) -> Response:
        return failure(request, InputError("This cannot be read.", "Load the page again."))

    @app.exception_handler(HTTPException)
    def unknown(request: Request, error: HTTPException) -> Response:
        problem = InputError("There is nothing at this address.", "Choose a step on the left.")
        return failure(request, problem, error.status_code)

    @app.exception_handler(Exception)
    def defect(request: Request, error: Exception) -> Response:
        problem = InputError(
            f"Shoal failed ({type(error).__name__}); this is a defect in Shoal.",
            "Try another step, and report the defect.",
        )
        return failure(request, problem, 500)

    return app


def build_read_only(release: Path, *, keys: Keys, port: int) -> FastAPI:
    """Show the public report of a release; nothing private is served, and nothing changes."""
    open_release(release)  # refuses what is none
    report = release / "report.html"
    if not report.is_file():
        raise InputError(f"'{release}' has no report.", "Make the release again.")
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Gate, keys=keys, port=port, most_upload=0)

    @app.get("/")
    def show() -> Response:
        return report_page(report)

    return app


def _again() -> Response:
    """Let the browser show its page anew."""
    return Response(status_code=204, headers={"HX-Refresh": "true"})


class _Static(StaticFiles):
    """Files that never change under their address, and hold nothing of anybody."""

    def file_response(self, *given: object, **more: object) -> Response:
        made = super().file_response(*given, **more)  # type: ignore[arg-type]
        made.headers["cache-control"] = "private, max-age=31536000, immutable"
        return made
