"""Work on several things at once: what comes of it, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shoal.comparison.processes import work_on_each

SCRIPT = """
import sys, time
from shoal.comparison.processes import work_on_each
if __name__ == "__main__":
    print("begun", flush=True)
    try:
        list(work_on_each(time.sleep, [60, 60], workers=2))
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_each_thing_is_worked_on_once(workers: int) -> None:
    assert sorted(work_on_each(abs, [-3, -1, -2], workers)) == [1, 2, 3]


def test_what_fails_in_a_process_is_raised_here() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(work_on_each(int, ["x", "y"], workers=2))


@pytest.mark.skipif(sys.platform == "win32", reason="needs groups of processes")
@pytest.mark.parametrize("wait", [0.0, 0.5])
def test_ctrl_c_at_a_terminal_ends_all_at_once_and_quietly(tmp_path: Path, wait: float) -> None:
    (tmp_path / "work.py").write_text(SCRIPT)
    run = subprocess.Popen(
        [sys.executable, tmp_path / "work.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    time.sleep(wait)
    os.killpg(run.pid, signal.SIGINT)  # a terminal tells all of its processes
    _, said = run.communicate(timeout=20)  # when all of them have closed their ends
    assert (run.returncode, said) == (130, "")
