"""Measure an experiment cell by cell; a stopped run goes on where it stopped.

The folder holds ``run.json`` (what was asked, and on which machine) and ``runs.csv``, to
which every finished cell is added at once. Cells that are there are not measured again. A
run of another configuration, or of another version of Shoal, starts anew.
"""

from __future__ import annotations

import csv
import hashlib
import io as text
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal import io
from shoal.engines.pipeline import Report
from shoal.errors import OutputError
from shoal.io.disk import cannot_write, replace_file
from shoal_papers.base import Cell, Experiment
from shoal_papers.results import Results

__all__ = [
    "COMPARISONS",
    "FIGURES",
    "PAGE",
    "RUN",
    "RUNS",
    "SUMMARY",
    "Measured",
    "measure",
    "recall",
]

RUN, RUNS, SUMMARY, PAGE = "run.json", "runs.csv", "numbers.csv", "README.md"
COMPARISONS = "comparisons.csv"
FIGURES = "figure-*.svg"
"""The files of a run's folder; one with other files is not touched."""


@dataclass(frozen=True, eq=False)
class Measured:
    """A finished run: its numbers, where and by which version they were measured.

    ``found`` says how many cells were there already, ``restarted`` whether an older run of
    another configuration was thrown away.
    """

    results: Results
    machine: dict[str, str]
    version: str
    found: int = 0
    restarted: bool = False


def measure(
    experiment: Experiment,
    folder: str | Path,
    *,
    fresh: bool = False,
    progress: Report | None = None,
) -> Measured:
    """Measure what is not yet measured in a folder.

    Parameters
    ----------
    fresh
        Start anew, whatever the folder holds.
    progress
        Called with ``"measure"``, the finished cells and all cells.

    Raises
    ------
    OutputError
        If the folder holds other files, or the disk refuses.
    """
    target = Path(folder)
    io.require_no_table(target, "An experiment is written to a folder.", "Name a folder.")
    io.check_free(target, _is_ours)
    cells = experiment.cells()
    configuration = experiment.configuration() | {"cells": _digest(cells)}
    try:
        target.mkdir(parents=True, exist_ok=True)
        old = _read_run(target)
        restarted = old is not None and (fresh or old["configuration"] != configuration)
        if old is None or restarted:
            _clear(target)
            old = {"configuration": configuration, "machine": _machine()}
            with replace_file(target / RUN) as file:
                file.write(f"{json.dumps(old, indent=2, ensure_ascii=False)}\n".encode())
        done = _measure_rest(experiment, cells, target / RUNS, progress)
    except OSError as error:
        raise cannot_write(target, error) from error
    found, numbers = done
    return _measured(experiment, cells, numbers, old, found, restarted)


def recall(experiment: Experiment, folder: str | Path) -> Measured:
    """Read what was measured in a folder, by whichever version; measure and change nothing.

    Raises
    ------
    OutputError
        If the folder holds no finished run of the experiment in the same form.
    """
    source = Path(folder)
    io.check_free(source, _is_ours)
    cells = experiment.cells()
    try:
        old = _read_run(source)
        numbers = _read_runs(source / RUNS, list(cells[0]), list(experiment.numbers))[0]
    except OSError as error:
        raise OutputError(f"'{source}' cannot be read.", "Name the folder of a run.") from error
    configuration = (old or {"configuration": {}})["configuration"]
    if old is None or (configuration.get("experiment"), configuration.get("quick")) != (
        experiment.name,
        experiment.quick,
    ):
        form = " --quick" if experiment.quick else ""
        raise OutputError(
            f"'{source}' holds no run of 'shoal paper {experiment.name}{form}'.",
            "Name its folder, and say --quick for a quick run only.",
        )
    missing = sum(_key(cell) not in numbers for cell in cells)
    if missing:
        raise OutputError(
            f"'{source}' lacks {missing:,} of {len(cells):,} measurements of this experiment.",
            "Leave out --from: then they are made.",
        )
    return _measured(experiment, cells, numbers, old, len(cells))


