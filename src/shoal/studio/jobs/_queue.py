"""Jobs in the order in which they were asked for, done one at a time by a process of their own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.errors import ParameterError
from shoal.studio.jobs._job import Job, State

SOON = 5.0
"""Seconds in which a job that is stopped has surely ended."""

DIED = (
    "The worker process has died; there may not be enough memory.",
    "Try again with fewer columns or rows, or on a larger machine.",
)


class Queue:
    """Takes jobs, does them one by one, and can stop each of them at any time.

    `folder`: where jobs write, each into a folder of its own.
    `whole`: the folder of the studio: the process removes it if the studio dies.
    """

    def __init__(self, folder: Path, whole: Path) -> None:
        self.folder, self.whole = folder, whole
        self.jobs: list[Job] = []
        self._changed = threading.Condition()
        self._stop: set[int] = set()
        self._closed = False
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="shoal-studio-jobs")
        self._thread.start()

    def add(self, kind: str, request: Mapping[str, Any]) -> Job:
        """Ask for work; it is begun when all that was asked for before is done."""
        with self._changed:
            number = len(self.jobs) + 1
            job = Job(number, kind, request, self.folder / str(number))
            self.jobs.append(job)
            self._changed.notify_all()
        return job

    def job(self, number: int) -> Job:
        """Find a job (raises `ParameterError` if there is none)."""
        if not 1 <= number <= len(self.jobs):
            raise ParameterError(f"There is no job {number}.", "Load the page again.")
        return self.jobs[number - 1]

    def of_kind(self, kind: str) -> list[Job]:
        """List the jobs of a kind, in their order, without those that were removed."""
        return [job for job in self.jobs if job.kind == kind and not job.removed]

    def stop(self, number: int) -> None:
        """Stop a job, or let it never begin; nothing of it is left."""
        with self._changed:
            job = self.job(number)
            if job.state is State.WAITING:
                job.end(State.STOPPED)
            elif job.state is State.WORKING:
                self._stop.add(number)
                self._kill()  # whoever listens to it goes on

    def remove(self, number: int) -> None:
        """Stop a job if need be, and forget what came of it."""
        job = self.job(number)
        self.stop(number)
        self.wait(number, SOON)
        job.removed, job.result = True, None
        shutil.rmtree(job.folder, ignore_errors=True)

    def clear(self) -> None:
        """Remove all jobs: they were about another table."""
        for job in reversed(self.jobs):  # those that wait first, so that none of them begins
            if not job.removed:
                self.remove(job.number)

    def wait(self, number: int, seconds: float) -> Job:
        """Wait until a job has ended, or for so long."""
        job = self.job(number)
        with self._changed:
            self._changed.wait_for(lambda: not job.is_open, seconds)
        return job

    def close(self) -> None:
        """Stop all work, and end the process."""
        with self._changed:
            self._closed = True
            self._kill()
            self._changed.notify_all()
        self._thread.join(5)
        self._end_process()

    def _work(self) -> None:
        self._start_process()  # it is warm when the first job comes
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting() is not None)
                if self._closed:
                    return
                job = self._waiting()
                assert job is not None
                job.begin()
            self._do(job)
            with self._changed:
                self._changed.notify_all()

    def _waiting(self) -> Job | None:
        return next((job for job in self.jobs if job.state is State.WAITING), None)

    def _do(self, job: Job) -> None:
        """Give a job to the process, and listen to it."""
        if self._process is None or self._process.poll() is not None:
            self._start_process()
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        job.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(OSError, ValueError):  # it died: nothing more is heard of it
            process.stdin.write(json.dumps([job.kind, job.request, str(job.folder)]) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                if self._hear(job, json.loads(line)):
                    return
        if self._closed or job.number in self._stop:
            self._give_up(job, State.STOPPED)
        else:
            self._give_up(job, State.FAILED, *DIED)

    def _hear(self, job: Job, message: list[Any]) -> bool:
        """Note what the process tells; say whether that was the last."""
        what, *rest = message
        if what == "step":
            job.see(*rest)
        elif what == "loss":
            job.see_loss(*rest)
        elif what == "done":
            (job.result,) = rest
            job.end(State.DONE)
        else:
            shutil.rmtree(job.folder, ignore_errors=True)
            job.end(State.FAILED, *rest)
        return what in ("done", "failed")

    def _give_up(self, job: Job, state: State, problem: str = "", hint: str = "") -> None:
        """End the process in the middle of its work; nothing of the job is left."""
        self._end_process()
        shutil.rmtree(job.folder, ignore_errors=True)
        self._stop.discard(job.number)
        job.end(state, problem, hint)
        if not self._closed:
            self._start_process()

    def _start_process(self) -> None:
        self._end_process()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "shoal.studio.jobs", str(self.whole)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what a library prints may hold cells
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C at the terminal is not for it
        )

    def _kill(self) -> None:
        """End the process at once, with all that it started."""
        process = self._process  # whoever listens to it may let go of it meanwhile
        if process is not None and process.poll() is None:
            with contextlib.suppress(OSError, AttributeError):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()

    def _end_process(self) -> None:
        self._kill()
        process, self._process = self._process, None
        if process is not None:
            with process:  # closes its pipes, and waits for its end
                pass
