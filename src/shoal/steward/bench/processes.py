"""CPU time and memory of a whole process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from shoal.errors import OutputError


class Used(NamedTuple):
    """What a process used: seconds of CPU, all threads together, and megabytes at most."""

    cpu: float
    memory: float


def process(folder: Path, command: Sequence[str]) -> Used:
    """Run a command in a folder, and say what it used.

    Where the system does not tell (Windows), it is the time on the clock, and no memory.

    Raises `OutputError` if the command fails.
    """
    # Between the two stands a small process: to the system, a process has used at least what the
    # one had that started it.
    between = [sys.executable, "-S", "-c", _BETWEEN, *command]
    plain = {name: value for name, value in os.environ.items() if name not in _UNUSUAL}
    answer = subprocess.run(
        between, cwd=folder, env=plain, capture_output=True, text=True, check=False
    )
    try:
        code, cpu, memory = answer.stdout.split()
    except ValueError:
        code, cpu, memory = "1", "0", "0"
    if code != "0":
        raise OutputError(
            f"`shoal {' '.join(command[3:])}` failed with code {code}.",
            "Run the command by itself to see why; check the space for temporary files.",
        )
    return Used(float(cpu), float(memory))


_UNUSUAL = ("PYTHONDONTWRITEBYTECODE", "PYTHONDEVMODE")
"""Settings under which Python starts more slowly than it does for a user."""

_BETWEEN = """
import os, subprocess, sys, time
began = time.perf_counter()
quiet = subprocess.DEVNULL
child = subprocess.Popen(sys.argv[1:], stdout=quiet, stderr=quiet)
if hasattr(os, "wait4"):
    _, status, used = os.wait4(child.pid, 0)
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    code = os.waitstatus_to_exitcode(status)
    print(code, used.ru_utime + used.ru_stime, used.ru_maxrss / scale)
else:
    print(child.wait(), time.perf_counter() - began, 0)
"""


def shoal(folder: Path, *words: str) -> Used:
    """Run a command of Shoal."""
    return process(folder, [sys.executable, "-m", "shoal", *words])


def python(folder: Path, code: str) -> Used:
    """Run some Python."""
    return process(folder, [sys.executable, "-c", code])
