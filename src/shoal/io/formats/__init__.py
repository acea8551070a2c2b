"""Formats of table files: one file per format, found by being here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from shoal.base.members import Members
from shoal.errors import InputError, OutputError, ParameterError, did_you_mean
from shoal.io.files import STANDARD_INPUT
from shoal.io.formats.base import Format as Format

FORMATS: Members[Format] = Members(
    "shoal.io.formats", noun="format", fits=lambda thing: isinstance(thing, Format)
)
"""All formats by name."""


def find_format(path: Path, head: bytes, name: str | None = None) -> Format:
    """Find the format of a file: the one that is named, else by its content, else by its name.

    ``head``: the first bytes of the file, unpacked.
    ``name``: the name of the format, if given.

    Raises `InputError` or `ParameterError` if nothing tells the format, or the named one is
    unknown.

    >>> find_format(Path("people.tsv"), b"age").name
    'csv'
    >>> find_format(Path("people.csv"), b"PAR1").name
    'parquet'
    """
    if name is not None:
        if name not in FORMATS:
            raise ParameterError(f"Unknown format '{name}'.", did_you_mean(name, FORMATS))
        return FORMATS[name]
    found = format_by_content(path, head) or _by_name(path)
    if found is None:
        raise InputError(
            f"The name '{path.name}' does not show the file's format.",
            f"Files that end in {', '.join(table_suffixes())} can be read, and CSV also "
            "compressed (.gz).",
        )
    return found


def format_by_content(path: Path, head: bytes) -> Format | None:
    """Find the format that a file's first bytes tell; ``None`` if they tell none."""
    return next((each for each in _all() if each.fits(head, path)), None)


def table_suffixes() -> list[str]:
    """List how the names of table files end.

    >>> {".csv", ".parquet", ".xlsx", ".sav", ".dta", ".xpt"} <= set(table_suffixes())
    True
    """
    return [suffix for name in FORMATS for suffix in FORMATS[name].suffixes]


def require_no_table(path: str | os.PathLike[str], problem: str, hint: str) -> None:
    """Refuse the name of a table file where something else is written (raises `OutputError`).

    >>> require_no_table("release", "A release is a folder.", "")
    >>> require_no_table("out.xlsx", "A release is a folder.", "Name one.")
    Traceback (most recent call last):
    shoal.errors.OutputError: 'out.xlsx' is the name of a table file. A release is a folder. Name
    one.
    """
    named = Path(path).name.lower().removesuffix(".gz").endswith(tuple(table_suffixes()))
    if named and not Path(path).is_dir():
        raise OutputError(f"'{path}' is the name of a table file. {problem}", hint)


def writer(name: str) -> Format:
    """Give a format that tables can be written in (raises `ParameterError` for others).

    >>> writer("csv").title
    'CSV'
    >>> writer("spss")
    Traceback (most recent call last):
    shoal.errors.ParameterError: Tables cannot be written in the format 'spss'. Known: csv...
    """
    if name in FORMATS and FORMATS[name].write is not None:
        return FORMATS[name]
    known = [each for each in FORMATS if FORMATS[each].write is not None]
    raise ParameterError(
        f"Tables cannot be written in the format {name!r}.", did_you_mean(name, known)
    )


def _by_name(path: Path) -> Format | None:
    if path.name == STANDARD_INPUT:
        return FORMATS["csv"]  # what has no name, and whose content tells nothing, is text
    last = Path(path.name.lower().removesuffix(".gz")).suffix
    return next((each for each in _all() if last in each.suffixes), None)


def _all() -> Iterator[Format]:
    """Give our own formats first: looking for other packages takes longer than all of these."""
    yield from (FORMATS[name] for name in FORMATS.files)
    yield from (FORMATS[name] for name in FORMATS.declared)
