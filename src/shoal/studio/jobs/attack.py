"""Attack a release as `shoal risk` does, and say what each attack gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.judging.risk import assess
from shoal.release import open_release
from shoal.studio.jobs._worker import Reporter


def work(request: dict[str, Any], folder: Path, report: Reporter) -> dict[str, Any]:
    """Ask everything that can be asked of a release (`request`: ``release``, its folder)."""
    report.step("read", 0, 1)
    opened = open_release(request["release"])
    original = opened.read_original()
    report.step("attack", 0, 1)
    found = assess(
        opened,
        original=original,
        rows=opened.rows,
        trusted=False,  # a file may have changed since
        progress=lambda done, total: report.step("attack", done, total),
    )
    return found.to_dict()
