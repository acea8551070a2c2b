"""Options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["AsJson", "ClassColumn", "Manifest", "Original", "PlanFile", "SensitiveTables"]

AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
SensitiveTables = Annotated[
    list[Path] | None,
    typer.Option(
        "--sensitive-table",
        help="The second file of two, with class ids and sensitive values; may be repeated, "
        "once for each sensitive column.",
    ),
]
ClassColumn = Annotated[
    str | None,
    typer.Option(
        "--class",
        metavar="COLUMN",
        help="Of several files: the class id; found by itself if it can.",
    ),
]
Manifest = Annotated[
    Path | None,
    typer.Option(help="The release's private folder; found by itself beside a release."),
]
PlanFile = Annotated[
    Path | None,
    typer.Option(help="The plan with roles and hierarchies; found beside a release by itself."),
]
Original = Annotated[Path | None, typer.Option(help="The original table, if not the plan's input.")]
