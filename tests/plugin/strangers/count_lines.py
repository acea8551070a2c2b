"""A command that counts lines."""

from pathlib import Path
from typing import Annotated

import typer


def count_lines(
    path: Annotated[Path, typer.Argument(help="The file.")],
) -> None:
    """Count the lines of a file."""
    print(len(path.read_text(encoding="utf-8").splitlines()))
