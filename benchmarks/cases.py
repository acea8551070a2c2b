"""The cases; each returns its figures."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from benchmarks import numpy_scan
from shoal import pipeline
from shoal.grouping import Grouping
from shoal.plan import Plan
from shoal.recode import generalize
from shoal.table import Table
from shoal.verification import verify

Figures = dict[str, float | int | str]


def _plan() -> Plan:
    return Plan.read(shoal.datasets.folder("adult") / "adult.toml")


def adult_run() -> Figures:
    """`shoal run`, CSV to verified CSV: Adult complete, 45,222 rows, 8 QIs, k = 10."""
    bundled = shoal.datasets.folder("adult")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shoal.datasets.adult(complete=True).write_csv(folder / "adult.csv")
        (folder / "hierarchies").symlink_to(bundled / "hierarchies")
        (folder / "plan.toml").write_text((bundled / "adult.toml").read_text())
        command = [Path(sys.executable).with_name("shoal"), "run", folder / "plan.toml", "--json"]
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        whole = time.perf_counter() - began
        began = time.perf_counter()
        pl.read_csv(folder / "adult.csv").write_csv(folder / "copy.csv")
        copy = time.perf_counter() - began
        manifest = pl.read_json(folder / "release.private" / "manifest.json")
    steps = {f"of it: {k} (s)": v for k, v in manifest["seconds"][0].items()}
    return {"whole command (s)": whole, **steps, "polars copy of the file (s)": copy}


def gaacp_kernel() -> Figures:
    """GAA-CP's grouping against a vectorised NumPy scan: Adult complete, 8 QIs, k = 10."""
    table = Table.encode(shoal.datasets.adult(complete=True), _plan().schema_())
    method = shoal.GAACP(picks="first")
    require = [shoal.KAnonymity(10)]
    method.group(table.take(np.arange(100)), require, rng=np.random.default_rng(0))  # warm
    began = time.process_time()
    found = method.group(table, require, rng=np.random.default_rng(0))
    ours = time.process_time() - began
    began = time.process_time()
    theirs_labels = numpy_scan.labels(table, 10)
    theirs = time.process_time() - began
    placed = theirs_labels >= 0
    same = bool(np.array_equal(theirs_labels[placed], found.labels[placed]))
    return {
        "kernel (s CPU)": ours,
        "NumPy scan (s CPU)": theirs,
        "ratio": theirs / ours,
        "same labels": str(same),
    }


def census_million() -> Figures:
    """`census(1_000_000)`: encode, publish sorted blocks of 10, verify, measure; no clustering."""
    began = time.perf_counter()
    frame = shoal.datasets.census(1_000_000)
    made = time.perf_counter() - began
    schema = _plan().schema_()
    marks = [time.perf_counter()]
    table = Table.encode(frame, schema)
    marks.append(time.perf_counter())
    order = np.lexsort([column.codes for column in reversed(table.quasi)])
    labels = np.empty(table.n_rows, dtype=np.int32)
    labels[order] = np.arange(table.n_rows) // 10
    recoded = generalize(table, Grouping(labels))
    published = recoded.decode(table)
    marks.append(time.perf_counter())
    proof = verify(
        published, table.schema, [shoal.KAnonymity(10)], original=table.frame, rows=recoded.rows
    )
    marks.append(time.perf_counter())
    pipeline.measure(table, recoded)
    marks.append(time.perf_counter())
    encode, recode, check, measure = np.diff(marks)
    return {
        "make the table (s)": made,
        "encode (s)": encode,
        "group and recode (s)": recode,
        "verify against the original (s)": check,
        "measure (s)": measure,
        "encode + verify + measure (s)": encode + check + measure,
        "holds": str(proof.passed),
    }


CASES: dict[str, Callable[[], Figures]] = {
    each.__name__: each for each in (adult_run, gaacp_kernel, census_million)
}
