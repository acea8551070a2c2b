"""CPU time and memory of a whole process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from shoal.errors import OutputError

__all__ = ["Used", "process", "python", "shoal"]


class Used(NamedTuple):
    """What a process used: seconds of CPU, all threads together, and megabytes at most."""

    cpu: float
    memory: float


def process(folder: Path, command: Sequence[str]) -> Used:
    """Run a command in a folder, and say what it used.

    Where the system does not tell (Windows), it is the time on the clock, and no memory.

    Raises
    ------
    OutputError
        If the command fails.
    """
    began = time.perf_counter()
    child = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if hasattr(os, "wait4"):
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
        found = Used(used.ru_utime + used.ru_stime, used.ru_maxrss / scale)
    else:
        child.wait()
        found = Used(time.perf_counter() - began, 0.0)
    if child.returncode:
        raise OutputError(
            f"`shoal {' '.join(command[3:])}` failed with code {child.returncode}.",
            "Run it by hand to see why: is there room for temporary files?",
        )
    return found


def shoal(folder: Path, *words: str) -> Used:
    """Run a command of Shoal."""
    return process(folder, [sys.executable, "-m", "shoal", *words])


def python(folder: Path, code: str) -> Used:
    """Run some Python."""
    return process(folder, [sys.executable, "-c", code])
