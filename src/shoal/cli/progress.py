"""A progress bar with the time left, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console

from shoal.engines.pipeline import Report
from shoal.kernels.compiled import on_compiling

COMPILING = "Compiling: this takes some seconds and happens only once."


@contextmanager
def bar() -> Iterator[Report]:
    """Show each step of a run; no bar is drawn where nobody looks (a pipe, a log).

    A line says, there as well, if loops must be compiled first, which happens once on a machine.
    Ctrl-C that was lost while the compiler ran stops the run at the next report.
    """
    with _drawn() as draw, _lost_interrupts() as lost:

        def report(step: str, done: int, total: int) -> None:
            if lost:
                lost.clear()
                raise KeyboardInterrupt
            draw(step, done, total)

        yield report


@contextmanager
def _lost_interrupts() -> Iterator[list[bool]]:
    """Note each Ctrl-C that Python must ignore, since it came while C called Python back."""
    before, lost = sys.unraisablehook, list[bool]()

    def note(noted: Any) -> None:
        if issubclass(noted.exc_type, KeyboardInterrupt):
            lost.append(True)
        else:
            before(noted)

    sys.unraisablehook = note
    try:
        yield lost
    finally:
        sys.unraisablehook = before


@contextmanager
def _drawn() -> Iterator[Report]:
    """Draw the bar itself."""
    console = Console(stderr=True)
    if not console.is_terminal:
        with on_compiling(lambda: print(COMPILING, file=sys.stderr, flush=True)):
            yield lambda step, done, total: None
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:>8}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("start", total=1)

        def report(step: str, done: int, total: int) -> None:
            before = shown.tasks[0].description
            if before.partition(":")[0] != step.partition(":")[0]:
                shown.reset(task, description=step, total=total)
            shown.update(task, description=step, completed=done, total=total)

        with on_compiling(lambda: shown.console.print(COMPILING)):
            yield report
