"""Read CSV files: every cell as text, and no row of a wrong width."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import polars as pl

from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.io.dialect import SAMPLE, Dialect, detect_in_sample
from shoal.io.encoding import detect_encoding, first_bad_utf8, to_utf8
from shoal.io.files import PathLike, read_all
from shoal.io.frames.coded import Coded
from shoal.io.frames.dictionary import Dictionary
from shoal.io.frames.names import check_names
from shoal.io.result import Read
from shoal.io.scan import Layout, scan

_BATCH = 50_000
_HEAD = 1_000
"""The number of rows in which repeated values are sought."""


def read_csv(
    path: PathLike,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    max_unpacked: int | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    categories: Collection[str] | None = (),
    needed: Collection[str] | None = None,
) -> Read:
    r"""Read a CSV file, packed or not, with every column as text.

    Codes keep their leading zeros and ``NA`` stays ``NA``. An empty cell is the empty
    text, quoted or not; what counts as missing is decided later. Blank lines are skipped,
    except between the rows of a one-column file, where they could be missing cells.

    The options are those of `shoal.io.read`; ``quote=""`` says that there are no quotes. Columns
    that are not ``needed`` are only named (see `Coded`).

    Raises `InputError` if the file is missing, empty, not text, or holds a row of a wrong width, a
    quote that is not closed, or a column name that is empty or used twice. Rows are named by
    the line they begin on; cells are never quoted.
    """
    path = Path(path)
    raw, compressed = read_all(path, max_unpacked=max_unpacked)
    dialect = detect_in_sample(
        raw[:SAMPLE],
        truncated=len(raw) > SAMPLE,
        compressed=compressed,
        source=path,
        separator=separator,
        encoding=encoding,
        quote=quote,
        decimal=decimal,
        thousands=thousands,
    )
    if encoding is None:
        dialect = _reconsider(raw, dialect, path)
    data = to_utf8(raw, dialect.encoding, source=path.name)
    del raw
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise InputError(
            f"Line {line} of '{path.name}' holds a NUL byte.",
            "The file is damaged or not text: write it again.",
        )
    if not data or data.isspace():
        raise InputError(f"The file '{path}' is empty.", "Check that it was written.")
    found = _read_fast(data, dialect, path.name, categories, needed)
    found = found or _coded(_read_slowly(data, dialect, path.name))
    if found.height == 0:
        raise _no_rows(path.name)
    return Read(found, dialect, "csv")


def _coded(frame: pl.DataFrame, names: Sequence[str] = ()) -> Coded:
    """Take columns that were read as categories as dictionaries; an empty cell is an empty text."""
    columns: dict[str, pl.Series | Dictionary | None] = dict.fromkeys(names)
    for column in frame.iter_columns():
        coded = column.dtype == pl.Categorical
        columns[column.name] = Dictionary.of(column).map(_texts) if coded else _texts(column)
    return Coded(columns, frame.height)


def _texts(column: pl.Series) -> pl.Series:
    made = column.cast(pl.String)
    return made.fill_null("") if made.has_nulls() else made


def _reconsider(raw: bytes, dialect: Dialect, path: Path) -> Dialect:
    """Detect the encoding again if the sample was plain ASCII and the rest is not UTF-8."""
    if dialect.encoding != "utf-8":
        return dialect
    bad = first_bad_utf8(raw)
    if bad is None or not raw[:bad].isascii():
        return dialect
    begin = raw.rfind(b"\n", 0, bad) + 1
    sample = raw[begin : begin + SAMPLE]
    truncated = begin + SAMPLE < len(raw)
    found = detect_encoding(sample, truncated=truncated, source=path.name)
    return replace(dialect, encoding=found.encoding, also_fit=found.also_fit)


def _read_fast(
    data: bytes,
    dialect: Dialect,
    source: str,
    categories: Collection[str] | None,
    needed: Collection[str] | None,
) -> Coded | None:
    """Read with polars after a scan of the widths; ``None`` if quotes need a closer look."""
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        return None
    names, body = _header(data, dialect, source)
    layout = scan(data, body, len(names), dialect.separator, dialect.quote)
    if layout is None:
        return None
    if layout.ragged is not None:
        start, found = layout.ragged
        raise _ragged(data.count(b"\n", 0, start) + 1, len(names), found, source)
    if layout.records == 0:
        raise _no_rows(source)
    if len(names) == 1:
        inner = [start for start, _ in layout.blanks if start < layout.content_end]
        if inner:
            raise _blank(data.count(b"\n", 0, inner[0]) + 1, source)
    read = [at for at, name in enumerate(names) if needed is None or name in needed]
    # A header of one line is skipped; one of several would have to be cut off, as blanks are.
    whole = not layout.blanks and data.count(b"\n", 0, body) == 1
    parse = partial(
        pl.read_csv,
        data if whole else _without_blanks(data, body, layout),
        has_header=False,
        skip_rows=int(whole),
        columns=read or [0],
        infer_schema=False,
        separator=dialect.separator,
        quote_char=dialect.quote if dialect.quote and dialect.quote.encode() in data else None,
    )
    numbered = set(names if categories is None else categories)
    try:
        if numbered and not numbered.issuperset(names[at] for at in read):
            head = parse(schema=dict.fromkeys(names, pl.String), n_rows=_HEAD)
            numbered |= {each.name for each in head.iter_columns() if 2 * each.n_unique() <= _HEAD}
        frame = parse(
            schema={name: pl.Categorical if name in numbered else pl.String for name in names}
        )
    except pl.exceptions.PolarsError:
        return None
    # The two counts come from different code; if they differ, neither is trusted.
    return _coded(frame, names) if frame.height == layout.records else None


def _without_blanks(data: bytes, body: int, layout: Layout) -> bytes:
    begins = [body, *(end for _, end in layout.blanks)]
    ends = [*(start for start, _ in layout.blanks), len(data)]
    return b"".join(data[begin:end] for begin, end in zip(begins, ends, strict=True))


def _header(data: bytes, dialect: Dialect, source: str) -> tuple[list[str], int]:
    """Read the first record; also give the byte where the next one begins."""
    consumed = 0

    def lines() -> Iterator[str]:
        nonlocal consumed
        for line in io.BytesIO(data):
            consumed += len(line)
            yield line.decode()

    for _, record in _records(lines(), dialect, source):
        check_names(record, f"'{source}'")
        return record, consumed
    raise _no_rows(source)


def _read_slowly(data: bytes, dialect: Dialect, source: str) -> pl.DataFrame:
    """Read with Python's own reader, which makes sense of odd quotes and line ends cell by cell."""
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    records = _records(lines, dialect, source)
    line, names = next(records, (0, list[str]()))
    check_names(names, f"'{source}'")
    schema = dict.fromkeys(names, pl.String)
    frames: list[pl.DataFrame] = []
    rows: list[list[str]] = []
    end = line + _line_ends(names[0])
    for line, record in records:
        if len(record) != len(names):
            raise _ragged(line, len(names), len(record), source)
        if len(names) == 1:
            if line > end + 1:
                raise _blank(end + 1, source)
            end = line + _line_ends(record[0])
        rows.append(record)
        if len(rows) == _BATCH:
            frames.append(pl.DataFrame(rows, schema=schema, orient="row"))
            rows = []
    frames.append(pl.DataFrame(rows, schema=schema, orient="row"))
    return pl.concat(frames, rechunk=True)


