"""Read Excel files: texts stay texts, dates become dates, and nothing is guessed."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.errors import InputError, did_you_mean
from shoal.io.files import PathLike, check_unpacked, read_sample
from shoal.io.frames.coded import Coded
from shoal.io.frames.names import check_names
from shoal.io.frames.plain import plain
from shoal.io.result import Read
from shoal.io.whole_numbers import whole_numbers

if TYPE_CHECKING:
    import fastexcel

_ZIP = b"PK\x03\x04"
_OLE = bytes.fromhex("D0CF11E0A1B11AE1")
_WORKBOOK = "xl/workbook.xml"
_DAY_ZERO = (datetime.date(1899, 12, 30), datetime.date(1899, 12, 31))
"""The days of a cell that holds a time alone."""
_MOMENT = r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
_MIDNIGHT = r"^(\d{4}-\d\d-\d\d) 00:00:00$"
_TRUTH = r"^(true|false)$"
_NO_TEXT = rf"{_TRUTH}|^-?\d"


def is_workbook(path: Path, head: bytes) -> bool:
    """Whether a file is an Excel file, or one behind a password."""
    if not head.startswith(_ZIP):
        return False
    import zipfile  # few files get here

    with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as packed:
        return _WORKBOOK in packed.namelist()
    return False


def unpacked_size(path: Path) -> int:
    """Add up what the parts of a file unpack to, as it says itself."""
    import zipfile

    with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as packed:
        return sum(part.file_size for part in packed.infolist())
    return path.stat().st_size


def read_excel(
    path: PathLike,
    *,
    sheet: str | int | None = None,
    max_unpacked: int | None = None,
    categories: Collection[str] | None = (),
    needed: Collection[str] | None = None,
) -> Read:
    """Read one sheet of an Excel file, with the types of its cells.

    A cell that is text stays text, with its leading zeros. A column of numbers, dates or truth
    values is one; of mixed cells each is text. Empty rows and columns around the table are left
    out. The first row that is not empty names the columns. An empty cell, and one whose formula
    failed, is missing.

    ``sheet``: the name of the sheet, or its number from 1 on. Needed where several hold cells.
    ``max_unpacked``: bytes that the file may unpack to; 4 GiB if left out.

    Raises `InputError` if the file is missing, damaged, behind a password or no Excel file, if the
    sheet is not clear, has no rows, an empty row inside, or a column without a name.
    """
    import fastexcel

    path = Path(path)
    head = read_sample(path, len(_OLE))[0]
    if not head:
        raise InputError(f"The file '{path}' is empty.", "Check that it was written.")
    if head == _OLE:
        raise InputError(
            f"'{path}' is protected by a password or in the format of Excel 2003.",
            "Open it in Excel and save it as .xlsx without a password.",
        )
    check_unpacked(path, unpacked_size(path), max_unpacked, kind="Excel")
    try:
        book = fastexcel.read_excel(path)
        with _without_guesses():
            name = _choose(book, sheet, path.name)
            table = _cells(book, name, path.name)
    except fastexcel.FastExcelError:
        raise InputError(
            f"'{path}' is not an Excel file, or it is damaged.",
            "Check the format, or save it again as .xlsx.",
        ) from None
    return Read(table, None, "xlsx", f"Excel, sheet '{name}'")


def _choose(book: fastexcel.ExcelReader, sheet: str | int | None, source: str) -> str:
    """Find the sheet that is meant."""
    names = book.sheet_names
    if isinstance(sheet, str) and sheet in names:
        return sheet
    if sheet is not None:
        number = int(sheet) if str(sheet).isdecimal() else 0
        if 1 <= number <= len(names):
            return str(names[number - 1])
        known = ", ".join(f"'{name}'" for name in names)
        hint = did_you_mean(sheet, names)
        raise InputError(
            f"'{source}' has no sheet {sheet!r}.",
            hint if hint.startswith("Did") else f"It has: {known}.",
        )
    filled = [name for name in names if _load(book, name, rows=1).total_height]
    if not filled:
        raise InputError(f"'{source}' holds no cells.", "Check that it was written.")
    if len(filled) > 1:
        known = ", ".join(f"'{name}'" for name in filled)
        raise InputError(
            f"{len(filled)} sheets of '{source}' hold cells: {known}.",
            "Name the sheet that holds the table: sheet under [input] of a plan, or --sheet.",
        )
    return filled[0]


def _load(book: fastexcel.ExcelReader, name: str, rows: int | None = None) -> fastexcel.ExcelSheet:
    """Take the cells of a sheet as texts, from its first row on."""
    found: Any = book.load_sheet(name, header_row=None, skip_rows=0, n_rows=rows, dtypes="string")
    made: fastexcel.ExcelSheet = found
    return made


def _cells(book: fastexcel.ExcelReader, name: str, source: str) -> Coded:
    """Read the table of a sheet: without what is empty around it, each column with its type."""
    sheet = f"sheet '{name}' of '{source}'"
    words = _load(book, name).to_polars()
    words = words.with_columns(
        pl.when(pl.all().str.strip_chars() == "").then(None).otherwise(pl.all()).name.keep()
    )
    held = pl.any_horizontal(pl.all().is_not_null()) if words.width else pl.lit(False)
    filled = words.select(held).to_series().arg_true()
    if words.is_empty() or not len(filled):
        raise InputError(f"The {sheet} is empty.", "Name another one.")
    first, last = int(filled[0]), int(filled[-1])
    columns = [at for at, each in enumerate(words.iter_columns()) if each.null_count() < len(each)]
    columns = list(range(columns[0], columns[-1] + 1))
    names = [words.to_series(at)[first] or "" for at in columns]
    _require_names(names, sheet)
    check_names(names, sheet)
    if last == first:
        raise InputError(f"The {sheet} has a header and no rows.", "Check that it was written.")
    if len(filled) < last - first + 1:
        inside = next(row for row, at in zip(filled, range(first, last), strict=False) if row != at)
        raise InputError(
            f"The {sheet} has an empty row before row {inside + 1}, inside the table.",
            "Remove it and everything below the table.",
        )
    body = words.slice(first + 1, last - first)
    empty: Any = {at: "string" for at in columns if body.to_series(at).null_count() == body.height}
    found = book.load_sheet(
        name,
        column_names=[f"{at}" for at in range(words.width)],
        skip_rows=first + 1,
        n_rows=last - first,
        schema_sample_rows=None,
        dtypes=empty,
    ).to_polars()
    mixed = _mixed(book, name, found, body, first + 1)
    made, typed = [], {}
    for at, word in zip(columns, names, strict=True):
        cells, kinds = mixed.get(at, (found.to_series(at), None))
        column = partial(_typed, cells, kinds)
        made.append(column(slice(None)).alias(word))
        if at in mixed or made[-1].dtype != pl.String:
            typed[word] = column
    return Coded(plain(pl.DataFrame(made), source=sheet), typed=typed)


def _require_names(names: list[str], sheet: str) -> None:
    """Refuse a header that is merged over several columns."""
    nameless = [str(place) for place, name in enumerate(names, 1) if not name.strip()]
    if nameless:
        raise InputError(
            f"The first row of the {sheet} does not name the columns at position "
            f"{', '.join(nameless)}: its cells are merged, or a title is above the header.",
            "Write one row of names above the cells, each in its own cell.",
        )


def _mixed(
    book: fastexcel.ExcelReader, name: str, found: pl.DataFrame, words: pl.DataFrame, row: int
) -> dict[int, tuple[pl.Series, pl.Series]]:
    """Find the columns that have cells of several kinds: all as texts, and the kind of each."""
    cells = {
        at: words.to_series(at) if column.dtype.is_float() else column
        for at, column in enumerate(found.iter_columns())
        if column.dtype.is_float() or column.dtype == pl.String
    }
    # Where no cell looks like a number, a date or a truth value, all are texts.
    requested = [
        at
        for at, each in cells.items()
        if each.str.contains(_NO_TEXT if found.to_series(at).dtype == pl.String else _TRUTH).any()
    ]

    def taken(dtype: Any, columns: list[int]) -> dict[int, pl.Series]:
        """Say which cells are of a type; no text is, even one of digits."""
        if not columns:
            return {}
        sheet = book.load_sheet(
            name,
            header_row=None,
            skip_rows=row,
            n_rows=words.height,
            use_columns=columns,
            dtypes=dtype,
        ).to_polars()
        return dict(zip(columns, (each.is_not_null() for each in sheet), strict=True))

    logical = taken("boolean", requested)
    spans = taken("duration", [at for at in requested if cells[at].str.contains(_MOMENT).any()])
    made = {}
    for at in requested:
        each = cells[at]
        kinds = pl.select(
            pl.when(each.is_null())
            .then(None)
            .when(spans.get(at, pl.lit(False)))
            .then(pl.lit("date"))
            .when(~logical[at])
            .then(pl.lit("text"))
            .when(each.str.contains(_TRUTH))
            .then(pl.lit("truth"))
            .otherwise(pl.lit("number"))
        ).to_series()
        if (kinds != "text").any():
            made[at] = each, kinds
    return made


def _typed(cells: pl.Series, kinds: pl.Series | None, rows: Any) -> pl.Series:
    """Give the cells of some rows the type that they have by right, whatever the others hold."""
    column = cells[rows] if kinds is None else _of_kinds(cells[rows], kinds[rows])
    if column.null_count() == len(column):
        return column.cast(pl.String)
    if column.dtype.is_float():
        return whole_numbers(column)
    if isinstance(column.dtype, pl.Datetime):
        known = column.drop_nulls()
        if known.dt.date().is_in(_DAY_ZERO).all():
            return column.dt.time()
        if (known.dt.time() == datetime.time(0)).all():
            return column.dt.date()
    return column


def _of_kinds(texts: pl.Series, kinds: pl.Series) -> pl.Series:
    """Read cells that are all of one kind as what they are; else each is text."""
    held = set(kinds.drop_nulls())
    if held == {"date"}:
        return texts.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="ms")
    if held == {"truth"}:
        return texts == "true"
    if held and held <= {"number", "truth"}:
        return texts.replace({"true": "1", "false": "0"}).cast(pl.Float64)
    return texts.str.replace(_MIDNIGHT, "$1").zip_with(kinds == "date", texts)


@contextlib.contextmanager
def _without_guesses() -> Iterator[None]:
    """Keep the reader from saying on standard error that a column may be of any type."""
    import logging

    log = logging.getLogger("fastexcel")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)
