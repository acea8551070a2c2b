"""Make the release of a plan, as `shoal run` does, and say what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal import pipeline
from shoal.comparison.point import figures_of
from shoal.plan import Plan
from shoal.studio.jobs._worker import Reporter

__all__ = ["RELEASE", "work"]

RELEASE = "release"
"""The folder of the release, below that of the job."""


def work(asked: dict[str, Any], folder: Path, report: Reporter) -> dict[str, Any]:
    """Make and write the release.

    Parameters
    ----------
    asked
        ``plan``, as nested mappings, and ``folder``, where its paths start.
    """
    plan = Plan.from_dict(asked["plan"], folder=asked["folder"])
    made = pipeline.run(plan, output=folder / RELEASE, progress=report.step, watch=report.loss)
    (folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    return {"figures": figures_of(made)}