def _line_ends(cell: str) -> int:
    return cell.count("\n") + cell.count("\r") - cell.count("\r\n")


def _records(
    lines: Iterator[str], dialect: Dialect, source: str
) -> Iterator[tuple[int, list[str]]]:
    """Give the records that are not blank, each with the line it begins on."""
    reader = csv.reader(
        lines,
        delimiter=dialect.separator,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        strict=True,
    )
    line = 1
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise InputError(
                f"In '{source}', the record that begins on line {line} has a quoted cell that "
                "is not closed, or closed before its end.",
                "Repair the quotes of the line, double those inside a cell, or set the quote "
                "character.",
            ) from None
        if record:
            yield line, record
        line = reader.line_num + 1


def _ragged(line: int, expected: int, found: int, source: str) -> InputError:
    return InputError(
        f"Line {line} of '{source}' has {counted(found, 'cell')} where the header has "
        f"{counted(expected, 'column')}.",
        "Repair the line, or name the separator and the quote of the file.",
    )


def _blank(line: int, source: str) -> InputError:
    return InputError(
        f"Line {line} of '{source}', a file of one column, is blank.",
        'Write a missing cell as "", or remove the line.',
    )


def _no_rows(source: str) -> InputError:
    return InputError(f"'{source}' has a header and no rows.", "Check that it was written.")
