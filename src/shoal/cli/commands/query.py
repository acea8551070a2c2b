"""`shoal query`: how many records meet conditions, as a publication tells it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from shoal.cli import show
from shoal.cli.finding import opened_as_named
from shoal.cli.options import AsJson, ClassColumn, SensitiveTables
from shoal.engines import pipeline
from shoal.errors import ParameterError
from shoal.release import query as query_
from shoal.table.table import resolve


def query(
    published: Annotated[Path, typer.Argument(help="A release's folder, or a published file.")],
    where: Annotated[
        list[str], typer.Option(help="A condition, column=value or column=lo..hi; may be repeated.")
    ],
    plan: Annotated[Path | None, typer.Option(help="The plan with roles and hierarchies.")] = None,
    original: Annotated[
        Path | None, typer.Option(help="The original table, to show the true count.")
    ] = None,
    sensitive_table: SensitiveTables = None,
    class_: ClassColumn = None,
    json: AsJson = False,
) -> None:
    """Estimate how many records of a release meet all conditions."""
    opened = opened_as_named(published, plan, None, sensitive_table, class_)
    loaded, source = opened.plan or opened.private_plan, None
    if original is not None:
        if loaded is None:
            raise ParameterError(
                "The original cannot be read without roles and hierarchies.", "Give --plan."
            )
        source, _ = pipeline.read(original, loaded, whole=False)
        opened = replace(opened, roles=resolve(source, opened.schema))
    conditions = query_.read_where(
        where, query_.columns(opened.published, schema=opened.known_schema)
    )
    expected = opened.query(conditions)
    answer: dict[str, float | None] = {"expected": expected}
    if source is not None:
        true = query_.true_count(source, opened.schema, conditions)
        answer |= {"true": true, "relative_error": abs(expected - true) / true if true else None}
    if json:
        show.print_json(answer)
    else:
        _show(answer)


def _show(found: dict[str, float | None]) -> None:
    """Show what a query found."""
    words = {
        "expected": "estimated from the release",
        "true": "counted in the original",
        "relative_error": "the error of the estimate, relative to the count",
    }
    rows = []
    for name, value in found.items():
        text = "not defined" if value is None else show.number(value)
        if name == "relative_error" and value is not None:
            text = f"{value:.1%}"
        rows.append((name.replace("_", " "), text, words[name]))
    show.grid("How many", ("", "", "meaning"), rows)
    if not found["expected"]:
        note = (
            "No published row can meet these conditions. Check that each value is spelt as "
            "published."
        )
        show.console().print(Text(note, style="dim"))
