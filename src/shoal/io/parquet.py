"""Read Parquet files: typed columns, dictionaries turned into plain text."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from shoal.errors import InputError
from shoal.io.files import PathLike, read_sample
from shoal.io.frames.convert import arrow_column, is_text
from shoal.io.frames.dictionary import Dictionary
from shoal.io.frames.names import check_names
from shoal.io.frames.parts import Parts, joined
from shoal.io.frames.plain import plain_column
from shoal.io.result import Read

if TYPE_CHECKING:
    import pyarrow as pa

MAGIC = b"PAR1"
ROWS = 1 << 20
"""The number of rows that are unpacked at a time."""


def read_parquet(
    path: PathLike,
    *,
    categories: Collection[str] | None = (),
    needed: Collection[str] | None = None,
) -> Read:
    """Read a Parquet file part by part, with the types it declares; also columns not needed.

    ``categories``: columns of texts whose values are numbered while they are read; ``None``: all.
        Numbers are, where they repeat.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(path)
    source = f"'{path.name}'"
    if not read_sample(path, 4)[0]:
        raise InputError(f"The file '{path}' is empty.", "Check that it was written.")
    try:
        with pq.ParquetFile(path) as file:
            names, rows = file.schema_arrow.names, file.metadata.num_rows
            check_names(names, source)
            kinds = dict(zip(names, file.schema_arrow.types, strict=True))
        texts = {name for name, kind in kinds.items() if is_text(kind)}
        coded = [name for name in texts if categories is None or name in categories]
        columns = {name: Parts(repeats=name not in texts) for name in names}
        with pq.ParquetFile(path, read_dictionary=coded, pre_buffer=False) as file:
            for batch in file.iter_batches(ROWS):
                for name, cells in zip(names, batch.columns, strict=True):
                    columns[name].add(_part(cells, name, source))
    except MemoryError:  # Arrow's own is one of its errors, too
        raise
    except (pa.ArrowException, OSError):
        columns = {}
    if not columns:
        problem = f"'{path}' is not a Parquet file, or it is damaged."
        raise InputError(problem, "Check the format, or write the file again.")
    if rows == 0:
        raise InputError(f"{source} has no rows.", "Check that it was written.")
    pa.default_memory_pool().release_unused()
    return Read(joined(columns, rows, source), None, "parquet", "Parquet")


def _part(cells: pa.Array, name: str, source: str) -> pl.Series | Dictionary:
    """Take a part of a column; what Arrow read as a dictionary stays one."""
    import pyarrow as pa

    if not (pa.types.is_dictionary(cells.type) and is_text(cells.type)):
        return plain_column(arrow_column(cells, name, source), source)
    values = arrow_column(cells.dictionary, name, source)
    values = values.extend(pl.Series(name, [None], dtype=pl.String))
    return Dictionary.by(values, cells.indices.fill_null(len(values) - 1).to_numpy())
