"""What reading a file gives."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from shoal.io.dialect import Dialect

__all__ = ["Read"]


@dataclass(frozen=True)
class Read:
    """A table as it was read from a file.

    Parameters
    ----------
    frame
        The table. From CSV, every column is text and an empty cell is the empty text.
    dialect
        How the CSV file is written; ``None`` for Parquet.
    format
        ``"csv"`` or ``"parquet"``.
    """

    frame: pl.DataFrame
    dialect: Dialect | None
    format: str

    def describe(self) -> str:
        """Say how the file was read.

        Examples
        --------
        >>> print(Read(pl.DataFrame({"a": ["1"]}), Dialect(";", "utf-8"), "csv").describe())
        CSV, separator ';', encoding utf-8, quote '"'
        """
        return "Parquet" if self.dialect is None else self.dialect.describe()
