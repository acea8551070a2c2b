"""Builder: a hierarchy that someone wrote as a CSV file, in the layout of ARX."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from shoal.table.hierarchies.base import Builder, place
from shoal.table.hierarchies.tree import Hierarchy


@dataclass(frozen=True)
class CsvFile(Builder):
    r"""Read the hierarchy from a file with one line per value: leaf, …, root, no header.

    Choose this when ARX or a colleague made the file. The file alone decides; whether it
    covers the column is asked by `shoal.hierarchies.check`, which can name the column.

    Parameters
    ----------
    path
        The file, as seen from ``folder``.
    separator
        One character; found among ``; , tab |`` if not given.
    encoding
        Encoding of the file.
    folder
        Where a relative path starts; a plan puts its own folder here.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "sex.csv").write_text("Female;*\nMale;*\n")
    >>> CsvFile("sex.csv", folder=folder).build(pl.Series(["Male"]))
    Hierarchy(leaves=2, nodes=3, height=1)
    """

    path: str | Path
    separator: str | None = None
    encoding: str = "utf-8"
    folder: Path = Path()

    name: ClassVar[str] = "csv"
    names_values = False  # the file alone names nodes
    planned: ClassVar[bool] = True

    def build(self, values: pl.Series) -> Hierarchy:
        """Read the file; the values are not looked at."""
        return Hierarchy.from_csv(
            place(self.folder, self.path), separator=self.separator, encoding=self.encoding
        )
