"""The memory of a command: used again instead of being given back; and what is said if it ends."""

from __future__ import annotations

import contextlib
import mmap

from shoal.errors import OutOfMemoryError, ShoalError, of_memory, out_of_memory

NO_MEMORY = 6
"""The exit code; libraries that cannot go on without memory abort, and leave with it, too."""

_LEAST = 1 << 28
"""Bytes that there always are while nothing is wrong: Shoal takes more before it reads a row."""

_TRIM, _MMAP = -1, -3  # names of glibc's settings
_LARGE, _MOST = 1 << 25, (1 << 31) - 1


def keep_memory() -> None:
    """Let arrays of this process take the place of earlier ones.

    glibc gives large ones back to the system at once, which then clears new pages for the next:
    a tenth of the time of a run on a million rows. Those above 32 MB still go back, since what
    they leave would not be filled. Other systems have no such setting, and nothing happens.
    """
    import ctypes

    with contextlib.suppress(AttributeError, OSError, TypeError):
        system = ctypes.CDLL(None)
        system.mallopt(_MMAP, _LARGE)
        system.mallopt(_TRIM, _MOST)


def lack_of_memory(error: BaseException) -> OutOfMemoryError | None:
    """Say of an error that it is a want of memory; ``None`` if it is something else.

    What a library raises that was loaded in part can be anything. So an error that nobody expects
    is one of memory if there is next to none.
    """
    if isinstance(error, OutOfMemoryError):
        return error
    if of_memory(error) or (not isinstance(error, ShoalError) and _next_to_none()):
        return out_of_memory()
    return None


def _next_to_none() -> bool:
    try:
        mmap.mmap(-1, _LEAST).close()
    except (OSError, ValueError, MemoryError):
        return True
    return False