def _measured(
    experiment: Experiment,
    cells: Sequence[Cell],
    numbers: dict[str, dict[str, float]],
    run: dict[str, Any],
    found: int,
    restarted: bool = False,
) -> Measured:
    """Put the numbers of all cells together."""
    rows = [{**cell, **numbers[_key(cell)]} for cell in cells]
    results = Results(pl.DataFrame(rows), experiment.numbers)
    version = str(run["configuration"].get("shoal", "?"))
    return Measured(results, run["machine"], version, found, restarted)


def _measure_rest(
    experiment: Experiment, cells: Sequence[Cell], path: Path, progress: Report | None
) -> tuple[int, dict[str, dict[str, float]]]:
    """Measure the cells that the file lacks, and add each to it as soon as it is done."""
    settings = list(cells[0])
    numbers = list(experiment.numbers)
    done, whole = _read_runs(path, settings, numbers)
    if path.exists() and path.stat().st_size > whole:  # a line was cut off
        with path.open("r+b") as file:
            file.truncate(whole)
    rest = [cell for cell in cells if _key(cell) not in done]
    found = len(cells) - len(rest)
    if progress:
        progress("measure", found, len(cells))
    if not rest:
        return found, done
    experiment.prepare()
    with path.open("a", encoding="utf-8", newline="") as file:
        if file.tell() == 0:
            _append(file, [*settings, *numbers])
        for count, cell in enumerate(rest, start=found + 1):
            values = experiment.measure(cell)
            done[_key(cell)] = {name: float(values[name]) for name in numbers}
            _append(file, [*cell.values(), *done[_key(cell)].values()])
            if progress:
                progress("measure", count, len(cells))
    return found, done


def _append(file: Any, values: Sequence[object]) -> None:
    """Add a line in one piece, and wait until it is on the disk."""
    line = text.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    file.write(line.getvalue())
    file.flush()
    os.fsync(file.fileno())


def _read_runs(
    path: Path, settings: Sequence[str], numbers: Sequence[str]
) -> tuple[dict[str, dict[str, float]], int]:
    """Read the finished cells, and how many bytes they take; a line that was cut off is none."""
    if not path.exists():
        return {}, 0
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if not whole:
        return {}, 0
    try:
        head, *lines = csv.reader(text.StringIO(whole.decode()))
        if head != [*settings, *numbers]:
            raise _damaged(path)
        done = {
            "|".join(line[: len(settings)]): dict(
                zip(numbers, map(float, line[len(settings) :]), strict=True)
            )
            for line in lines
        }
        return done, len(whole)
    except (ValueError, csv.Error) as error:
        raise _damaged(path) from error


def _read_run(folder: Path) -> dict[str, Any] | None:
    path = folder / RUN
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if {"configuration", "machine"} <= set(found):
            return dict(found)
    except (ValueError, TypeError):
        pass
    raise _damaged(path)


def _damaged(path: Path) -> OutputError:
    return OutputError(
        f"'{path}' is damaged.", "Name another folder, or remove this file to start anew."
    )


def _is_ours(folder: Path) -> bool:
    """Tell a folder of ours: it holds our files and figures, and nothing else."""
    names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    figures = {path.name for path in folder.glob(FIGURES)}
    return RUN in names and not names - figures - {RUN, RUNS, SUMMARY, COMPARISONS, PAGE}


def _clear(folder: Path) -> None:
    """Remove an older run; its numbers first, so that no stop leaves them to a new one."""
    texts = [folder / name for name in (RUNS, SUMMARY, COMPARISONS, PAGE)]
    for path in texts + sorted(folder.glob(FIGURES)):
        path.unlink(missing_ok=True)


def _key(cell: Cell) -> str:
    return "|".join(map(str, cell.values()))


def _digest(cells: Sequence[Cell]) -> str:
    return hashlib.sha256(json.dumps(list(cells)).encode()).hexdigest()[:16]


def _machine() -> dict[str, str]:
    """Say where times were taken, and how busy it was when the run began."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
        named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        processor = named[0] if named else processor
    return {
        "processor": processor,
        "cores": str(os.cpu_count()),
        "system": platform.system(),
        "python": platform.python_version(),
        **({"load": f"{os.getloadavg()[0]:.1f}"} if hasattr(os, "getloadavg") else {}),
    }
