"""Another writer in the place of one of ours, to see what a release does about it."""

from __future__ import annotations

import dataclasses
import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal import io
from shoal.errors import OutputError
from shoal.io.frames import Coded

BLOWS = (OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt())


def write_csv_by(monkeypatch: pytest.MonkeyPatch, write: Callable[..., None]) -> None:
    """Have CSV files written by another function."""
    other = dataclasses.replace(io.FORMATS["csv"], write=write)
    monkeypatch.setitem(io.FORMATS._loaded, "csv", other)


def damage(monkeypatch: pytest.MonkeyPatch, file: str, column: pl.Expr) -> None:
    """Have one CSV file written with another column."""
    write = io.write_csv

    def other(table: Coded, path: Path, **options: Any) -> None:
        wrong = table.frame.with_columns(column)
        write(wrong if path.name == file else table, path, **options)

    write_csv_by(monkeypatch, other)


def is_left_by(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    old: shoal.Release,
    new: shoal.Release,
    file: str,
    blow: BaseException,
) -> None:
    """Let a blow fall where a file of a new release is written: the old one is as it was."""
    old.write(folder / "out")
    before, write = snapshot(folder), io.write_csv

    def fail(table: Coded, path: Path, **options: Any) -> None:
        if path.name == file:
            raise blow
        write(table, path, **options)

    write_csv_by(monkeypatch, fail)
    with pytest.raises(OutputError if isinstance(blow, OSError) else KeyboardInterrupt):
        new.write(folder / "out")
    assert snapshot(folder) == before


def snapshot(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
