"""`shoal hierarchy`: build, check and show trees of values."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from shoal import hierarchies, io
from shoal.cells import texts
from shoal.cli import show
from shoal.errors import InputError, OutputError, ParameterError, did_you_mean
from shoal.plural import counted
from shoal.schema import Schema, is_missing

__all__ = ["app"]

app = typer.Typer(help="Build, check and show hierarchies.", no_args_is_help=True)


@app.command()
def build(
    table: Annotated[Path, typer.Argument(help="The table.")],
    column: Annotated[str, typer.Argument(help="The column.")],
    builder: Annotated[
        str, typer.Option(help="How: see the list of builders in the docs.")
    ] = "auto",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-p", help="An option of the builder, such as width=10."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write (COLUMN.csv).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Make a hierarchy from a column's values and write it as CSV (leaf;…;root)."""
    made = hierarchies.from_spec(
        {"builder": builder, **dict(_option(text) for text in option or [])}, folder=Path()
    ).build(_values(table, column))
    target = output or Path(f"{column}.csv")
    if target.exists() and not force:
        raise OutputError(f"'{target}' exists.", "Name another file, or add --force.")
    made.to_csv(target)
    show.console().print(f"Wrote {target}: {_facts(made)}.")


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A hierarchy: .csv or .json.")],
    table: Annotated[Path | None, typer.Option(help="A table whose values it must cover.")] = None,
    column: Annotated[str | None, typer.Option(help="The table's column.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")] = False,
) -> None:
    """Say whether a hierarchy is a tree, and whether it covers a column's values."""
    tree = _read(file)
    if (table is None) != (column is None):
        raise ParameterError("--table and --column go together.", "Give both or neither.")
    if table is not None and column is not None:
        hierarchies.check(tree, _values(table, column), column)
    if json:
        facts = {"leaves": tree.n_leaves, "nodes": tree.n_nodes, "height": tree.height}
        show.print_json({"passed": True, **facts})
    else:
        covered = f" and covers column '{column}'" if column else ""
        show.console().print(f"✓ '{file}' is a tree{covered}: {_facts(tree)}.")


@app.command(name="show")
def show_(
    file: Annotated[Path, typer.Argument(help="A hierarchy: .csv or .json.")],
    children: Annotated[int, typer.Option(help="How many children of a node to draw.")] = 12,
) -> None:
    """Draw a hierarchy as a tree."""
    show.console().print(_read(file).show(max_children=children))


def _read(file: Path) -> hierarchies.Hierarchy:
    builder = hierarchies.from_spec(str(file), folder=Path())
    return builder.build(pl.Series([], dtype=pl.String))


def _values(table: Path, column: str) -> pl.Series:
    frame = io.read(table).frame
    if column not in frame.columns:
        raise InputError(f"There is no column '{column}'.", did_you_mean(column, frame.columns))
    values = frame[column]
    return texts(values.filter(~is_missing(values, Schema({}).missing)))


def _option(text: str) -> tuple[str, Any]:
    """Read NAME=VALUE; the value may be JSON, such as a number or a list."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ParameterError(f"The option {text!r} has no value.", "Write it as NAME=VALUE.")
    try:
        return name, json_.loads(value)
    except ValueError:
        return name, value


def _facts(tree: hierarchies.Hierarchy) -> str:
    return (
        f"{counted(tree.n_leaves, 'value')}, {counted(tree.n_nodes, 'node')}, height {tree.height}"
    )
