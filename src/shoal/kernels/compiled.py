"""How kernels are compiled: when one is first called, never before, and kept on disk."""

from __future__ import annotations

import functools
import hashlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar, cast

__all__ = ["compiled", "compiled_with_arrays", "on_compiling"]

F = TypeVar("F", bound=Callable[..., Any])

_NO_FOLDER = (
    "No folder is writable to keep compiled kernels, so every start compiles anew. Set "
    "NUMBA_CACHE_DIR to a folder that is."
)
_UNKNOWN_NUMBA = (
    "This version of Numba keeps compiled kernels in a way that Shoal does not know, so every "
    "start compiles anew. Install the version of Numba that Shoal was tested with."
)

_told: ContextVar[_Once | None] = ContextVar("told of compiling", default=None)


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
    token = _told.set(_Once(tell))
    try:
        yield
    finally:
        _told.reset(token)


class _Once:
    """Calls a function once, however often it is called itself."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def __call__(self) -> None:
        call, self.call = self.call, None
        if call is not None:
            call()


class _Kernel:
    """A function that is compiled when it is first called, by Python or by another kernel.

    Numba takes a second to import, and most commands call no kernel.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.options = {"nogil": True, "no_cfunc_wrapper": True, **options}

    def __call__(self, *arguments: Any) -> Any:
        told = _told.get()
        if told is None or told.call is None:
            return self.dispatcher(*arguments)
        with _listening(told):
            return self.dispatcher(*arguments)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """What Numba makes of the function; the function itself if the compiler is off."""
        function, options = self.__wrapped__, self.options  # type: ignore[attr-defined]
        import numba as nb

        try:
            made: Any = nb.njit(cache=True, **options)(function)
        except RuntimeError:  # no folder: the package's, the user's, or what the environment names
            _say_once(_NO_FOLDER)
        else:
            if not hasattr(made, "py_func"):  # plain: the compiler is off
                return made
            if _stamp(made):
                _load_without_compiler(made._cache, with_arrays=options.get("_nrt", True))
                return made
            _say_once(_UNKNOWN_NUMBA)
        return nb.njit(**options)(function)

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


@contextmanager
def _listening(tell: Callable[[], None]) -> Iterator[None]:
    """Listen to Numba, which says when it compiles what is not kept."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            tell()

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield


@functools.cache
def _sources() -> str:
    """Sum up the text of all kernels."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _stamp(made: Any) -> bool:
    """Stamp what is kept with the text of all kernels; say whether there was a place for it.

    Numba looks only at the file of the function itself, and would go on with an old copy of
    what it calls in other files. The version is stamped, too: what is kept of another version is
    not even read, and it may name classes that are gone.
    """
    kept: Any = getattr(getattr(made, "_cache", None), "_cache_file", None)
    if not isinstance(getattr(kept, "_source_stamp", None), bytes | str | tuple):
        return False
    if not isinstance(getattr(kept, "_version", None), str):
        return False
    kept._source_stamp = _sources()
    kept._version = f"{kept._version}, kernels {_sources()}"
    return True


def _load_without_compiler(kept: Any, *, with_arrays: bool) -> None:
    """Load what is kept without what only a compiler needs, which takes a tenth of a second.

    Numba prepares to compile, then looks whether it has to; if it has, it does so once more. What
    is kept needs the runtime, if it makes arrays. A Numba that works otherwise is left alone.
    """
    parts = ("load_overload", "_load_overload", "_guard_against_spurious_io_errors")
    if not all(hasattr(kept, name) for name in parts):
        return
    from numba.core.runtime.nrt import rtsys

    def load_overload(sig: Any, target_context: Any) -> Any:
        if with_arrays:
            rtsys.initialize(target_context)
        with kept._guard_against_spurious_io_errors():
            return kept._load_overload(sig, target_context)

    kept.load_overload = load_overload


@functools.cache
def _say_once(message: str) -> None:
    # In one line: the place in our source would tell the user nothing.
    warnings.warn_explicit(message, RuntimeWarning, "shoal", 1)
