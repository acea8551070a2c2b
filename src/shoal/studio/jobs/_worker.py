"""The process that does the work: it reads what is asked, works, and tells how far it is.

Both ways are lines of JSON. It ends with the studio, even with one that was killed, and then
removes the studio's folder: nobody else would.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import sys
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from shoal.errors import ShoalError
from shoal.studio.jobs._job import reason_of

OFTEN = 0.1
"""Seconds between two reports of the same step."""


class Reporter:
    """Tells the studio how far the work is; not more often than anybody looks."""

    def __init__(self, out: IO[str]) -> None:
        self.out = out
        self.last = (0.0, "")
        self.last_loss = 0.0

    def step(self, step: str, done: int, total: int) -> None:
        """Tell which step is done how far."""
        now, name = time.monotonic(), step.partition(":")[0]
        if name != self.last[1] or now - self.last[0] > OFTEN:
            self.last = (now, name)
            self.tell("step", name, done, total)

    def loss(self, loss: float, least: float | None) -> None:
        """Tell what is lost so far."""
        now = time.monotonic()
        if now - self.last_loss > OFTEN:
            self.last_loss = now
            self.tell("loss", loss, least)

    def tell(self, *what: Any) -> None:
        """Tell the studio anything."""
        self.out.write(json.dumps(what) + "\n")
        self.out.flush()


def serve_jobs(folder: str) -> None:
    """Do one job after the other, until the studio is gone.

    `folder`: the folder of the studio, which is removed if nobody else can.
    """
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what anybody prints is not taken for an answer
    request: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=(request, folder), daemon=True).start()
    _warm_up()
    with contextlib.suppress(BrokenPipeError):
        while True:
            kind, given, place = json.loads(request.get())
            report = Reporter(out)
            report.tell(*_done(kind, given, Path(place), report))


def _listen(request: queue.Queue[str], folder: str) -> None:
    """Take what is asked; when nobody can ask any more, the studio is gone."""
    for line in sys.stdin:
        request.put(line)
    # A studio that ended as it should has removed the folder already.
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def _done(kind: str, request: dict[str, Any], place: Path, report: Reporter) -> tuple[Any, ...]:
    """Do a job, and say what came of it; no trace and no cell leaves this process."""
    try:
        return ("done", import_module(f"shoal.studio.jobs.{kind}").work(request, place, report))
    except BrokenPipeError:
        raise
    except BaseException as error:  # a panic of polars is no Exception
        return ("failed", *reason_of(error))


def _warm_up() -> None:
    """Load what every run needs, so that the first one is as quick as the others."""
    import shoal
    from shoal.engines import pipeline

    people = shoal.datasets.patients(1)
    with contextlib.suppress(ShoalError):
        pipeline.anonymize(people, shoal.propose(people).plan)
