"""Open input files: missing, unreadable, empty and compressed ones are told apart here."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from shoal.errors import InputError, ParameterError

PathLike = str | os.PathLike[str]

MAX_UNPACKED = 4 << 30
"""Bytes that a packed file may unpack to, unless somebody says more."""

STANDARD_INPUT = "-"
"""What standard input is called, and so the file that is made of it."""

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20


def read_sample(path: PathLike, size: int) -> tuple[bytes, bool, bool]:
    """Read the first ``size`` bytes, unpacked; say if there is more and if it was packed."""
    data, compressed = _read(path, size + 1)
    return data[:size], len(data) > size, compressed


def read_all(path: PathLike, *, max_unpacked: int | None = None) -> tuple[bytes, bool]:
    """Read a whole file, unpacked; say if it was packed.

    ``max_unpacked``: bytes that a packed file may unpack to, `MAX_UNPACKED` if left out. A small
        file can unpack to more than any memory holds, so it is measured before it is kept.
    """
    return _read(path, -1, _limit(max_unpacked))


def check_unpacked(path: Path, size: int, max_unpacked: int | None, *, kind: str) -> None:
    """Refuse a file that unpacks to more than the limit (raises `InputError`)."""
    limit = _limit(max_unpacked)
    if size > limit:
        raise InputError(
            f"The {kind} file '{path}' unpacks to more than {limit:,} bytes, the limit "
            "max_unpacked.",
            "If you trust it, raise max_unpacked (under [input] of a plan, or "
            "--max-unpacked), or unpack it yourself.",
        )


def _limit(max_unpacked: int | None) -> int:
    limit = MAX_UNPACKED if max_unpacked is None else max_unpacked
    if limit < 1:
        raise ParameterError("max_unpacked must be a number of bytes.", "Such as 8_000_000_000.")
    return limit


def _read(path: PathLike, size: int, limit: int = MAX_UNPACKED) -> tuple[bytes, bool]:
    path = Path(path)
    try:
        if path.is_dir():
            raise InputError(f"'{path}' is a folder, not a file.", "Name the table file inside it.")
        with path.open("rb") as file:
            compressed = file.read(2) == _GZIP
            file.seek(0)
            if not compressed:
                # Opened anew: what is in the buffer by now would have to be joined to the rest.
                return (path.read_bytes() if size < 0 else file.read(size)), False
            if size < 0:
                _measure(file, limit, path)
                file.seek(0)
            with _opened(file, path) as packed:
                return packed.read(size), True
    except FileNotFoundError:
        if _ADDRESS.match(str(path)):
            from shoal.io.formats import table_suffixes  # formats are read with this module

            known = ", ".join(table_suffixes())
            problem = f"'{path}' is a web address, but tables are read from files."
            hint = f"Download it first, then name the file: {known} can be read."
            raise InputError(problem, hint) from None
        problem = f"There is no file '{path}'."
        raise InputError(problem, "Check the name and the folder.") from None
    except OSError as error:
        problem = f"The file '{path}' cannot be read: {error.strerror or 'unknown reason'}."
        raise InputError(problem, "Check its permissions and the disk.") from None
    except ValueError:  # NUL, or halves of characters
        problem = "The name of the file holds characters that no file name can have."
        raise InputError(problem, "Check the name and the folder.") from None


def _measure(file: IO[Any], limit: int, path: Path) -> None:
    """Refuse a file that unpacks to more than the limit, keeping nothing of it."""
    size = 0
    with _opened(file, path) as packed:
        while chunk := packed.read(_CHUNK):
            size += len(chunk)
            check_unpacked(path, size, limit, kind="gzip")


@contextlib.contextmanager
def _opened(file: IO[Any], path: Path) -> Iterator[gzip.GzipFile]:
    try:
        with gzip.GzipFile(fileobj=file) as packed:
            yield packed
    except (gzip.BadGzipFile, EOFError, zlib.error):
        problem = f"The gzip file '{path}' is damaged or cut short."
        raise InputError(problem, "Copy or compress it again.") from None
