"""Will a file fit into memory? Estimated before it is read."""

from __future__ import annotations

import contextlib
from pathlib import Path

from shoal.errors import InputError
from shoal.io.files import read_sample
from shoal.io.formats import format_by_content
from shoal.io.read import HEAD

PROGRAM = 300e6
"""What the program takes before any row."""

PER_BYTE = 3.0
"""What a run takes for each byte of CSV: the file, its cells, its codes, and the file again."""

PACKED = 8.0
"""What a packed file unpacks to, at most as a rule."""


def needed(path: Path) -> float:
    """Estimate how many bytes a run on a file takes at its peak.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = file.write_bytes(b"a" * 1000)
    >>> needed(file)
    300003000.0
    """
    head, _, packed = read_sample(path, HEAD)
    found = format_by_content(path, head)
    if found is not None and found.memory is not None:
        found.require_installed()
        return PROGRAM + found.memory(path)
    size = path.stat().st_size * PER_BYTE
    return PROGRAM + (size * PACKED if packed else size)


_ROOT = Path("/sys/fs/cgroup")
_GROUPS = (
    ("memory.max", "memory.current", "memory.stat"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
)
"""What limits a container, what it uses, and of what kind: today's names, and older ones."""


def _files(file: str) -> float:
    r"""Add up the pages of files, which a container gives back when it needs them.

    >>> _files("anon 7\nactive_file 30\ninactive_file 4\n")
    34.0
    """
    pairs = (line.split() for line in file.splitlines())
    return sum(float(size) for name, size in pairs if name in ("active_file", "inactive_file"))


def available() -> float | None:
    """Say how many bytes this process may still take; ``None`` if nobody tells.

    The least of what the system has free and what a container is limited to.
    """
    found = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found.append(float(line.split()[1]) * 1024)
    for limit, used, file in _GROUPS:
        with contextlib.suppress(OSError, ValueError):  # no container, or "max"
            free = float((_ROOT / limit).read_text()) - float((_ROOT / used).read_text())
            found.append(free + _files((_ROOT / file).read_text()))
    return min(found, default=None)


def require_memory(path: Path) -> None:
    """Refuse a file that needs more memory than there is (raises `InputError`)."""
    free = available()
    if free is None:
        return
    with contextlib.suppress(OSError):  # whoever reads it says what is wrong
        wanted = needed(path)
        if wanted > free:
            raise InputError(
                f"A run on '{path.name}' would take about {wanted / 1e9:.1f} GB of memory, and "
                f"{free / 1e9:.1f} GB are free.",
                "Leave out columns that are not published, work on a part of the rows, or take a "
                "machine with more memory.",
            )
