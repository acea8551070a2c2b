"""Read a table file of any known format."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from shoal.errors import InputError, ParameterError, did_you_mean
from shoal.io.csvfile import read_csv
from shoal.io.files import PathLike, read_sample
from shoal.io.parquet import MAGIC, read_parquet
from shoal.io.result import Read

__all__ = ["FORMATS", "Read", "read"]

FORMATS = ("csv", "parquet")
_BY_SUFFIX = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def read(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002  the word of plans and command line
    separator: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    max_unpacked: int | None = None,
    categories: Collection[str] | None = (),
    needed: Collection[str] | None = None,
) -> Read:
    r"""Read a table file; its content and its name tell the format.

    Parameters
    ----------
    path
        The file: CSV (``.csv .tsv .txt``, also with ``.gz``) or Parquet.
    format
        ``"csv"`` or ``"parquet"``, where the name does not tell.
    separator, encoding, quote
        How a CSV file is written; what is not given is detected.
    max_unpacked
        Bytes that a packed CSV file may unpack to; 4 GiB if left out.
    categories
        Columns of texts whose values are numbered while they are read (`Read.table`), which is
        quicker where they repeat; ``None``: all. If there are such, others of a CSV file are,
        too, whose values repeat among its first rows.
    needed
        Columns of a CSV file that are needed; others are only named. ``None``: all.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "x.tsv"
    >>> _ = file.write_text("zip\tage\n01234\t7\n")
    >>> read(file).dialect.describe()
    'CSV, separator tab, encoding utf-8, quote \'"\''
    """
    path = Path(path)
    if format is not None and format not in FORMATS:
        raise ParameterError(f"Unknown format '{format}'.", did_you_mean(format, FORMATS))
    head = read_sample(path, 4)[0]
    if format is None:
        format = "parquet" if head == MAGIC else _by_name(path)  # noqa: A001
    if format == "csv":
        return read_csv(
            path,
            separator=separator,
            encoding=encoding,
            quote=quote,
            max_unpacked=max_unpacked,
            categories=categories,
            needed=needed,
        )
    given = {"separator": separator, "encoding": encoding, "quote": quote}
    unused = [name for name, value in given.items() if value is not None]
    if unused:
        problem = f"A Parquet file has no {' and no '.join(unused)}."
        raise ParameterError(problem, "Leave them out, or read a CSV file.")
    return read_parquet(path, categories=categories)


def _by_name(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    found = _BY_SUFFIX.get(suffixes[-1] if suffixes else "")
    if found is None:
        problem = f"The name of '{path.name}' does not tell its format."
        known = ", ".join(_BY_SUFFIX)
        raise InputError(problem, f"Files that end in {known} can be read, also packed (.gz).")
    return found
