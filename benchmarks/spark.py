"""A release on Spark beside the same release on one machine."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import polars as pl

import shoal
from benchmarks.timing import Figures

__all__ = ["spark", "spark_five_million", "spark_twenty_million"]

ROWS_PER_FILE = 1_000_000
"""So many rows are drawn at a time: the machine must not hold them all."""


def spark() -> Figures:
    """Spark on two cores, `census`, 1 M rows, GAA-CP, k = 10, beside one process."""
    return _spark(1_000_000, compare=True)


def spark_five_million() -> Figures:
    """Spark on two cores, `census`, 5 M rows, GAA-CP, k = 10: what each step takes."""
    return _spark(5_000_000, compare=False)


def spark_twenty_million() -> Figures:
    """Spark on two cores, `census`, 20 M rows, GAA-CP, k = 10: what each step takes."""
    return _spark(20_000_000, compare=False)


def _cpu() -> float:
    """Sum up the CPU that this process and all below it took: Java, and Python's workers."""
    above: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = each.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        above[int(each.parent.name)] = int(fields[1])
        ticks[int(each.parent.name)] = sum(map(int, fields[11:15]))  # with children that ended

    def ours(pid: int) -> bool:
        while pid in above and pid != os.getpid():
            pid = above[pid]
        return pid == os.getpid()

    return sum(own for pid, own in ticks.items() if ours(pid)) / os.sysconf("SC_CLK_TCK")


def _draw(rows: int, folder: Path) -> None:
    """Write a census as a folder of files, each from a seed of its own."""
    folder.mkdir()
    for number, first in enumerate(range(0, rows, ROWS_PER_FILE)):
        part = shoal.datasets.census(min(ROWS_PER_FILE, rows - first), seed=number)
        part.write_parquet(folder / f"part-{number:03d}.parquet", row_group_size=250_000)


def _spark(rows: int, *, compare: bool) -> Figures:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    plan = plan.model_copy(update={"blocks": "auto", "method": {"name": "gaa-cp", "seed": 1}})
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _draw(rows, folder / "in.parquet")
        began = time.perf_counter()
        with shoal.spark.start("local[2]") as session:
            figures["start of Spark (s)"] = time.perf_counter() - began
            given = session.read.parquet(str(folder / "in.parquet"))
            spent = {"": _cpu()}

            def report(step: str, done: int, total: int) -> None:
                if done:
                    spent[step] = _cpu()

            made = shoal.spark.anonymize(given, plan, output=folder / "out", progress=report)
        for (step, after), before in zip(list(spent.items())[1:], spent.values(), strict=False):
            figures[f"{step}: CPU (s)"] = after - before
        cpu = list(spent.values())[-1] - spent[""]
        figures["all steps: CPU (s)"] = cpu
        figures["all steps: CPU per million rows (s)"] = cpu / (rows / 1_000_000)
        figures["all steps: clock (s)"] = sum(made.seconds.values())
        if compare:
            frame = pl.read_parquet(folder / "in.parquet" / "*.parquet")
            found = pl.read_parquet(folder / "out" / "table.parquet" / "*.parquet")
            local = shoal.anonymize(frame, plan)
            whole = shoal.anonymize(frame, plan.model_copy(update={"blocks": None}))
            shown = found.select(local.table.columns).sort(pl.all())
            same = shown.equals(local.table.sort(pl.all()))
            figures["same rows as one machine in as many blocks"] = str(same)
            lost = made.measures["iloss"] / whole.measures["iloss"]
            figures["more lost than one machine as a whole (%)"] = 100 * (lost - 1)
    return figures
