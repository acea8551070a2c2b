"""The hierarchy file of ARX: one line per value, leaf first, root last, no header.

All lines have the same number of cells; an uneven tree repeats labels to fill them. Cells may
be quoted with ``"``, doubled inside.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from shoal.base.plural import counted
from shoal.errors import HierarchyError, InputError, OutputError, ParameterError

SEPARATORS = (";", ",", "\t", "|")
"""Separators that are looked for, in this order; ARX writes the first."""

Rows = tuple[list[list[str]], list[int]]


def read_text(path: Path, encoding: str, *, what: str = "hierarchy") -> str:
    """Read a whole file as text, without its byte order mark."""
    try:
        text = path.read_bytes().decode(encoding)
    except OSError as error:
        raise InputError(
            f"The {what} file '{path}' cannot be read ({error.strerror}).",
            "Check the path, which is relative to the plan file.",
        ) from None
    except UnicodeError:
        raise InputError(
            f"The {what} file '{path}' is not encoded in {encoding}.",
            "Save it as UTF-8, or name its encoding.",
        ) from None
    except (LookupError, TypeError):
        raise ParameterError(
            f"encoding '{encoding}' is not known.", "Use for example utf-8 or latin-1."
        ) from None
    except ValueError:  # NUL, or half characters
        raise InputError(
            f"The name of the {what} file, or its encoding, holds invalid characters.",
            "Check the plan.",
        ) from None
    return text.removeprefix("\ufeff")


def read_paths(path: Path, separator: str | None = None, encoding: str = "utf-8") -> Rows:
    r"""Read the paths of a hierarchy file, and the line each one stands on.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "sex.csv")
    >>> _ = file.write_text("Female;*\n\nMale;*\n")
    >>> read_paths(file)
    ([['Female', '*'], ['Male', '*']], [1, 3])
    """
    rows, lines = read_rows(path, separator, encoding)
    if not rows:
        raise HierarchyError(
            "The hierarchy file is empty.", "Write one line per value: leaf, …, root."
        )
    width = len(rows[0])
    for row, line in zip(rows, lines, strict=True):
        if len(row) != width:
            raise HierarchyError(
                f"Line {line} of the hierarchy file has {counted(len(row), 'cell')}, line "
                f"{lines[0]} has "
                f"{width}.",
                "Fill short lines by repeating a label, and quote cells that hold the separator.",
            )
    if width == 1:
        raise HierarchyError(
            "The hierarchy file has a single column.",
            "Write leaf, …, root in each line with ; between them, or name the separator.",
        )
    return rows, lines


def read_rows(
    path: Path, separator: str | None = None, encoding: str = "utf-8", *, what: str = "hierarchy"
) -> Rows:
    """Read the cells of a small file without a header, and the line each row stands on.

    ``what``: what to call the file in a message.
    """
    text = read_text(path, encoding, what=what)
    if separator is None:
        separator = _detect(text)
    _check_separator(separator)
    return _parse(text, separator, what)


def write_rows(
    path: Path, rows: Iterable[Sequence[str]], separator: str = ";", *, what: str = "hierarchy"
) -> None:
    r"""Write rows in the ARX layout, as UTF-8.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "age.csv")
    >>> write_rows(file, [("1;5", "*")])
    >>> file.read_text()
    '"1;5";*\n'
    """
    _check_separator(separator)
    listed = list(rows)
    # Older Pythons leave a lone carriage return unquoted, and it would split the line.
    everything = any("\r" in cell for row in listed for cell in row)
    quoting: Literal[0, 1] = csv.QUOTE_ALL if everything else csv.QUOTE_MINIMAL
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=separator, lineterminator="\n", quoting=quoting).writerows(
                listed
            )
    except OSError as error:
        raise OutputError(
            f"The {what} file '{path}' cannot be written ({error.strerror}).",
            "Check the folder and its permissions.",
        ) from None


def _detect(text: str) -> str:
    """Choose the first separator that cuts every line into equally many cells, at least two."""
    seen = SEPARATORS[0]
    for separator in reversed(SEPARATORS):
        if separator in text:
            seen = separator
    for separator in SEPARATORS:
        if separator not in text:
            continue
        try:
            rows, _ = _parse(text, separator)
        except HierarchyError:
            continue
        widths = {len(row) for row in rows}
        if len(widths) == 1 and widths != {1}:
            return separator
    return seen


def _parse(text: str, separator: str, what: str = "hierarchy") -> Rows:
    rows: list[list[str]] = []
    lines: list[int] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    start = 1
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error:
        raise HierarchyError(
            f"Line {start} of the {what} file has a quoted cell that does not end correctly.",
            'Close every " and write " inside a quoted cell twice.',
        ) from None
    return rows, lines


def _check_separator(separator: str) -> None:
    if not isinstance(separator, str) or len(separator) != 1 or separator in '"\r\n':
        raise ParameterError(
            f"separator must be one character other than a quote or a line end, not {separator!r}.",
            "Such as ; or a comma.",
        )
