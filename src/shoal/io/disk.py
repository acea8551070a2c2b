"""Put bytes on the disk so that a crash leaves a whole file or none."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from shoal.errors import OutputError, ShoalError, of_memory, out_of_memory


@contextlib.contextmanager
def replace_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file beside ``path``, and put it in its place when all is written.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "x.txt"
    >>> with replace_file(file) as out:
    ...     _ = out.write(b"whole")
    >>> file.read_bytes()
    b'whole'
    """
    temporary = path.with_name(f".{path.name}.tmp-{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def create_private(path: Path) -> Path:
    """Make an empty file that nobody else may read (0600), whatever the umask.

    >>> import stat, tempfile
    >>> made = create_private(Path(tempfile.mkdtemp()) / "x")
    >>> stat.filemode(made.stat().st_mode)
    '-rw-------'
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    path.chmod(0o600)  # a umask can take away our own right
    return path


def cannot_write(path: Path, error: OSError) -> ShoalError:
    """Turn an error of the operating system into one that says what to do.

    >>> print(cannot_write(Path("out"), OSError(28, "No space left on device")))
    'out' cannot be written: No space left on device. Check the free space and ...
    """
    if of_memory(error):  # not the disk's fault
        return out_of_memory()
    reason = error.strerror or type(error).__name__
    return OutputError(
        f"'{path}' cannot be written: {reason}.",
        "Check the free space and the permissions of the disk, or choose another place.",
    )


def sync_file(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
