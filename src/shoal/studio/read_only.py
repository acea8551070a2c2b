"""One release, to be looked at: its report, behind the same gate, and nothing else."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import Response

from shoal.errors import InputError
from shoal.release import open_release
from shoal.studio.gate import Gate, Keys
from shoal.studio.pages import report_page


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
