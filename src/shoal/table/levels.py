"""How sensitive the values of a column are: levels, 1 the most sensitive, and degrees."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from shoal.base.arguments import is_number, is_whole
from shoal.base.arrays import Ints
from shoal.base.plural import counted
from shoal.errors import HierarchyError, InputError, ParameterError, a_type
from shoal.table.hierarchies.csvfile import read_rows, read_text, write_rows
from shoal.table.hierarchies.values import as_number

__all__ = [
    "check_degrees",
    "check_levels",
    "levels_of",
    "read_degrees",
    "read_levels",
    "write_levels",
]

_N = TypeVar("_N", int, float)


@dataclass(frozen=True)
class _Kind(Generic[_N]):
    """What a file holds, and how one of its numbers is read: from text, and from JSON."""

    what: str
    one: str
    must: str
    hint: str
    text: Callable[[str], _N | None]
    number: Callable[[Any], _N | None]

    @property
    def rule(self) -> str:
        """What its numbers are."""
        return f"A {self.one} is {self.must}; {self.hint}"


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
    _check(levels, _LEVELS)


def levels_of(labels: Sequence[str | None], levels: Mapping[str, int], what: str) -> Ints:
    """Find the level of each value; one without a level is refused."""
    read = [levels.get(label or "", 0) for label in labels]
    if bare := read.count(0):
        raise ParameterError(
            f"{bare} of {len(read)} {what} have no level.",
            'Give each value a level from 1 (most sensitive) on; "" is the missing value.',
        )
    return np.array(read, dtype=np.int64)


def check_degrees(degrees: Any) -> None:
    """Refuse what is no table of values and their degrees (raises `ParameterError`).

    Examples
    --------
    >>> check_degrees({"HIV": 9.0, "flu": 0})
    >>> check_degrees({"HIV": -1})
    Traceback (most recent call last):
    shoal.errors.ParameterError: A degree must be a finite number of 0 or more, not -1. 0 is
    harmless.
    """
    _check(degrees, _DEGREES)


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
    return _read(Path(path), _LEVELS, separator)


def read_degrees(path: str | Path, *, separator: str | None = None) -> dict[str, float]:
    r"""Read a file with a value and its degree in each line, no header; or a JSON object.

    The arguments and errors are those of `read_levels`.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "disease.csv")
    >>> _ = file.write_text("HIV;9\nflu;0.5\n")
    >>> read_degrees(file)
    {'HIV': 9.0, 'flu': 0.5}
    """
    return _read(Path(path), _DEGREES, separator)


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


def _check(given: Any, kind: _Kind[_N]) -> None:
    what = kind.what
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"{what} must give each value its {kind.one}, not be {a_type(given)}.",
            "Such as {HIV = 1, Flu = 4}; only [columns.NAME] of a plan may name a file.",
        )
    if not given:
        raise ParameterError(f"{what} is empty.", f"Give values a {kind.one}, or leave {what} out.")
    for value, number in given.items():
        if not isinstance(value, str):
            raise ParameterError(
                f"The values of {what} must be texts, not {type(value).__name__}.",
                "Write numbers as text, too.",
            )
        if kind.number(number) is None:
            raise ParameterError(f"A {kind.one} must be {kind.must}, not {number!r}.", kind.hint)


def _read(path: Path, kind: _Kind[_N], separator: str | None) -> dict[str, _N]:
    what = kind.what
    if path.suffix.lower() == ".json":
        return _read_json(path, kind)
    if path.suffix.lower() != ".csv":
        raise ParameterError(
            f"A {what} file must end in .csv or .json, not '{path.suffix}'.",
            "Rename the file, or save it as one of these.",
        )
    try:
        rows, lines = read_rows(path, separator, what=what)
    except HierarchyError as error:
        raise InputError(error.problem, error.hint) from None
    if not rows:
        raise InputError(
            f"The {what} file is empty.", f"Write one line per value: value;{kind.one}."
        )
    found: dict[str, _N] = {}
    first: dict[str, int] = {}
    for row, line in zip(rows, lines, strict=True):
        if len(row) != 2:
            raise InputError(
                f"Line {line} of the {what} file has {counted(len(row), 'cell')}, not 2.",
                f"Write value;{kind.one}, and quote a value that holds the separator.",
            )
        value, number = row[0], kind.text(row[1].strip())
        if number is None:
            header = " If it is a header, remove it." if line == lines[0] else ""
            raise InputError(
                f"Line {line} of the {what} file has no {kind.one}.", kind.rule + header
            )
        if value in first:
            raise InputError(
                f"Line {line} of the {what} file repeats the value of line {first[value]}.",
                "Keep one of them.",
            )
        found[value], first[value] = number, line
    return found


def _read_json(path: Path, kind: _Kind[_N]) -> dict[str, _N]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise InputError(f"A value occurs twice in the {kind.what} file.", "Keep one of them.")
        return dict(pairs)

    try:
        found = json.loads(read_text(path, "utf-8", what=kind.what), object_pairs_hook=unique)
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(
            f"The {kind.what} file '{path}' is not JSON{where}.",
            "Check the brackets and commas there.",
        ) from None
    given = found if isinstance(found, dict) else {}
    read = {v: number for v, each in given.items() if (number := kind.number(each)) is not None}
    if not read or len(read) < len(found):
        raise InputError(
            f"The {kind.what} file must hold an object of values and {kind.what}.", kind.rule
        )
    return read


def _level(given: Any) -> int | None:
    return int(given) if is_whole(given) and given >= 1 else None


def _level_text(text: str) -> int | None:
    return _level(int(text)) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _degree(given: Any) -> float | None:
    return float(given) if is_number(given) and 0 <= given < 1e300 else None


_LEVELS = _Kind(
    "levels", "level", "a whole number from 1 on", "1 is the most sensitive.", _level_text, _level
)
_DEGREES = _Kind(
    "degrees",
    "degree",
    "a finite number of 0 or more",
    "0 is harmless.",
    lambda text: _degree(as_number(text)),
    _degree,
)
