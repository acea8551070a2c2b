"""CSV: texts with a separator between them."""

from __future__ import annotations

from shoal.io.csvfile import read_csv
from shoal.io.formats.base import Format
from shoal.io.write import write_csv

CSV = Format(
    name="csv",
    title="CSV",
    suffixes=(".csv", ".tsv", ".tab", ".txt"),
    fits=lambda head, path: False,  # any text could be one: its name tells
    read=read_csv,
    options=("separator", "encoding", "quote", "max_unpacked", "decimal", "thousands"),
    write=write_csv,
    write_options=(
        "formulas",
        "separator",
        "encoding",
        "decimal_comma",
        "all_decimals",
        "bare_empty",
    ),
    missing_cells="empty",
)
