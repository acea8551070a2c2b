"""Levels: how sensitive each value of a column is, 1 being the most sensitive."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.errors import HierarchyError, InputError, ParameterError
from shoal.hierarchies.csvfile import read_rows, read_text, write_rows

__all__ = ["check_levels", "read_levels", "write_levels"]

_RULE = "A level is a whole number from 1 on; 1 is the most sensitive."


def check_levels(levels: Any) -> None:
    """Refuse what is no table of values and their levels (raises `ParameterError`).

    Examples
    --------
    >>> check_levels({"HIV": 1, "flu": 4})
    >>> check_levels({"HIV": 0})
    Traceback (most recent call last):
    shoal.errors.ParameterError: A level must be a whole number from 1 on, not 0. 1 is the most
    sensitive.
    """
    if not isinstance(levels, Mapping):
        raise ParameterError(
            f"levels must give each value its level, not be a {type(levels).__name__}.",
            "Such as {HIV = 1, Flu = 4}; only [columns.NAME] of a plan may name a file.",
        )
    if not levels:
        raise ParameterError("levels is empty.", "Give each value a level, or leave levels out.")
    for value, level in levels.items():
        if not isinstance(value, str):
            raise ParameterError(
                f"The values of levels must be texts, not {type(value).__name__}.",
                "Write numbers as text, too.",
            )
        if isinstance(level, bool) or not isinstance(level, int) or level < 1:
            raise ParameterError(
                f"A level must be a whole number from 1 on, not {level!r}.",
                "1 is the most sensitive.",
            )


def read_levels(path: str | Path, *, separator: str | None = None) -> dict[str, int]:
    r"""Read a file with a value and its level in each line, no header; or a JSON object.

    Parameters
    ----------
    path
        A ``.csv`` or ``.json`` file, in UTF-8. The missing value is the empty one: ``;3``.
    separator
        One character; found among ``; , tab |`` if not given.

    Raises
    ------
    InputError
        If the file cannot be read or a line is not right; cells are not shown.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "disease.csv")
    >>> _ = file.write_text("HIV;1\nflu;4\n;4\n")
    >>> read_levels(file)
    {'HIV': 1, 'flu': 4, '': 4}
    """
    place = Path(path)
    if place.suffix.lower() == ".json":
        return _read_json(place)
    if place.suffix.lower() != ".csv":
        raise ParameterError(f"A levels file must end in .csv or .json, not '{place.suffix}'.")
    try:
        rows, lines = read_rows(place, separator, what="levels")
    except HierarchyError as error:
        raise InputError(error.problem, error.hint) from None
    if not rows:
        raise InputError("The levels file is empty.", "Write one line per value: value;level.")
    found: dict[str, int] = {}
    first: dict[str, int] = {}
    for row, line in zip(rows, lines, strict=True):
        if len(row) != 2:
            raise InputError(
                f"Line {line} of the levels file has {len(row)} cells, not 2.",
                "Write value;level, and quote a value that holds the separator.",
            )
        value, level = row[0], row[1].strip()
        if not (level.isascii() and level.isdigit() and len(level) < 10 and int(level) >= 1):
            header = " If it is a header, remove it." if line == lines[0] else ""
            raise InputError(f"Line {line} of the levels file has no level.", _RULE + header)
        if value in first:
            raise InputError(
                f"Line {line} of the levels file repeats the value of line {first[value]}.",
                "Keep one of them.",
            )
        found[value], first[value] = int(level), line
    return found


def write_levels(path: Path, levels: Mapping[str, int]) -> None:
    r"""Write levels as a file: the most sensitive first, then by value.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "disease.csv")
    >>> write_levels(file, {"flu": 4, "HIV": 1})
    >>> file.read_text()
    'HIV;1\nflu;4\n'
    """
    ordered = sorted(levels.items(), key=lambda item: (item[1], item[0]))
    write_rows(path, [(value, str(level)) for value, level in ordered], what="levels")


def _read_json(path: Path) -> dict[str, int]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise InputError("A value comes twice in the levels file.", "Keep one of them.")
        return dict(pairs)

    try:
        found = json.loads(read_text(path, "utf-8", what="levels"), object_pairs_hook=unique)
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(
            f"The levels file '{path}' is not JSON{where}.", "Check the brackets and commas there."
        ) from None
    wrong = not isinstance(found, dict) or any(
        isinstance(level, bool) or not isinstance(level, int) or level < 1
        for level in found.values()
    )
    if wrong or not found:
        raise InputError("The levels file must hold an object of values and levels.", _RULE)
    return dict(found)
