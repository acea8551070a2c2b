"""Write Excel files: texts as texts, the same bytes each time, and nothing of who wrote them."""

from __future__ import annotations

import datetime
import io
from pathlib import Path

import polars as pl

from shoal.base.cells import texts
from shoal.base.plural import counted
from shoal.errors import OutputError
from shoal.io.disk import replace_file
from shoal.io.files import PathLike
from shoal.io.frames import Coded
from shoal.io.frames.plain import plain
from shoal.io.whole_numbers import EXACT

ROWS, COLUMNS, LETTERS = 1_048_575, 16_384, 32_767
"""What a sheet holds at most below its header, beside each other, and in a cell."""

SHEET = "table"
_THEN = datetime.datetime(1980, 1, 1)
_OR = "Write CSV or Parquet: format under [output] of a plan."


def write_excel(table: pl.DataFrame | Coded, path: PathLike) -> None:
    """Write a table as the only sheet of an Excel file.

    A column of texts is written as texts, which are never run as formulas. A column of numbers is
    written as numbers where Excel keeps all of them, else as texts. Dates are written as texts,
    such as 2026-01-31. A missing cell is left empty. The bytes depend on the cells only.

    ``path``: the file; replaced whole or not at all.

    Raises `OutputError` if the table has more rows, columns or letters in a cell than Excel takes.
    """
    import xlsxwriter

    coded = table if isinstance(table, Coded) else Coded(plain(table))
    _require_fits(coded)
    made = io.BytesIO()
    book = xlsxwriter.Workbook(made, {"in_memory": True})
    book.set_properties({"created": _THEN})
    sheet = book.add_worksheet(SHEET)
    for place, name in enumerate(coded.columns):
        sheet.write_string(0, place, name)
        cells = plain(coded.cells(name).to_frame()).to_series()
        numbers = _kept(cells)
        write = sheet.write_number if numbers else sheet.write_string
        for row, cell in enumerate(cells if numbers else _checked(texts(cells)), 1):
            if cell is not None:
                write(row, place, cell)
    # Codes made of digits are texts on purpose: no green corners.
    sheet.ignore_errors({"number_stored_as_text": f"A1:XFD{ROWS + 1}"})
    book.close()
    with replace_file(Path(path)) as file:
        file.write(made.getbuffer())


def _require_fits(table: Coded) -> None:
    for found, most, noun in ((table.height, ROWS, "row"), (len(table.columns), COLUMNS, "column")):
        if found > most:
            raise OutputError(
                f"The table has {found:,} {noun}s, but an Excel sheet holds at most {most:,}.", _OR
            )


def _kept(cells: pl.Series) -> bool:
    """Whether all numbers of a column come back from Excel as they are."""
    if cells.dtype.is_integer():
        return bool(cells.is_between(-EXACT, EXACT).all())
    if not cells.dtype.is_float() or cells.dtype == pl.Float32:
        return False
    known = cells.drop_nulls()
    # xlsxwriter writes 16 digits; and there is no sign for infinity, or for no number at all.
    return bool(known.is_finite().all()) and all(float(f"{x:.16G}") == x for x in known.unique())


def _checked(words: pl.Series) -> pl.Series:
    """Refuse texts that are cut off, or come back otherwise."""
    long = int((words.str.len_chars() > LETTERS).sum())
    if long:
        problem = (
            f"Column '{words.name}' has {counted(long, 'text')} of more than {LETTERS:,} "
            "letters, which Excel does not accept."
        )
        raise OutputError(problem, _OR)
    return words
