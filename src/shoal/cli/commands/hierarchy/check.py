"""`shoal hierarchy check`: whether a file is a tree that covers a column."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import show
from shoal.cli.commands.hierarchy._trees import facts, read, values
from shoal.cli.options import AsJson
from shoal.errors import ParameterError
from shoal.table import hierarchies


def check(
    file: Annotated[Path, typer.Argument(help="A hierarchy: .csv or .json.")],
    table: Annotated[Path | None, typer.Option(help="A table whose values it must cover.")] = None,
    column: Annotated[str | None, typer.Option(help="The table's column.")] = None,
    json: AsJson = False,
) -> None:
    """Check that a hierarchy is a tree and covers a column's values."""
    tree = read(file)
    if (table is None) != (column is None):
        raise ParameterError("--table and --column go together.", "Give both or neither.")
    if table is not None and column is not None:
        hierarchies.check(tree, values(table, column), column)
    if json:
        sizes = {"leaves": tree.n_leaves, "nodes": tree.n_nodes, "height": tree.height}
        show.print_json({"passed": True, **sizes})
    else:
        covered = f" and covers column '{column}'" if column else ""
        show.console().print(f"✓ '{file}' is a tree{covered}: {facts(tree)}.")
