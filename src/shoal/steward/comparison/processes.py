"""Do the same work for several things, on all cores; one that is stopped leaves nothing behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from shoal.base.arguments import require_whole
from shoal.errors import OutOfMemoryError

AWAKE = 0.1
"""Seconds after which Ctrl-C is seen."""

ThingT = TypeVar("ThingT")
MadeT = TypeVar("MadeT")


def require_workers(workers: Any) -> None:
    """Refuse what is no number of processes (raises `ParameterError`)."""
    if workers is not None:
        require_whole("workers", workers, 1, "Leave it out.")


def work_on_each(
    work: Callable[[ThingT], MadeT], things: Sequence[ThingT], workers: int | None = None
) -> Iterator[MadeT]:
    """Give what comes of each thing, as it is done: in any order, unless there is one worker."""
    count = min(workers or os.cpu_count() or 1, len(things))
    if count <= 1:
        yield from map(work, things)
        return
    with _pool(count) as pool:
        with _interrupts_held():
            left = {pool.submit(work, thing) for thing in things}
        while left:
            # Polars' own handler of Ctrl-C does not wake who waits, so nobody waits for long.
            done, left = wait(left, timeout=AWAKE, return_when=FIRST_COMPLETED)
            try:
                yield from [job.result() for job in done]
            except BrokenProcessPool:
                raise OutOfMemoryError(
                    "The system ended one of the worker processes, probably because memory "
                    "ran out.",
                    "Use fewer workers, or a machine with more memory.",
                ) from None


@contextmanager
def _pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """Start processes of their own; one that is stopped leaves none behind."""
    # A fork of a process with threads, as polars has, may hang.
    pool = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool
    except BaseException:
        for process in list(pool._processes.values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)  # at once, since nobody works any more
        raise
    pool.shutdown()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let processes that start now never see Ctrl-C, which a terminal sends to them, too.

    Whoever starts them sees it when they have started, and ends them; their traces would be noise.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    seen: list[int] = []
    handler = signal.getsignal(signal.SIGINT)
    # Another thread may be told instead, and then the main one is interrupted all the same.
    held = callable(handler) and threading.current_thread() is threading.main_thread()
    if held:
        signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if held:
            signal.signal(signal.SIGINT, handler)
    if seen:
        raise KeyboardInterrupt
