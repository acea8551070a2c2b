"""What reading a file gives."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from shoal.io.dialect import Dialect
from shoal.io.frames import Coded


@dataclass(frozen=True)
class Read:
    """A table as it was read from a file.

    ``table``: the table. From CSV, every column is text and an empty cell is the empty text.
    ``dialect``: how the CSV file is written; ``None`` for other formats.
    ``format``: the name of its format, such as ``"csv"``.
    ``description``: how a file of another format was read.
    """

    table: Coded
    dialect: Dialect | None
    format: str
    description: str = ""

    @property
    def frame(self) -> pl.DataFrame:
        """The table in plain columns."""
        return self.table.frame

    def describe(self) -> str:
        """Say how the file was read.

        >>> print(Read(Coded(pl.DataFrame({"a": ["1"]})), Dialect(";", "utf-8"), "csv").describe())
        CSV, separator ';', encoding utf-8, quote '"'
        """
        told = self.description or self.format
        return told if self.dialect is None else self.dialect.describe()
