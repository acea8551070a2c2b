"""How kernels are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba as nb

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function that makes no arrays, and keep the result on disk.

    Reference counting is off: it took a third of the time of the search loops, and these
    kernels only read and write the arrays they are given. One that makes an array does not
    compile.
    """
    options: dict[str, Any] = {"cache": True, "_nrt": False, "forceinline": True}
    return cast(F, nb.njit(**options)(function))
