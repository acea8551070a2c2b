"""`shoal` as a process of its own, with files of its own, which can be killed at any moment."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tests.processes import descendants
from torture.people import CANARY

__all__ = ["Command", "Ended", "forget", "moments", "say"]


def say(text: str) -> None:
    """Show how far it is."""
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    said: str
    seconds: float

    def require_quiet(self, *secrets: str) -> None:
        """Refuse words that tell a cell, a password or where in the code it was."""
        for each in (CANARY, "Traceback", "defect", *secrets):
            assert each not in self.said, f"'{each}' is said: {self.said}"


class Command:
    """A command that runs with a folder of its own for temporary files."""

    begun: ClassVar[list[Command]] = []
    """All of them: who runs on when a test ends is killed (see `conftest`)."""

    def __init__(
        self, folder: Path, *arguments: str, limit: int | None = None, **environment: str
    ) -> None:
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.out = folder / "said.txt"
        self.began = time.monotonic()
        named = {"TMPDIR": str(self.temporary), **environment}
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, *(("-m", "shoal") if arguments[0] == "run" else ()), *arguments],
                cwd=folder,
                env={**os.environ, **named},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a process group of its own, as a terminal makes
                preexec_fn=None if limit is None else lambda: _limit_files(limit),
            )
        Command.begun.append(self)

    def wait(self, most: float = 1800) -> Ended:
        """Wait for its end."""
        code = self.process.wait(most)
        return Ended(code, self.out.read_text(errors="replace"), time.monotonic() - self.began)

    def when(self, ready: Callable[[], bool], most: float = 1800) -> bool:
        """Wait until something is so; not if it ends before."""
        until = time.monotonic() + most
        while self.process.poll() is None and time.monotonic() < until:
            if ready():
                return True
            time.sleep(0.05)
        return False

    def until(self, seconds: float) -> Command:
        """Wait until so much time has passed since it began, or it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(self.began + seconds - time.monotonic(), 0))
        return self

    def kill(self) -> Ended:
        """Kill it, if it still runs."""
        self.process.kill()
        return self.wait()

    def interrupt(self) -> Ended:
        """Press Ctrl-C: every process of its group is told."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGINT)
        return self.wait()

    @property
    def below(self) -> dict[int, str]:
        """The processes that it started."""
        return descendants(self.process.pid)


def _limit_files(size: int) -> None:
    """Let no file grow beyond so many bytes, as on a disk that is full."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def moments(rng: random.Random, count: int, first: float, last: float) -> list[float]:
    """Draw moments: one in each part of the time, so that they strike everywhere."""
    part = (last - first) / count
    return [first + (at + rng.random()) * part for at in range(count)]


def forget(folder: Path) -> None:
    """Remove a release, its private folder and what a killed process left beside them."""
    for each in folder.parent.glob(f"*{folder.name}*"):
        shutil.rmtree(each, ignore_errors=True) if each.is_dir() else each.unlink(missing_ok=True)
