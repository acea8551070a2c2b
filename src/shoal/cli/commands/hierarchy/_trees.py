"""Trees and values, as people name them: by a file, and by a column of one."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal import io
from shoal.base.cells import texts
from shoal.base.plural import counted
from shoal.errors import InputError, did_you_mean
from shoal.table import hierarchies
from shoal.table.schema import Schema, is_missing


def read(file: Path) -> hierarchies.Hierarchy:
    """Read a hierarchy from a file."""
    builder = hierarchies.from_spec(str(file), folder=Path())
    return builder.build(pl.Series([], dtype=pl.String))


def values(table: Path, column: str) -> pl.Series:
    """Read the known values of a table's column, as texts."""
    frame = io.read(table).frame
    if column not in frame.columns:
        raise InputError(f"There is no column '{column}'.", did_you_mean(column, frame.columns))
    values = frame[column]
    return texts(values.filter(~is_missing(values, Schema({}).missing)))


def facts(tree: hierarchies.Hierarchy) -> str:
    """Say how large a tree is."""
    return (
        f"{counted(tree.n_leaves, 'value')}, {counted(tree.n_nodes, 'node')}, height {tree.height}"
    )
