"""Open a release that was written before, and recount it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.release import open_release
from shoal.studio.jobs._worker import Reporter


def work(request: dict[str, Any], folder: Path, report: Reporter) -> dict[str, Any]:
    """Recount the files of a release (`request`: ``release``, its folder)."""
    report.step("verify", 0, 1)
    found = open_release(request["release"]).verify()
    return {"passed": found.passed, "reasons": found.reasons()}
