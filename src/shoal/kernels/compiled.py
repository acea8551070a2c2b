"""How kernels are compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba as nb

__all__ = ["compiled", "compiled_with_arrays"]

F = TypeVar("F", bound=Callable[..., Any])

_SOURCES = hashlib.sha256(
    b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
).hexdigest()


def compiled(function: F) -> F:
    """Compile a function that makes no arrays, and keep the result on disk.

    Reference counting is off and calls are inlined: each took a fifth or more of the time of
    GAA-CP's grouping, and kernels only read and write the arrays they are given. One that
    makes an array does not compile; use `compiled_with_arrays`.
    """
    return _kept(function, {"_nrt": False, "forceinline": True})


def compiled_with_arrays(function: F) -> F:
    """Compile a function that makes arrays of its own, and keep the result on disk."""
    return _kept(function, {})


def _kept(function: F, options: dict[str, Any]) -> F:
    """Compile, and stamp what is kept on disk with the text of all kernels.

    Numba looks only at the file of the function itself, and would go on with an old copy of
    what it calls in other files.
    """
    made: Any = nb.njit(cache=True, nogil=True, **options)(function)
    kept = getattr(getattr(made, "_cache", None), "_cache_file", None)
    if kept is not None:  # with the compiler off there is none
        kept._source_stamp = _SOURCES
    return cast(F, made)
