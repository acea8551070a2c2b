"""Write tables: plain, the same bytes each time, and only the cells of the table."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Collection
from functools import reduce
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

import polars as pl

from shoal.base.cells import all_decimals as with_all_decimals, texts
from shoal.io.decimals import with_comma
from shoal.io.disk import replace_file
from shoal.io.files import PathLike
from shoal.io.formulas import escape
from shoal.io.frames import Coded
from shoal.io.frames.plain import plain

if TYPE_CHECKING:
    import pyarrow as pa

_SLICE = 100_000
_ROW_GROUP = 1 << 20


def write_csv(
    table: pl.DataFrame | Coded,
    path: PathLike,
    *,
    formulas: Literal["escape", "keep"] = "keep",
    separator: str = ",",
    encoding: str = "utf-8",
    decimal_comma: Collection[str] = (),
    all_decimals: Collection[str] = (),
    bare_empty: bool = False,
) -> None:
    r"""Write a table as CSV: a header, ``\n``, one text per value; in UTF-8, with commas.

    A missing cell is written empty. The bytes depend on the cells only.

    ``path``: the file; replaced whole or not at all.
    ``formulas``: ``"escape"`` puts an apostrophe before texts that a spreadsheet would run.
    ``separator``, ``encoding``: another character between cells, and another encoding.
    ``decimal_comma``: columns whose numbers are written with a decimal comma (see
        `shoal.io.decimals`).
    ``all_decimals``: columns whose Decimals keep the zeros at their end, as their type has them.
    ``bare_empty``: write an empty text as nothing, too, instead of ``""``: as it stood in a CSV
        file.
    """
    coded = table if isinstance(table, Coded) else Coded(plain(table))
    change = escape if formulas == "escape" else None
    changes = {name: _changes(change, name in decimal_comma, bare_empty) for name in coded.columns}
    cells = pl.DataFrame(
        [_texts(coded, name, changes[name], name in all_decimals) for name in coded.columns]
    )
    if change is not None:
        cells.columns = change(pl.Series(cells.columns, dtype=pl.String)).to_list()
    if cells.width == 1:
        cells = cells.cast(pl.String).fill_null("")  # written as "", since a blank line is no row
    with replace_file(Path(path)) as file:
        _write_slices(cells, file, separator, encoding)


def unencodable(table: Coded, encoding: str) -> dict[str, int]:
    """Count the cells of each column that an encoding has no signs for; a name counts as one.

    >>> unencodable(Coded(pl.DataFrame({"x": ["a", "α", "α"], "y": [1, 2, 3]})), "cp1252")
    {'x': 2}
    """
    made = {}
    for name in table.columns:
        words = table[name].map(lambda each: texts(plain(each.to_frame()).to_series()))
        bad = [not _encodes(word, encoding) for word in words.values]
        count = int(words.counts[bad].sum()) + (not _encodes(name, encoding))
        if count:
            made[name] = count
    return made


def _encodes(word: str | None, encoding: str) -> bool:
    try:
        (word or "").encode(encoding)
    except UnicodeError:
        return False
    return True


def write_parquet(table: pl.DataFrame | Coded, path: PathLike) -> None:
    """Write a table as Parquet, without metadata and without dictionaries of its past.

    ``path``: the file; replaced whole or not at all.
    """
    import pyarrow.parquet as pq

    coded = table if isinstance(table, Coded) else Coded(plain(table))

    def part(start: int) -> pa.Table:
        rows = slice(start, start + _ROW_GROUP)
        frame = pl.DataFrame([coded.cells(name, rows) for name in coded.columns])
        return plain(frame).to_arrow().replace_schema_metadata(None)

    first = part(0)
    with (
        replace_file(Path(path)) as file,
        pq.ParquetWriter(file, first.schema, compression="zstd", store_schema=False) as writer,
    ):
        for start in range(0, max(coded.height, 1), _ROW_GROUP):
            writer.write_table(part(start) if start else first, row_group_size=_ROW_GROUP)


def _changes(
    escaping: Callable[[pl.Series], pl.Series] | None, comma: bool, bare: bool
) -> Callable[[pl.Series], pl.Series] | None:
    """Escape formulas, then write commas: -5.2 is a number, and -5,2 looks like a formula."""
    steps = [escaping, with_comma if comma else None, _without_empty if bare else None]
    made = [each for each in steps if each is not None]
    return (lambda words: reduce(lambda done, step: step(done), made, words)) if made else None


def _without_empty(words: pl.Series) -> pl.Series:
    return words.set((words == "").fill_null(False), None)


def _texts(
    table: Coded, name: str, change: Callable[[pl.Series], pl.Series] | None, full: bool
) -> pl.Series:
    """Give a column the texts that are written, made once for each value where they are few."""
    write = with_all_decimals if full else texts
    if not table.knows(name) or 8 * len(table[name]) > table.height:
        words = write(plain(table.cells(name).to_frame()).to_series())
        return (words if change is None else change(words)).alias(name)
    found = table[name].map(lambda each: write(plain(each.to_frame()).to_series()))
    return (found if change is None else found.map(change)).enum().alias(name)


def _write_slices(cells: pl.DataFrame, file: IO[bytes], separator: str, encoding: str) -> None:
    """Write slice by slice, so that an error of the disk arrives as it is."""
    encoder = None if encoding == "utf-8" else codecs.getincrementalencoder(encoding)()
    for start in range(0, max(1, cells.height), _SLICE):
        buffer = io.BytesIO()
        cells.slice(start, _SLICE).write_csv(
            buffer, include_header=start == 0, quote_style="necessary", separator=separator
        )
        if encoder is None:
            file.write(buffer.getbuffer())
        else:
            file.write(encoder.encode(buffer.getvalue().decode()))
