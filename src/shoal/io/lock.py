"""Hold a name: who writes there is alone, and a dead process holds nothing."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from shoal.errors import OutputError

_UNKNOWN_HERE = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)


def lock_file(place: Path) -> Path:
    """Name the file that stands for the right to write to a place."""
    return place.with_name(f".{place.name}.lock")


@contextlib.contextmanager
def hold(place: Path) -> Iterator[bool]:
    """Be the only one who writes to ``place``, or refuse at once.

    The operating system lets go of a lock when its process ends, however it ends. A process
    number in a file would not do: numbers are used again, and differ between containers that
    share a disk.

    Yields whether nobody else writes there: ``False`` where locks are unknown (Windows, some
    network disks), so that nobody can be known to be dead. Raises `OutputError` if another process,
    or another thread, is writing there.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "release"
    >>> with hold(place), hold(place):
    ...     pass
    Traceback (most recent call last):
    shoal.errors.OutputError: Another process is writing to '...release'. Wait until ...
    """
    handle = _acquire(place)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            try:
                # Before it is let go: whoever opened the same file looks again.
                lock_file(place).unlink(missing_ok=True)
            finally:
                os.close(handle)


def _acquire(place: Path) -> int | None:
    if sys.platform == "win32":
        return None
    import fcntl

    path = lock_file(place)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        if path.is_symlink():
            raise OutputError(f"'{path}' is a link, not a lock of ours.", "Remove it.")
        handle = os.open(path, flags, 0o600)
        held = False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = _is_still(path, handle)
        except BlockingIOError:
            raise OutputError(
                f"Another process is writing to '{place}'.",
                "Wait until it has finished, or choose another folder.",
            ) from None
        except OSError as error:
            if error.errno not in _UNKNOWN_HERE:
                raise
            path.unlink(missing_ok=True)
            return None
        finally:
            if not held:
                os.close(handle)
        if held:
            return handle


def _is_still(path: Path, handle: int) -> bool:
    """Whether the locked file still has its name; whoever had it before took it away."""
    try:
        return os.path.samestat(path.stat(follow_symlinks=False), os.fstat(handle))
    except FileNotFoundError:
        return False
