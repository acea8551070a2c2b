"""Read Parquet files: typed columns, dictionaries turned into plain text."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.errors import InputError
from shoal.frames.convert import from_arrow
from shoal.frames.dictionary import Coded
from shoal.frames.names import check_names
from shoal.io.files import PathLike, read_sample
from shoal.io.result import Read

__all__ = ["MAGIC", "read_parquet"]

MAGIC = b"PAR1"


def read_parquet(path: PathLike) -> Read:
    """Read a Parquet file, with the types it declares.

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
    frame: pl.DataFrame = from_arrow(table, source=f"'{path.name}'")
    return Read(Coded(frame), None, "parquet")
