"""Open input files: missing, unreadable, empty and compressed ones are told apart here."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path
from typing import IO, Any

from shoal.errors import InputError

__all__ = ["PathLike", "read_all", "read_sample"]

PathLike = str | os.PathLike[str]

_GZIP = b"\x1f\x8b"


def read_sample(path: PathLike, size: int) -> tuple[bytes, bool, bool]:
    """Read the first ``size`` bytes, unpacked; say if there is more and if it was packed."""
    data, compressed = _read(path, size + 1)
    return data[:size], len(data) > size, compressed


def read_all(path: PathLike) -> tuple[bytes, bool]:
    """Read a whole file, unpacked; say if it was packed."""
    return _read(path, -1)


def _read(path: PathLike, size: int) -> tuple[bytes, bool]:
    path = Path(path)
    try:
        if path.is_dir():
            raise InputError(f"'{path}' is a folder, not a file.", "Name the table file inside it.")
        with path.open("rb") as file:
            compressed = file.read(2) == _GZIP
            file.seek(0)
            return _unpack(file, size, path) if compressed else file.read(size), compressed
    except FileNotFoundError:
        problem = f"There is no file '{path}'."
        raise InputError(problem, "Check the name and the folder.") from None
    except OSError as error:
        problem = f"The file '{path}' cannot be read: {error.strerror or 'unknown reason'}."
        raise InputError(problem, "Check its permissions and the disk.") from None
    except ValueError:  # NUL, or halves of characters
        problem = "The name of the file holds characters that no file name can have."
        raise InputError(problem, "Check the name and the folder.") from None


def _unpack(file: IO[Any], size: int, path: Path) -> bytes:
    try:
        with gzip.GzipFile(fileobj=file) as packed:
            return packed.read(size)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        problem = f"The gzip file '{path}' is damaged or cut short."
        raise InputError(problem, "Copy or compress it again.") from None
