"""What starting costs: CPU of short commands, beside a bare Python."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copytree
from statistics import median

import shoal
from benchmarks.timing import Figures

__all__ = ["first_run", "startup"]

RUNS = 9


def startup() -> Figures:
    """Short commands, warm: median CPU seconds of nine processes; the run is GAA-CP, k = 10."""
    with tempfile.TemporaryDirectory() as place:
        folder, python = Path(place), [sys.executable]
        run = [*python, "-m", "shoal", "run", str(_adult(folder)), "--output", f"{folder}/out"]
        commands = {
            "python -c pass (s)": [*python, "-c", "pass"],
            "import polars, numpy (s)": [*python, "-c", "import polars, numpy"],
            "shoal --version (s)": [*python, "-m", "shoal", "--version"],
            "shoal --help (s)": [*python, "-m", "shoal", "--help"],
            "shoal run, 1,000 rows (s)": run,
        }
        for command in commands.values():  # bytecode, kernels and the report's template
            _cpu(command, folder)
        return {
            name: median(_cpu(command, folder) for _ in range(RUNS))
            for name, command in commands.items()
        }


def first_run() -> Figures:
    """The first run ever: nothing compiled, neither bytecode nor kernels; CPU seconds."""
    figures: Figures = {}
    for rows in (1_000, 48_842):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            plan = _adult(folder, rows)
            command = [sys.executable, "-m", "shoal", "run", str(plan), "--output", f"{folder}/out"]
            figures[f"first, {rows:,} rows (s)"] = _cpu(command, folder)
            figures[f"second, {rows:,} rows (s)"] = _cpu(command, folder)
    return figures


def _adult(folder: Path, rows: int = 1_000) -> Path:
    """Copy the bundled plan, with some rows of the table beside it."""
    copytree(shoal.datasets.folder("adult"), folder / "adult")
    shoal.datasets.adult().head(rows).write_csv(folder / "adult" / "adult.csv")
    return folder / "adult" / "adult.toml"


def _cpu(command: list[str], folder: Path) -> float:
    """Run a process with caches of its own in the folder; give its CPU seconds."""
    surroundings = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
    surroundings |= {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "NUMBA_CACHE_DIR": str(folder / "kernels"),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=surroundings, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
