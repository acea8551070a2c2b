"""What vectors are worth to GAA-CP, k-member and KAIM: the same with loops over lanes."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import shoal
from benchmarks.timing import Figures, cpu
from shoal.kernels.clustering import search
from shoal.kernels.clustering.boxes import GROUP, LANES, SHARED
from shoal.kernels.clustering.lanes import (
    BEGINS,
    DISTANCE,
    DISTANCES,
    ENDS,
    FACTOR,
    FIRST,
    FROM,
    GAP,
    HOLED,
    LARGEST_CELL,
    LAST,
    MISSING_COST,
    NEAR,
    OWN,
    RINGS,
    STEP,
    TO,
    WHICH,
    Query,
)
from shoal.kernels.compiled import compiled
from shoal.plan import Plan
from shoal.table import Table

__all__ = ["vectors"]

FORMS = ("vectors", "loops")


def vectors() -> Figures:
    """Grouping by vectors of 16 lanes and by loops over lanes: 8 QIs, k = 5, best of 3."""
    found = {form: json.loads(_run(form)) for form in FORMS}
    figures: Figures = {}
    for name, (spent, labels) in found["vectors"].items():
        slower, others = found["loops"][name]
        figures |= {
            f"{name}: vectors (s CPU)": spent,
            f"{name}: loops (s CPU)": slower,
            f"{name}: times": slower / spent,
            f"{name}: same labels": str(labels == others),
        }
    return figures


def _run(form: str) -> str:
    """Measure in a process of its own: kernels are compiled once in each."""
    command = [sys.executable, "-m", "benchmarks.vectors", form]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _measured() -> dict[str, tuple[float, str]]:
    plan = Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    schema = shoal.Schema({name: plan[name] for name in plan.quasi})
    figures = {}
    for name, frame in (
        ("Adult complete", shoal.datasets.adult(complete=True)),
        ("census 100,000", shoal.datasets.census(100_000)),
    ):
        table = Table.encode(frame.select(schema.quasi), schema)
        _ = table.trees
        for method in (shoal.GAACP("paper", "first"), shoal.KMember(), shoal.KAIM()):
            group = _grouping(method, table)
            small = table.select(np.arange(4000), ranges="own")
            _grouping(method, small)()  # loads the kernels, which is not what is measured
            spent = min(cpu(group) for _ in range(3))
            labels = hashlib.sha256(group().labels.tobytes()).hexdigest()
            figures[f"{name}, {method.name}"] = (spent, labels)
    return figures


def _grouping(method: shoal.methods.Method, table: Table) -> Callable[[], Any]:
    return lambda: method.group(table, [shoal.KAnonymity(5)], rng=np.random.default_rng(1))


@compiled
def _cell(cells: Any, group: int, j: int, side: int, f: int) -> int:
    return np.int64(cells[group, j, side, f] if cells.ndim == 4 else cells[group, j, f])


@compiled
def _step(cells: Any, group: int, query: Query, side: int, r: int, f: int) -> int:
    j, band = query.rings[r, 0], query.bands[r]
    outside = _cell(cells, group, j, side, f) > band[LAST, 0]
    outside |= _cell(cells, group, j, 1 - side, f) < band[FIRST, 0]
    return np.int64(band[STEP, 0]) if outside else 0


@compiled
def _way(cells: Any, group: int, query: Query, side: int, w: int, f: int) -> int:
    j, road = query.distances[w], query.roads[w]
    right = _cell(cells, group, j, side, f) - np.int64(road[ENDS, 0])
    left = np.int64(road[BEGINS, 0]) - _cell(cells, group, j, 1 - side, f)
    return max(left, right, 0) * np.int64(road[FACTOR, 0]) >> 16


@compiled
def loops(
    cells: Any,
    group: int,
    holes: Any,
    query: Query,
    limit: int,
    bounds: Any,
    side: int,
    boxes: bool,
) -> int:
    """Do what `shoal.kernels.clustering.lanes.rule_out` does, one lane after another."""
    bits = 0
    for f in range(LANES):
        total = 0
        for r in range(query.counts[RINGS]):
            total += _step(cells, group, query, side, r, f)
        for w in range(query.counts[DISTANCES]):
            total += _way(cells, group, query, side, w, f)
        for h in range(query.counts[HOLED]):
            j, way = query.holed[h, WHICH], query.holed[h, DISTANCE]
            hole = query.gaps[h, MISSING_COST, 0]
            part = np.int64(query.gaps[h, OWN, 0])
            for r in range(query.holed[h, FROM], query.holed[h, TO]):
                part += _step(cells, group, query, side, r, f)
            if way >= 0:
                part += _way(cells, group, query, side, way, f)
            part = min(part, LARGEST_CELL)
            if boxes and (holes[group * GROUP + f] >> min(j, SHARED)) & 1:
                part = min(part, hole) if side == NEAR else max(part, hole)
            all_missing = _cell(cells, group, j, side, f) == query.gaps[h, GAP, 0]
            total += hole if all_missing else part
        total = min(total, LARGEST_CELL)
        if boxes:
            bounds[f] = total
        bits |= (total <= limit if side == NEAR else total >= limit) << f
    return bits


if __name__ == "__main__":
    if sys.argv[1] == "loops":
        search.rule_out = loops
    print(json.dumps(_measured()))
