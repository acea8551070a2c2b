"""Read a table file of any known format."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from shoal.errors import ParameterError
from shoal.io.files import PathLike, read_sample
from shoal.io.formats import FORMATS, Format, find_format
from shoal.io.result import Read

HEAD = 512
"""Bytes of a file that tell its format."""


def read(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002  the word of plans and command line
    separator: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    max_unpacked: int | None = None,
    sheet: str | int | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    categories: Collection[str] | None = (),
    needed: Collection[str] | None = None,
) -> Read:
    r"""Read a table file; its content and its name tell the format.

    ``path``: the file: CSV (``.csv .tsv .txt``, also with ``.gz``), Parquet, Excel, SPSS, Stata or
        SAS.
    ``format``: ``"csv"``, ``"parquet"``, ``"xlsx"``, ``"spss"``, ``"stata"`` or ``"sas"``, where
        neither the content nor the name tells.
    ``separator``, ``encoding``, ``quote``: how a CSV file is written; what is not given is
        detected. Files of SPSS, Stata and SAS have an encoding, too, which they say themselves.
    ``max_unpacked``: bytes that a packed CSV file or an Excel file may unpack to; 4 GiB if left
        out.
    ``sheet``: the sheet of an Excel file: its name, or its number from 1 on.
    ``decimal``, ``thousands``: the signs in numbers of a CSV file, such as ``","`` and ``"."``.
        Cells are read as they stand; a caller who knows which columns are numbers reads them by
        these (`shoal.io.decimals`).
    ``categories``: columns of texts whose values are numbered while they are read (`Read.table`),
        which is quicker where they repeat; ``None``: all. If there are such, others of a CSV file
        are, too, whose values repeat among its first rows.
    ``needed``: columns of a CSV file that are needed; others are only named. ``None``: all.
    """
    path = Path(path)
    head, _, packed = read_sample(path, HEAD)
    found = find_format(path, head, format)
    given = {
        "separator": separator,
        "encoding": encoding,
        "quote": quote,
        "max_unpacked": max_unpacked,
        "sheet": sheet,
        "decimal": decimal,
        "thousands": thousands,
    }
    _require_options(found, [name for name, value in given.items() if value is not None])
    if packed and "separator" not in found.options:
        raise ParameterError(
            f"{found.a_file} is not read while it is packed with gzip.", "Unpack it first."
        )
    found.require_installed()
    options = {name: given[name] for name in found.options if given[name] is not None}
    return found.read(path, categories=categories, needed=needed, **options)


def format_of(path: PathLike) -> Format:
    r"""Find the format of a table file, by its content or its name; it says how it can be read.

    Raises `InputError` if there is no such file, or nothing tells its format.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = file.write_text("age\n7\n")
    >>> format_of(file).options[:3]
    ('separator', 'encoding', 'quote')
    """
    path = Path(path)
    return find_format(path, read_sample(path, HEAD)[0])


def _require_options(found: Format, given: Collection[str]) -> None:
    """Refuse options that would be ignored; a limit that cannot be passed may be there."""
    unused = [name for name in given if name not in (*found.options, "max_unpacked")]
    if not unused:
        return
    them = "them" if len(unused) > 1 else "it"
    other = next((FORMATS[name] for name in FORMATS if unused[0] in FORMATS[name].options), found)
    raise ParameterError(
        f"{found.a_file} has no {' and no '.join(unused)}.",
        f"Leave {them} out, or read {other.a_file[0].lower()}{other.a_file[1:]}.",
    )
