"""`shoal hierarchy show`: a hierarchy as a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.commands.hierarchy._trees import read
from shoal.cli.show import console


def show(
    file: Annotated[Path, typer.Argument(help="A hierarchy: .csv or .json.")],
    children: Annotated[int, typer.Option(help="How many children to draw per node.")] = 12,
) -> None:
    """Draw a hierarchy as a tree."""
    console().print(read(file).show(max_children=children))
