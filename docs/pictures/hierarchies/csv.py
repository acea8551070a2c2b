"""csv: a line per value, from the leaf to the root."""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl

from docs.pictures.hierarchies._built import built
from shoal.table.hierarchies import CsvFile

LINES = ("civil;married;*", "church;married;*", "single;single;*")


def draw() -> str:
    """Draw the lines of a file, and the tree that it describes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "marital.csv"
        path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
        tree = CsvFile(path).build(pl.Series(["civil"]))
    return built(
        "The builder csv",
        "A csv file has a line per value, from the leaf to the root, and a label that follows "
        "itself counts once.",
        LINES,
        tree,
        head="The lines of the file",
        step=48,
    )
