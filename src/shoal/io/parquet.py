"""Read Parquet files: typed columns, dictionaries turned into plain text."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import polars as pl

from shoal.errors import InputError
from shoal.frames.coded import Coded
from shoal.frames.convert import from_arrow
from shoal.frames.dictionary import Dictionary
from shoal.frames.names import check_names
from shoal.io.files import PathLike, read_sample
from shoal.io.result import Read

__all__ = ["MAGIC", "read_parquet"]

MAGIC = b"PAR1"


def read_parquet(path: PathLike, *, categories: Collection[str] | None = ()) -> Read:
    """Read a Parquet file, with the types it declares.

    Parameters
    ----------
    categories
        Columns of texts that are kept as dictionaries; ``None``: all.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "x.parquet"
    >>> pl.DataFrame({"zip": ["01234"], "age": [7]}).write_parquet(file)
    >>> read_parquet(file).frame.rows()
    [('01234', 7)]
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(path)
    head = read_sample(path, 4)[0]
    if not head:
        raise InputError(f"The file '{path}' is empty.", "Check that it was written.")
    table = None
    if head == MAGIC:
        try:
            with pq.ParquetFile(path) as file:
                check_names(file.schema_arrow.names, f"'{path.name}'")
                table = file.read()
        except (pa.ArrowException, OSError):
            table = None
    if table is None:
        problem = f"'{path}' is not a Parquet file, or it is damaged."
        raise InputError(problem, "Check the format, or write the file again.")
    if table.num_rows == 0:
        raise InputError(f"'{path.name}' has no rows.", "Check that it was written.")
    rows, names, columns = table.num_rows, table.column_names, list(table.columns)
    del table
    made: dict[str, pl.Series | Dictionary | None] = {}
    for name in names:  # one after the other, so that no column is in memory twice for long
        column: pl.Series = from_arrow(
            pa.table({name: columns.pop(0)}), source=f"'{path.name}'"
        ).to_series()
        coded = column.dtype == pl.String and (categories is None or name in categories)
        made[name] = Dictionary.of(column) if coded else column
    return Read(Coded(made, rows), None, "parquet")
