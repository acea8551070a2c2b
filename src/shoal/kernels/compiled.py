"""How kernels are compiled."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba as nb

__all__ = ["compiled", "compiled_with_arrays"]

F = TypeVar("F", bound=Callable[..., Any])

_SOURCES = hashlib.sha256(
    b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
).hexdigest()

_NO_FOLDER = (
    "No folder is writable to keep compiled kernels, so every start compiles anew. Set "
    "NUMBA_CACHE_DIR to a folder that is."
)
_UNKNOWN_NUMBA = (
    "This version of Numba keeps compiled kernels in a way that Shoal does not know, so every "
    "start compiles anew. Install the version of Numba that Shoal was tested with."
)
_said: set[str] = set()


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
    """Compile, and keep the result on disk where it can be kept and stamped."""
    try:
        made: Any = nb.njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # no folder: the package's, the user's, and what the environment names
        _say_once(_NO_FOLDER)
    else:
        if not hasattr(made, "py_func") or _stamp(made):  # a plain function: the compiler is off
            return cast(F, made)
        _say_once(_UNKNOWN_NUMBA)
    return cast(F, nb.njit(nogil=True, **options)(function))


def _stamp(made: Any) -> bool:
    """Stamp what is kept with the text of all kernels; say whether there was a place for it.

    Numba looks only at the file of the function itself, and would go on with an old copy of
    what it calls in other files.
    """
    kept = getattr(getattr(made, "_cache", None), "_cache_file", None)
    if not isinstance(getattr(kept, "_source_stamp", None), bytes | str | tuple):
        return False
    kept._source_stamp = _SOURCES  # type: ignore[union-attr]
    return True


def _say_once(message: str) -> None:
    if message not in _said:
        _said.add(message)
        # In one line: the place in our source would tell the user nothing.
        warnings.warn_explicit(message, RuntimeWarning, "shoal", 1)
