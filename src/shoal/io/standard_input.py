"""Standard input as a file, since a table is read more than once."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shoal.errors import InputError
from shoal.io.disk import create_private
from shoal.io.files import STANDARD_INPUT


@contextlib.contextmanager
def standard_input(path: Path) -> Iterator[Path]:
    """Give the file as it is; for ``-`` and ``/dev/stdin``, one that holds standard input.

    Nobody else may read that one, and it is gone afterwards. It is named ``-``, as the user did.

    >>> with standard_input(Path("people.csv")) as table:
    ...     print(table)
    people.csv
    """
    if str(path) not in (STANDARD_INPUT, "/dev/stdin"):
        yield path
        return
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError(
            "Nothing comes in on standard input.", "Such as `shoal plan - < people.csv`."
        )
    with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
        made = create_private(Path(folder, STANDARD_INPUT))
        with made.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield made
