"""Private folders for work, which are removed when it ends, and after a crash by the next start."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """Make a folder that nobody else can read, and remove it in the end.

    What processes of the same prefix left that were killed is removed, too.

    ``prefix``: how the names of such folders begin, as in ``"shoal-spark-"``; the process follows.

    >>> with scratch_folder("shoal-example-") as folder:
    ...     folder.stat().st_mode & 0o777 == 0o700
    True
    >>> folder.exists()
    False
    """
    remove_remains(prefix)
    made = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-"))  # mode 0700
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def remove_remains(prefix: str) -> None:
    """Remove what processes of the same user left that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}[0-9]*-*"):
        pid = folder.name.removeprefix(prefix).split("-")[0]
        if folder.is_symlink() or not pid.isdigit():
            continue
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)  # of others, the disk refuses it
        except OSError:
            continue
