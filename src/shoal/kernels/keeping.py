"""Where compiled kernels are kept: a file for each kernel and each kind of arguments.

A file is named after everything its machine code follows from: the kernel, what it calls, the
types of its arguments, Numba, Python, and the processor. What is found under a name is right, so
nothing has to be compared, and a file stays good wherever it is moved and however old it is.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from numbers import Number
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

BROUGHT = Path(__file__).parent / "brought"
"""Kernels that came with the package, compiled for `BASELINES`; most installs from source have
none."""

BASELINES = {"x86_64": ("x86-64-v2", ("sse4.2", "popcnt", "cx16"))}
"""The processor that kernels of a package are compiled for, and what it can do, by machine."""

_WORDS = 6
"""Which part of what Numba keeps is the types in words, with paths of this machine: unused."""

_UNREADABLE = (OSError, EOFError, pickle.UnpicklingError, ValueError)
"""What reading a file that is not there, or not whole, raises."""


class KernelCache:
    """Load a compiled kernel instead of compiling it; keep what is compiled.

    It stands in for Numba's own cache of functions, which knows a kernel by the file that it
    stands in and by the processor's name, and prepares to compile before it looks.

    - ``function``: the kernel.
    - ``with_arrays``: whether it makes arrays, for which Numba's runtime must be there.
    - ``missed``: called with the kernel's module before it is compiled; if the answer is true, it
      is looked for once more.
    """

    def __init__(
        self, function: FunctionType, *, with_arrays: bool, missed: Callable[[str], bool]
    ) -> None:
        self.module = function.__module__
        self.name = f"{self.module.rpartition('.')[2]}.{function.__name__}"
        self.text = fingerprint(function)
        self.with_arrays, self.missed = with_arrays, missed

    @property
    def cache_path(self) -> str | None:
        """The folder in which kernels are kept, if there is one."""
        folder = own_folder()
        return None if folder is None else str(folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the kernel for arguments of these types; ``None`` if it is not kept."""
        found = self._find(sig, target_context)
        while found is None and self.missed(self.module):
            found = self._find(sig, target_context)
        return found

    def _find(self, sig: Any, target_context: Any) -> Any:
        for path in self._places(sig):
            with contextlib.suppress(*_UNREADABLE):
                return self._load(path, target_context)
        return None

    def _load(self, path: Path, target_context: Any) -> Any:
        from numba.core import compiler
        from numba.core.runtime.nrt import rtsys

        result: Any = compiler.CompileResult
        kept = pickle.loads(path.read_bytes())
        if self.with_arrays:
            rtsys.initialize(target_context)
        return result._rebuild(target_context, *kept)

    def save_overload(self, sig: Any, made: Any) -> None:
        """Keep a kernel that was compiled, if there is a place for it."""
        folder = own_folder()
        if folder is None or made.lifted or made.library.has_dynamic_globals:
            return
        from numba.core import serialize

        pickled: Any = serialize.dumps
        parts = [*made._reduce()]
        parts[_WORDS] = ""
        _write(folder / self._file(sig, _processor()), pickled(tuple(parts)))

    def enable(self) -> None:
        """Do nothing: a kernel is always looked for."""

    disable = flush = enable

    def _places(self, sig: Any) -> Iterator[Path]:
        """List where a kernel may be kept: in the package, then in a folder of the user."""
        baseline, features = BASELINES.get(platform.machine(), ("", ()))
        if baseline and BROUGHT.is_dir() and _has(features):
            yield BROUGHT / self._file(sig, baseline)
        folder = own_folder()
        if folder is not None:
            yield folder / self._file(sig, _processor())

    def _file(self, sig: Any, processor: str) -> str:
        key = (self.text, str(sig), processor, *_versions())
        return f"{self.name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.kernel"


