"""Parquet: typed columns, packed."""

from __future__ import annotations

import contextlib
from pathlib import Path

from shoal.io.formats.base import Format
from shoal.io.parquet import MAGIC, read_parquet
from shoal.io.write import write_parquet

PER_CELL = 16.0
"""What a run takes for each cell of a Parquet file, however well it is packed."""

PER_UNPACKED_BYTE = 3.0
"""What it takes besides for each byte of what is packed: a text that does not repeat is kept."""


def _memory(path: Path) -> float:
    """Estimate what a run takes from what the file says of itself."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with contextlib.suppress(pa.ArrowException, OSError):
        metadata = pq.read_metadata(path)
        groups = (metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))
        cells = metadata.num_rows * metadata.num_columns
        return float(PER_CELL * cells + PER_UNPACKED_BYTE * sum(groups))
    return path.stat().st_size * PER_UNPACKED_BYTE


PARQUET = Format(
    name="parquet",
    title="Parquet",
    suffixes=(".parquet", ".pq"),
    fits=lambda head, path: head.startswith(MAGIC),
    read=read_parquet,
    write=write_parquet,
    packages=("pyarrow",),
    extra="arrow",
    memory=_memory,
)
