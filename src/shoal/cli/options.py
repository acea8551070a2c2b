"""Options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
SensitiveTables = Annotated[
    list[Path] | None,
    typer.Option(
        "--sensitive-table",
        help="A table of class ids and sensitive values; repeat it for each sensitive column.",
    ),
]
ClassColumn = Annotated[
    str | None,
    typer.Option(
        "--class",
        metavar="COLUMN",
        help="The class id column of several files (default: detected).",
    ),
]
Manifest = Annotated[
    Path | None,
    typer.Option(help="The release's private folder (default: the one beside the release)."),
]
PlanFile = Annotated[
    Path | None,
    typer.Option(
        help="The plan with roles and hierarchies (default: the one in the release's "
        "private folder)."
    ),
]
Original = Annotated[
    Path | None, typer.Option(help="The original table (default: the plan's input).")
]
