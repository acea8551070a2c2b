"""`shoal run` and the commands that follow it, against a process that copies the file."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import polars as pl

import shoal
from benchmarks.timing import Figures

__all__ = ["end_to_end"]

COPY = "import polars; polars.read_csv('adult.csv').write_csv('copy.csv')"


def end_to_end() -> Figures:
    """`shoal run` with GAA-CP, CSV to verified CSV, 8 QIs, k = 10: CPU of whole processes.

    The ratio is to a process that reads and writes the same file with polars.
    """
    figures: Figures = {}
    tables = {
        "Adult 45,222": shoal.datasets.adult(complete=True),
        "census 1,000,000": shoal.datasets.census(1_000_000),
    }
    for name, frame in tables.items():
        with tempfile.TemporaryDirectory() as place:
            figures |= {f"{name}: {label}": value for label, value in _of(frame, place).items()}
    return figures


def _of(frame: pl.DataFrame, place: str) -> Figures:
    folder, bundled = Path(place), shoal.datasets.folder("adult")
    frame.write_csv(folder / "adult.csv")
    (folder / "hierarchies").symlink_to(bundled / "hierarchies")
    plan = (bundled / "adult.toml").read_text()
    (folder / "plan.toml").write_text(re.sub('name = "auto"', 'name = "gaa-cp"', plan))
    figures: Figures = {"frame in memory (MB)": frame.estimated_size() / 1e6}
    command = Path(sys.executable).with_name("shoal")
    copy = min(_process(place, sys.executable, "-c", COPY)[0] for _ in range(3))
    figures["polars copy of the file (CPU s)"] = copy
    for words in (
        "run plan.toml",
        "verify release",
        "query release --where age=30..40",
        "risk release",
        "verify release --original adult.csv",
        "measure release --plan plan.toml",
    ):
        took = [_process(place, str(command), *words.split()) for _ in range(2)]
        figures[f"shoal {words} (CPU s)"] = min(each[0] for each in took)
        figures[f"shoal {words} (MB)"] = min(each[1] for each in took)
        if words.startswith("run"):
            figures["ratio of run to copy"] = min(each[0] for each in took) / copy
    return figures


def _process(place: str, *command: str) -> tuple[float, float]:
    """Run a process; give its CPU seconds and its most memory."""
    child = os.fork()
    if not child:
        os.chdir(place)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.execv(command[0], command)
    _, status, used = os.wait4(child, 0)
    assert status == 0, command
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
