"""Make the release of a plan, as `shoal run` does, and say what came of it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from shoal.engines import pipeline
from shoal.measures._coarseness import coarseness
from shoal.plan import Plan
from shoal.release.report.numbers import level
from shoal.release.report.private.example_rows import ExampleRows
from shoal.release.report.private.margins import Margins
from shoal.steward.comparison.lattice import chooses_levels
from shoal.steward.comparison.point import figures_of
from shoal.studio.jobs._worker import Reporter

RELEASE = "release"
"""The folder of the release, below that of the job."""

ROWS = 8
"""How many rows are shown before and after: the same ones of every run."""


def work(request: dict[str, Any], folder: Path, report: Reporter) -> dict[str, Any]:
    """Make and write the release; say in plain values what pages show of it.

    `request`: ``plan``, as nested mappings, and ``folder``, where its paths start.
    """
    plan = Plan.from_dict(request["plan"], folder=request["folder"])
    made = pipeline.run(plan, output=folder / RELEASE, progress=report.step, watch=report.loss)
    (folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    report.step("show", 0, 1)
    centres = made.published.centres is not None
    rows = np.linspace(0, made.input_rows - 1, min(ROWS, made.input_rows)).astype(np.int64)
    return {
        "figures": figures_of(made),
        "measure": made.publication.cost_measure,
        "achieved": {name: level(found) for name, found in made.verification.achieved.items()},
        "holds": [each.description for each in made.verification.judgements],
        "classes": made.verification.classes,
        "bound": None if made.bound is None else asdict(made.bound),
        "unbounded": made.publication.unbounded or "",
        "refinement": "" if made.refinement is None else made.refinement.describe(),
        "seconds": dict(made.seconds),
        "coarse": {
            name: {"typical": each.typical, "kept": each.kept, "starred": each.starred}
            for name, each in ({} if centres else coarseness(made.pair)).items()
        },
        "margins": asdict(Margins.of(made.pair)),
        "examples": asdict(ExampleRows.of(made, rows.tolist())),
        "chooses_levels": chooses_levels(made.plan),
        "levels": None if made.grouping.levels is None else dict(made.grouping.levels),
        "remarks": [*made.remarks, *made.warnings],
    }
