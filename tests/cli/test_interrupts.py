"""Ctrl-C and a closed pipe, at any moment: a short word at most, never a traceback."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

SETTINGS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
MODULE, FUNCTION = SETTINGS["project"]["scripts"]["shoal"].split(":")
START = f"""
import sys
sys.argv = ["shoal", *sys.argv[1:]]
from {MODULE} import {FUNCTION}
sys.exit({FUNCTION}())
"""
"""What the console script does."""

STOP_AT_IMPORT = """
import os, signal, sys
class Stopper:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stopper())
"""
AT_WRITE = """
import os, signal, sys
class Stopper:
    def __init__(self, stream): self.stream, self.left = stream, {left}
    def __getattr__(self, name): return getattr(self.stream, name)
    def write(self, text):
        self.left -= 1
        if self.left == 0:
            {do}
        return self.stream.write(text)
sys.stdout = Stopper(sys.stdout)
"""


def started(before: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", before + START, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["typer", "polars", "shoal.plan", "rich.table"])
def test_ctrl_c_while_starting(name: str) -> None:
    found = started(STOP_AT_IMPORT.format(name=name), "run", "nothing.toml")
    assert found.returncode == 130, found.stderr
    assert found.stderr.startswith("Error: Stopped.\n")
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("left", [1, 2])
def test_ctrl_c_while_printing(left: int) -> None:
    do = "os.kill(os.getpid(), signal.SIGINT)"
    found = started(AT_WRITE.format(left=left, do=do), "methods", *["--json"] * (left > 1))
    assert found.returncode == 130, found.stderr
    assert "Stopped." in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    "arguments", [["methods"], ["methods", "--json"], ["--version"], ["--help"]]
)
def test_a_pipe_that_closes_while_printing(arguments: list[str]) -> None:
    found = started(AT_WRITE.format(left=1, do="raise BrokenPipeError"), *arguments)
    assert found.returncode == 141, found.stderr
    assert found.stderr == ""


@pytest.mark.parametrize("arguments", ["--help", "--version", "methods --json", "run nothing.toml"])
def test_nobody_listens_at_all(arguments: str, tmp_path: Path) -> None:
    """Standard output and standard error are pipes that nobody reads."""
    command = [sys.executable, "-c", START, *arguments.split()]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path)
    assert run.stdout is not None
    run.stdout.close()
    assert run.wait() == 141


def test_a_full_disk_behind_standard_output_is_no_defect() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    with full.open("w") as out:
        command = [sys.executable, "-c", START, "methods"]
        found = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert found.returncode == 2
    assert "No space left" in found.stderr


def test_a_message_may_hold_half_characters(tmp_path: Path) -> None:
    """File names are bytes: what is no text in one is shown, and is no defect."""
    command = [sys.executable.encode(), b"-c", START.encode(), b"run", b"\xff.toml"]
    found = subprocess.run(command, capture_output=True, cwd=tmp_path, check=False)
    assert found.returncode == 2
    assert b"There is no plan" in found.stderr


def test_signs_that_the_terminal_does_not_know(tmp_path: Path) -> None:
    before = "import sys; sys.stdout.reconfigure(encoding='ascii', errors='strict')\n"
    found = started(before, "methods")
    assert found.returncode == 0, found.stderr
