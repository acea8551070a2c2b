"""A release on Spark beside the same release on one machine."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import polars as pl

import shoal
from benchmarks.timing import Figures

__all__ = ["spark", "spark_five_million"]


def spark() -> Figures:
    """Spark on two cores, `census`, 1 M rows, GAA-CP, k = 10: beside one process, and as a whole."""
    return _spark(1_000_000, compare=True)


def spark_five_million() -> Figures:
    """Spark on two cores, `census`, 5 M rows, GAA-CP, k = 10: what each step takes."""
    return _spark(5_000_000, compare=False)


def _spark(rows: int, *, compare: bool) -> Figures:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    plan = plan.model_copy(update={"blocks": "auto", "method": {"name": "gaa-cp", "seed": 1}})
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shoal.datasets.census(rows).write_parquet(folder / "in.parquet", row_group_size=250_000)
        began = time.perf_counter()
        with shoal.spark.start("local[2]") as session:
            figures["start of Spark (s)"] = time.perf_counter() - began
            given = session.read.parquet(str(folder / "in.parquet"))
            made = shoal.spark.anonymize(given, plan, output=folder / "out")
        for step, seconds in made.seconds.items():
            figures[f"{step} (s)"] = seconds
        figures["all steps (s)"] = sum(made.seconds.values())
        figures["seconds per million rows"] = sum(made.seconds.values()) / (rows / 1_000_000)
        if compare:
            frame = pl.read_parquet(folder / "in.parquet")
            found = pl.read_parquet(folder / "out" / "table.parquet" / "*.parquet")
            local = shoal.anonymize(frame, plan)
            whole = shoal.anonymize(frame, plan.model_copy(update={"blocks": None}))
            shown = found.select(local.table.columns).sort(pl.all())
            figures["same rows as one machine in as many blocks"] = shown.equals(
                local.table.sort(pl.all())
            )
            lost = made.measures["iloss"] / whole.measures["iloss"]
            figures["more lost than one machine as a whole (%)"] = 100 * (lost - 1)
    return figures
