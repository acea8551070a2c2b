"""Read files of statistics packages: value labels instead of codes, dates, missing values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from shoal.base.cells import number_text
from shoal.errors import InputError
from shoal.io.encoding import known_encoding
from shoal.io.files import read_sample
from shoal.io.formats.base import Format
from shoal.io.frames.coded import Coded
from shoal.io.frames.names import check_names
from shoal.io.frames.plain import plain
from shoal.io.result import Read
from shoal.io.whole_numbers import whole_numbers

HEAD = 512
"""Bytes that tell which of a package's formats a file has."""

PER_BYTE = 24.0
"""What a run takes for each byte of such a file, which may be packed."""


def read_labelled(
    path: Path,
    *,
    name: str,
    title: str,
    fits: Callable[[bytes, Path], bool],
    reader: Callable[[Path, bytes], str],
    categories: Collection[str] | None = (),
    needed: Collection[str] | None = None,
    encoding: str | None = None,
) -> Read:
    """Read a file of SPSS, Stata or SAS, with the label of each value that has one.

    What a person said to be missing is missing. Dates are dates. Whole numbers are whole.

    ``name``, ``title``: the name of the format, and what people call it.
    ``fits``: whether the first bytes of a file are such a file's.
    ``reader``: which function of pyreadstat reads it.
    ``encoding``: of its texts, where the file says it wrongly.

    Raises `InputError` if the file is missing, empty, damaged or of another format.
    """
    import pyreadstat

    head = read_sample(path, HEAD)[0]
    if not head:
        raise InputError(f"The file '{path}' is empty.", "Check that it was written.")
    if not fits(head, path):
        raise _damaged(path, title)
    read = getattr(pyreadstat, reader(path, head))
    options = {} if encoding is None else {"encoding": known_encoding(encoding)}
    try:
        frame, metadata = read(str(path), output_format="polars", **options)
    except MemoryError:
        raise
    except Exception:  # whatever it says may hold a cell
        raise _damaged(path, title) from None
    check_names(frame.columns, f"'{path.name}'")
    if frame.height == 0:
        raise InputError(f"'{path.name}' has no rows.", "Check that it was written.")
    labels: Mapping[str, Mapping[Any, str]] = metadata.variable_value_labels
    # Which numbers are whole, and which codes need their number beside the label, follows from the
    # rows that are published.
    typed = {
        column.name: partial(_typed, column, labels.get(column.name))
        for column in frame.iter_columns()
        if column.dtype.is_float() or labels.get(column.name)
    }
    made = [typed.get(each.name, each.__getitem__)(slice(None)) for each in frame.iter_columns()]
    table = plain(pl.DataFrame(made), source=f"'{path.name}'")
    return Read(Coded(table, typed=typed), None, name, title)


def _typed(column: pl.Series, labels: Mapping[Any, str] | None, rows: Any) -> pl.Series:
    """Give the cells of some rows, whatever the others hold."""
    return labelled(column[rows], labels) if labels else whole_numbers(column[rows])


def labelled(column: pl.Series, labels: Mapping[Any, str]) -> pl.Series:
    """Write the label of each code instead of it; a code without one stays as it is.

    Two codes stay two values: where they would be written alike, the code follows the label.

    >>> labelled(pl.Series([1.0, 2.0, 3.0, 4.0, None]), {1: "yes", 2: "no", 3: "no"}).to_list()
    ['yes', 'no (2)', 'no (3)', '4', None]
    """
    codes = column.drop_nulls().unique(maintain_order=True).to_list()
    known = {_text(code): label for code, label in labels.items()}
    written = [_text(code) for code in codes]
    # Labels that no cell holds count, too: how a value is written must not depend on other rows.
    alike = Counter([*known.values(), *(text for text in written if text not in known)])
    both = {text: f"{label} ({text})" for text, label in known.items()}
    plain_ones = {text: label for text, label in known.items() if alike[label] == 1}
    names = [plain_ones.get(text, both.get(text, text)) for text in written]
    if len(set(names)) < len(names):
        names = [both.get(text, text) for text in written]
    if not codes:
        return column.cast(pl.String)
    return column.replace_strict(codes, names, default=None, return_dtype=pl.String)


def _text(code: Any) -> str:
    """Write a code; 1 and 1.0 are one."""
    return code if isinstance(code, str) else number_text(code)


def _damaged(path: Path, title: str) -> InputError:
    a = "an" if title.startswith("SP") else "a"
    return InputError(
        f"'{path}' is not {a} {title} file, or it is damaged.",
        "Check the format, or write the file again; if its texts are the cause, set encoding.",
    )


def labelled_format(
    name: str,
    title: str,
    suffixes: Sequence[str],
    fits: Callable[[bytes, Path], bool],
    reader: Callable[[Path, bytes], str],
) -> Format:
    """Describe a format of a statistics package: see `Format` and `read_labelled`."""
    return Format(
        name=name,
        title=title,
        suffixes=suffixes,
        fits=fits,
        read=partial(read_labelled, name=name, title=title, fits=fits, reader=reader),
        options=("encoding",),
        packages=("pyreadstat",),
        memory=lambda path: path.stat().st_size * PER_BYTE,
    )
