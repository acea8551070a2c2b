"""Look over the lattice of a plan whose method chooses a level per column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.plan import Plan
from shoal.steward.comparison.lattice import survey_plan
from shoal.studio.jobs._worker import Reporter


def work(request: dict[str, Any], folder: Path, report: Reporter) -> dict[str, Any]:
    """Give all nodes, or those near the one that is taken.

    `request`: ``plan``, as nested mappings, and ``folder``, where its paths start.
    """
    plan = Plan.from_dict(request["plan"], folder=request["folder"])
    seen = survey_plan(
        plan, around=True, progress=lambda done, total: report.step("group", done, total)
    )
    return {**seen.to_dict(), "columns": list(seen.columns)}
