"""The process that does the work: it reads what is asked, works, and tells how far it is.

It ends with the studio, even with one that was killed, and then removes the studio's folder: nobody
else would.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
import time
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from shoal.errors import ShoalError

__all__ = ["Reporter", "serve_jobs"]

OFTEN = 0.1
"""Seconds between two reports of the same step."""


class Reporter:
    """Tells the studio how far the work is; not more often than anybody looks."""

    def __init__(self, out: Connection) -> None:
        self.out = out
        self.last = (0.0, "")
        self.last_loss = 0.0

    def step(self, step: str, done: int, total: int) -> None:
        """Tell which step is done how far."""
        now, name = time.monotonic(), step.partition(":")[0]
        if name != self.last[1] or now - self.last[0] > OFTEN:
            self.last = (now, name)
            self.out.send(("step", name, done, total))

    def loss(self, loss: float, least: float | None) -> None:
        """Tell what is lost so far."""
        now = time.monotonic()
        if now - self.last_loss > OFTEN:
            self.last_loss = now
            self.out.send(("loss", loss, least))


def serve_jobs(out: Connection, folder: str) -> None:
    """Do one job after the other, until the studio is gone.

    Parameters
    ----------
    folder
        The folder of the studio, which is removed if nobody else can.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the studio decides
    if hasattr(os, "setsid"):
        os.setsid()
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()
    _warm_up()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            kind, asked, place = out.recv()
            out.send(_done(kind, asked, Path(place), Reporter(out)))


def _done(kind: str, asked: dict[str, Any], place: Path, report: Reporter) -> tuple[Any, ...]:
    """Do a job, and say what came of it; no trace and no cell leaves this process."""
    try:
        return ("done", import_module(f"shoal.studio.jobs.{kind}").work(asked, place, report))
    except ShoalError as error:
        return ("failed", error.problem, error.hint)
    except MemoryError:
        return ("failed", "There is not enough memory for this table.", "Use a larger machine.")
    except BaseException as error:  # a panic of polars is no Exception
        if isinstance(error, BrokenPipeError):
            raise
        return ("failed", f"Shoal itself failed ({type(error).__name__}); this is a defect.", "")


def _warm_up() -> None:
    """Load what every run needs, so that the first one is as quick as the others."""
    import shoal
    from shoal import pipeline

    people = shoal.datasets.patients(1)
    with contextlib.suppress(ShoalError):
        pipeline.anonymize(people, shoal.propose(people).plan)


def _end_with_parent(folder: str) -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        # A studio that ended as it should has removed the folder already.
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)
