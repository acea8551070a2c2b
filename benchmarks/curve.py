"""Loss against time: what refinement has found by when, and what nothing gets below.

`python -m benchmarks.curve` measures complete Adult anew, one thread, and writes
`docs/refinement.csv`; `python docs/figures.py` draws it.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path

import numpy as np

import shoal
from benchmarks.refinement import _group, _lost
from shoal.improve import Refinement, refine
from shoal.table import Table
from shoal_papers.adult import encoded
from shoal_papers.gaa_cp.experiment import QUASI, SENSITIVE

FILE = Path(__file__).parents[1] / "docs" / "refinement.csv"

MOMENTS = (0.6, 0.8, 1, 1.3, 1.6, 2, 2.5, 3, 4, 5, 6.5, 8, 10, 13, 16, 20, 25, 30)
"""Seconds of CPU; the start and the near points are included."""

BOUND_SECONDS = 60.0


def main() -> None:
    """Measure, and write the figures."""
    table = encoded(QUASI, (SENSITIVE,), rows=45_222, complete=True)
    rows: list[tuple[int, str, float, float]] = []
    for k in (5, 10, 25):
        for steps in (50, None):  # the first time compiles
            made = _measured(table, k, steps)
        rows += made
        began = time.process_time()
        bound = shoal.measures.lower_bound(table, table.schema, k, seconds=BOUND_SECONDS)
        rows.append((k, "bound", time.process_time() - began, bound.value))
    with FILE.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(("k", "what", "seconds", "iloss"))
        out.writerows((k, what, f"{spent:.2f}", f"{lost:.1f}") for k, what, spent, lost in rows)


def _measured(table: Table, k: int, steps: int | None) -> list[tuple[int, str, float, float]]:
    """GAA-CP, and KACA's groups refined with seed 1; the loss whenever a moment has passed."""
    require = [shoal.KAnonymity(k)]
    began = time.process_time()
    grown = _group(table, shoal.GAACP(picks="first"), require)
    rows = [(k, "GAA-CP", time.process_time() - began, _lost(table, grown))]
    began = time.process_time()
    start = _group(table, shoal.KACA(picks="first"), require)
    spent = time.process_time() - began
    rows.append((k, "refined", spent, _lost(table, start)))
    began, waiting = time.process_time() - spent, list(MOMENTS)

    def watch(done: int, total: int, value: float) -> None:
        spent = time.process_time() - began
        if waiting and spent >= waiting[0]:
            rows.append((k, "refined", spent, value))
            while waiting and spent >= waiting[0]:
                waiting.pop(0)
        if not waiting:
            raise KeyboardInterrupt

    refinement = Refinement(
        steps=steps, seconds=None if steps else 10 * MOMENTS[-1], on_interrupt="keep"
    )
    rng = np.random.default_rng(1)
    refine(table, start, require, refinement, rng=rng, threads=1, watch=watch)
    return rows


if __name__ == "__main__":
    main()
