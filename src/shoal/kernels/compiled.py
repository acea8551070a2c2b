"""How kernels are compiled: when one is first called, never before, and kept on disk."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from shoal.kernels.keeping import KernelCache, own_folder

F = TypeVar("F", bound=Callable[..., Any])

_NO_FOLDER = (
    "No folder is writable to keep compiled kernels, so every start compiles anew. Set "
    "NUMBA_CACHE_DIR to a folder that is."
)

_missing: ContextVar[tuple[Callable[[str], object], ...]] = ContextVar("missing", default=())


def compiled(function: F) -> F:
    """Compile a function that makes no arrays when it is first called; keep it on disk.

    Reference counting is off and calls are inlined: each took a fifth or more of the time of
    GAA-CP's grouping, and kernels only read and write the arrays they are given. One that
    makes an array does not compile; use `compiled_with_arrays`.
    """
    return cast(F, _Kernel(function, {"_nrt": False, "forceinline": True}))


def compiled_with_arrays(function: F) -> F:
    """Compile a function that makes arrays of its own when it is first called; keep it on disk."""
    return cast(F, _Kernel(function, {}))


@contextmanager
def on_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Have something done before the first kernel that is not found on disk is compiled.

    Examples
    --------
    >>> with on_compiling(lambda: print("Compiling, once")):
    ...     pass
    """
    once = [tell]
    with on_missing(lambda _: once.pop()() if once else None):
        yield


@contextmanager
def on_missing(call: Callable[[str], object]) -> Iterator[None]:
    """Have the module of each kernel that is not found on disk passed on before it is compiled.

    If the answer is true, the kernel is looked for once more.
    """
    token = _missing.set((*_missing.get(), call))
    try:
        yield
    finally:
        _missing.reset(token)


class _Kernel:
    """A function that is compiled when it is first called, by Python or by another kernel.

    Numba takes a second to import, and most commands call no kernel.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.options = {"nogil": True, "no_cfunc_wrapper": True, **options}

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """What Numba makes of the function; the function itself if the compiler is off."""
        function: Any = self.__wrapped__  # type: ignore[attr-defined]
        import numba as nb

        made: Any = nb.njit(**self.options)(function)
        if hasattr(made, "py_func"):  # else plain: the compiler is off
            with_arrays = self.options.get("_nrt", True)
            made._cache = KernelCache(function, with_arrays=with_arrays, missed=_missed)
        return made

    @functools.cached_property
    def inner(self) -> Any:
        """The same for other kernels, of which it becomes a part: no way in from Python."""
        import numba as nb

        options = {**self.options, "no_cpython_wrapper": True}
        return _once_for_all_numbers(nb.njit(**options)(self.__wrapped__))  # type: ignore[attr-defined]

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks any object for that a compiled function names."""
        return self.inner._numba_type_


def _once_for_all_numbers(made: Any) -> Any:
    """Have a function compiled once for all whole numbers, not again for each that is written out.

    Numba takes a 0 in a call for a type of its own.
    """
    if not hasattr(made, "get_call_template"):  # plain: the compiler is off
        return made
    from numba.core import types

    plain: Any = types.unliteral
    as_numba_does = made.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        named = {name: plain(kind) for name, kind in kws.items()}
        return as_numba_does(tuple(map(plain, args)), named)

    made.get_call_template = get_call_template
    return made


def _missed(module: str) -> bool:
    """Report that a kernel is about to be compiled, and that it cannot be kept if so.

    Say whether somebody else may have compiled it meanwhile.
    """
    again = [call(module) for call in _missing.get()]
    if own_folder() is None:
        _say_once(_NO_FOLDER)
    return any(again)


@functools.cache
def _say_once(message: str) -> None:
    # In one line: the place in our source would tell the user nothing.
    warnings.warn_explicit(message, RuntimeWarning, "shoal", 1)
