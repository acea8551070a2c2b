"""What starting costs: CPU of short commands, beside a bare Python."""

from __future__ import annotations

import itertools
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
    """Short commands, warm: median CPU seconds of nine processes; runs at k = 10."""
    with tempfile.TemporaryDirectory() as place:
        folder, python = Path(place), [sys.executable]

        def run(method: str) -> list[str]:
            plan = _adult(folder / method, method)
            return [*python, "-m", "shoal", "run", str(plan), "--output", f"{folder}/{method}/out"]

        commands = {
            "python -c pass (s)": [*python, "-c", "pass"],
            "import polars, numpy (s)": [*python, "-c", "import polars, numpy"],
            "shoal --version (s)": [*python, "-m", "shoal", "--version"],
            "shoal --help (s)": [*python, "-m", "shoal", "--help"],
            "shoal run, gaa-cp, 1,000 rows (s)": run("gaa-cp"),
            "shoal run, auto, 1,000 rows (s)": run("auto"),
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
    for method, rows in itertools.product(("gaa-cp", "auto"), (1_000, 48_842)):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            plan = _adult(folder, method, rows)
            command = [sys.executable, "-m", "shoal", "run", str(plan), "--output", f"{folder}/out"]
            figures[f"first, {method}, {rows:,} rows (s)"] = _cpu(command, folder)
            figures[f"second, {method}, {rows:,} rows (s)"] = _cpu(command, folder)
    return figures


def _adult(folder: Path, method: str, rows: int = 1_000) -> Path:
    """Copy the bundled plan, with another method, and some rows of the table beside it."""
    copytree(shoal.datasets.folder("adult"), folder / "adult")
    shoal.datasets.adult().head(rows).write_csv(folder / "adult" / "adult.csv")
    plan = folder / "adult" / "adult.toml"
    plan.write_text(plan.read_text().replace('name = "auto"', f'name = "{method}"'))
    return plan


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