def fingerprint(function: FunctionType) -> str:
    """Sum up a function and all that it calls or names; comments and places in files do not count.

    Examples
    --------
    >>> def one():
    ...     return 1
    >>> def two():
    ...     return one() + 1
    >>> before = fingerprint(two)
    >>> def one():
    ...     return 5
    >>> fingerprint(two) == before
    False
    """
    summed = hashlib.sha256()
    seen: set[int] = set()

    def add(value: Any) -> None:
        if isinstance(value, FunctionType):
            if id(value) not in seen:
                seen.add(id(value))
                add((value.__name__, value.__defaults__, value.__kwdefaults__))
                for cell in value.__closure__ or ():
                    add(cell.cell_contents)
                add_code(value.__code__, value.__globals__, value.__doc__)
        elif isinstance(value, frozenset):
            add(sorted(map(repr, value)))
        elif isinstance(value, tuple | list):
            summed.update(b"(%d" % len(value))
            for each in value:
                add(each)
        elif isinstance(value, dict):
            add(sorted(value.items()))
        elif isinstance(value, Number | str | bytes | None | type(...)):
            summed.update(f"{type(value).__name__} {value!r};".encode())
        elif isinstance(value, type):  # a class of arguments or a type of numbers
            named = getattr(value, "_fields", None)
            summed.update(f"{value.__module__}.{value.__qualname__} {named};".encode())
        elif hasattr(value, "tobytes"):
            summed.update(repr((value.dtype, value.shape)).encode() + value.tobytes())
        elif isinstance(inner := getattr(value, "__wrapped__", None), FunctionType):
            add(vars(value).get("options"))  # another kernel
            add(inner)
        elif isinstance(value, ModuleType):
            if value.__name__.partition(".")[0] not in _FOREIGN:
                add(_all_text())
            summed.update(value.__name__.encode())
        elif getattr(value, "__module__", "").partition(".")[0] in _FOREIGN or callable(
            getattr(sys.modules["builtins"], getattr(value, "__name__", ""), None)
        ):
            summed.update(repr(getattr(value, "__name__", value)).encode())
        else:  # nothing that could be read: whatever stands beside it counts
            add(_all_text())

    def add_code(code: CodeType, names: dict[str, Any], doc: str | None) -> None:
        summed.update(code.co_code)
        add((code.co_names, code.co_varnames, code.co_argcount))
        for each in code.co_consts:
            if isinstance(each, CodeType):
                add_code(each, names, None)
            elif each != doc or doc is None:
                add(each)
        for name in code.co_names:
            if name in names:
                add(names[name])

    add(function)
    return summed.hexdigest()


_FOREIGN = frozenset({"numpy", "math", "numba", "builtins", "operator", "typing", "llvmlite"})
"""Packages whose code counts by their version alone."""


@functools.cache
def _all_text() -> str:
    """Sum up the text of all kernels."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


@functools.cache
def own_folder() -> Path | None:
    """Find the folder to keep kernels in: the one that is named, the package's, or the user's."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    for folder in (
        Path(named) / "shoal" if named else Path(__file__).parent / "__pycache__",
        Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "shoal",
    ):
        with contextlib.suppress(OSError, RuntimeError):  # no place, or no home
            found = folder.expanduser()
            found.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=found).close()
            return found
    return None


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a full disk keeps nothing and stops nobody."""
    with contextlib.suppress(OSError):
        unfinished = path.with_suffix(f".{os.getpid()}")
        try:
            unfinished.write_bytes(data)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


@functools.cache
def _versions() -> tuple[str, ...]:
    """List what a kernel's machine code follows from besides its text and the processor."""
    import llvmlite
    import numba
    import numpy as np

    short = np.__version__.rpartition(".")[0]
    python = sysconfig.get_config_var("EXT_SUFFIX")
    return numba.__version__, llvmlite.__version__, short, python, platform.system()


@functools.cache
def _processor() -> str:
    """Name the processor that kernels are compiled for, and what it can do."""
    from numba.core import config

    settings: Any = config
    name = settings.CPU_NAME or _binding().get_host_cpu_name()
    features = settings.CPU_FEATURES
    if features is None:
        features = _binding().get_host_cpu_features().flatten()
    return name if features == "" else f"{name} {features}"


@functools.cache
def _has(features: tuple[str, ...]) -> bool:
    here = _binding().get_host_cpu_features()
    return all(here.get(name) for name in features)


def _binding() -> Any:
    from llvmlite import binding

    return binding
