"""Compile ahead: a second process compiles what refines while the first one groups."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TypeAlias

import numpy as np
import polars as pl

from shoal.kernels.compiled import on_missing
from shoal.kernels.keeping import own_folder
from shoal.models import KAnonymity
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from shoal.table.schema import Schema, quasi

Process: TypeAlias = "subprocess.Popen[bytes]"

_alone: ContextVar[bool] = ContextVar("alone", default=False)

LATER = "shoal.kernels.refine."
"""Kernels that the second process compiles, by how the names of their modules begin."""

PAUSE = 0.02
"""Seconds between two looks whether it has compiled one."""


@contextmanager
def alone() -> Iterator[None]:
    """Start no second process meanwhile."""
    token = _alone.set(True)
    try:
        yield
    finally:
        _alone.reset(token)


@contextmanager
def compiled_ahead(*, refines: bool) -> Iterator[None]:
    """Start the second process when a kernel is missing; wait for its kernels where needed.

    If it ends without one, that is compiled here.

    Parameters
    ----------
    refines
        Whether groups will be refined; if not, no process is started.
    """
    may_start = refines and not _alone.get()
    started: list[Process | None] = []

    def start_or_wait(module: str) -> bool:
        if module.startswith(LATER):
            working = any(process and process.poll() is None for process in started)
            time.sleep(PAUSE if working else 0)
            return working
        if may_start and not started and own_folder() is not None:
            started.append(second_process(f"from {__name__} import compile_refinement as go; go()"))
        return False

    with on_missing(start_or_wait):
        try:
            yield
        finally:
            for process in started:
                end(process)


def second_process(code: str) -> Process | None:
    """Start Python beside this process, with the same packages; what it prints is lost.

    Give ``None`` where that cannot be: no Python of its own, or no room for a process.
    """
    if not sys.executable or getattr(sys, "frozen", False):  # that would start the program itself
        return None
    with suppress(OSError):
        return subprocess.Popen(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    return None


def end(process: Process | None) -> None:
    """End what `second_process` gave."""
    if process is not None:
        process.kill()
        process.wait()


def compile_refinement() -> None:
    """Refine the groups of a small table."""
    from shoal.improve import Refinement, refine

    n = 300
    frame = pl.DataFrame({"x": np.arange(n) % 13, "y": [str(i * i % 7) for i in range(n)]})
    table = Table.encode(frame, Schema({"x": quasi(), "y": quasi()}))
    options = Refinement(steps=20)
    groups = Grouping(np.arange(n, dtype=np.int32) // 4)
    refine(table, groups, [KAnonymity(2)], options, rng=np.random.default_rng(1))
