"""`shoal hierarchy build`: a hierarchy from a column's values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli import show
from shoal.cli.commands.hierarchy._trees import facts, values
from shoal.errors import OutputError, ParameterError
from shoal.io import require_no_table
from shoal.table import hierarchies


def build(
    table: Annotated[Path, typer.Argument(help="The table.")],
    column: Annotated[str, typer.Argument(help="The column.")],
    builder: Annotated[str, typer.Option(help="The builder; the docs list all of them.")] = "auto",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-p", help="An option of the builder, such as width=10."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write (default: COLUMN.csv).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Make a hierarchy from a column's values and write it as CSV (leaf;…;root)."""
    if output is not None and output.suffix.lower() not in (".csv", ".txt", ".tsv"):
        require_no_table(output, "A hierarchy must be a CSV file.", f'Such as "{output.stem}.csv".')
    made = hierarchies.from_spec(
        {"builder": builder, **dict(_option(text) for text in option or [])}, folder=Path()
    ).build(values(table, column))
    target = output or Path(f"{column}.csv")
    if target.exists() and not force:
        raise OutputError(f"'{target}' exists.", "Name another file, or add --force.")
    made.to_csv(target)
    show.console().print(f"Wrote {target}: {facts(made)}.")


def _option(text: str) -> tuple[str, Any]:
    """Read NAME=VALUE; the value may be JSON, such as a number or a list."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ParameterError(f"The option {text!r} has no value.", "Write it as NAME=VALUE.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
