"""A published table on standard output, after it was written and verified elsewhere."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import typer

from shoal.base.plural import counted
from shoal.engines import pipeline
from shoal.engines.pipeline import Report
from shoal.errors import ParameterError
from shoal.plan import Plan


def is_standard_output(path: Path | None) -> bool:
    """Whether somebody asks for the table alone, on standard output."""
    return path is not None and str(path) in ("-", "/dev/stdout")


def write_table(
    plan: Plan, data: Path | None, *, again: Path | None, as_json: bool, progress: Report
) -> None:
    """Make the release in a folder that nobody else can read, and give its table alone.

    What else a release holds is gone afterwards, and a line on standard error says so. Nothing
    goes to standard output before all is verified.
    """
    _require_one_table(plan, as_json)
    with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
        place = Path(folder, "release")
        made = pipeline.run(plan, data=data, output=place, again=again, progress=progress)
        (name,) = made.file_names()
        table = (place / name).read_bytes()
    for text in (*made.remarks, *made.warnings):
        typer.echo(text, err=True)
    typer.echo(
        f"{counted(made.published.coded.height, 'row')} written and verified. Nothing else is "
        "kept; name a folder with --output to get the report, release.json and the private "
        "folder.",
        err=True,
    )
    sys.stdout.buffer.write(table)
    sys.stdout.flush()


def _require_one_table(plan: Plan, as_json: bool) -> None:
    """Refuse, before any work, what standard output cannot hold."""
    if as_json:
        raise ParameterError(
            "The table and JSON cannot both go to standard output.",
            "Leave out --json, or name a folder with --output.",
        )
    if plan.output.format != "csv":
        raise ParameterError(
            f"The plan writes {plan.output.format}, but standard output takes only CSV.",
            "Name a folder with --output, or add --set output.format=csv.",
        )
    how = plan.build_method()
    form = plan.publication.completed(how).build(how)
    tables = form.file_names([n for n, c in plan.columns.items() if c.role == "sensitive"])
    if len(tables) > 1:
        raise ParameterError(
            f"The form {form.name} writes {len(tables)} tables, but standard output takes "
            "only one.",
            "Name a folder with --output.",
        )
