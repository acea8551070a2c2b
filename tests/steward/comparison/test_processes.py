"""Work on several things at once: what comes of it, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shoal.steward.comparison.processes import work_on_each

SCRIPT = """
import sys, time
from shoal.steward.comparison.processes import work_on_each
if __name__ == "__main__":
    try:
        for _ in work_on_each(time.sleep, [0, 60], workers=2):
            print("one is done", flush=True)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_each_thing_is_worked_on_once(workers: int) -> None:
    assert sorted(work_on_each(abs, [-3, -1, -2], workers)) == [1, 2, 3]


def test_what_fails_in_a_process_is_raised_here() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(work_on_each(int, ["x", "y"], workers=2))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux")
@pytest.mark.parametrize("moment", ["while they start", "while one is idle"])
def test_ctrl_c_at_a_terminal_ends_all_at_once_and_quietly(tmp_path: Path, moment: str) -> None:
    (tmp_path / "work.py").write_text(SCRIPT)
    run = subprocess.Popen(
        [sys.executable, tmp_path / "work.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    started = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    if moment == "while they start":
        while run.poll() is None and len(started.read_text().split()) < 3:
            time.sleep(0.01)
    else:
        assert run.stdout is not None
        assert run.stdout.readline() == "one is done\n"
    for worker in started.read_text().split():  # a terminal tells them, too, perhaps first
        os.kill(int(worker), signal.SIGINT)
    time.sleep(0.3)
    os.kill(run.pid, signal.SIGINT)
    _, said = run.communicate(timeout=20)  # when all of them have closed their ends
    assert (run.returncode, said) == (130, "")
