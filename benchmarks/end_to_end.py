"""`shoal run` and the commands that follow it, against a process that copies the file."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

import shoal
from benchmarks.timing import Figures
from shoal.steward.bench.cases import AFTER, COPY, prepare
from shoal.steward.bench.processes import python, shoal as command

__all__ = ["end_to_end", "fifty_million", "ten_million"]


def end_to_end() -> Figures:
    """`shoal run` with GAA-CP, CSV to verified CSV, 8 QIs, k = 10: CPU of whole processes."""
    figures: Figures = {}
    tables = {
        "Adult 45,222": shoal.datasets.adult(complete=True),
        "census 1,000,000": shoal.datasets.census(1_000_000),
    }
    for name, frame in tables.items():
        with tempfile.TemporaryDirectory() as place:
            found = _of(frame, Path(place))
            figures |= {f"{name}: {label}": value for label, value in found.items()}
    return figures


def _of(frame: pl.DataFrame, place: Path) -> Figures:
    prepare(place, frame)
    copy = min(python(place, COPY).cpu for _ in range(3))
    figures: Figures = {
        "frame in memory (MB)": frame.estimated_size() / 1e6,
        "polars copy of the file (CPU s)": copy,
    }
    for words in ("run plan.toml", *AFTER, "verify release --original adult.csv"):
        used = min((command(place, *words.split()) for _ in range(2)), key=lambda each: each.cpu)
        figures[f"shoal {words} (CPU s)"] = used.cpu
        figures[f"shoal {words} (MB)"] = used.memory
        if words.startswith("run"):
            figures["ratio of run to copy"] = used.cpu / copy
    return figures


def ten_million() -> Figures:
    """`shoal run` with GAA-CP in blocks on 10 million rows, Parquet to verified Parquet, k = 10."""
    return _large(10)


def fifty_million() -> Figures:
    """The same on 50 million rows."""
    return _large(50)


def _large(millions: int) -> Figures:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder, shoal.datasets.census(1000))
        schema = shoal.datasets.census(1000).to_arrow().schema
        with pq.ParquetWriter(folder / "adult.parquet", schema, compression="zstd") as writer:
            for seed in range(millions):
                writer.write_table(shoal.datasets.census(1_000_000, seed=seed).to_arrow())
        plan = (folder / "plan.toml").read_text()
        for old, new in (
            ("version = 1\n", 'version = 1\nblocks = "auto"\n'),
            ('path = "adult.csv"', 'path = "adult.parquet"'),
            ('format = "csv"', 'format = "parquet"'),
        ):
            plan = plan.replace(old, new)
        (folder / "plan.toml").write_text(plan)
        began = time.perf_counter()
        used = command(folder, "run", "plan.toml")
        return {
            "whole command (CPU s)": used.cpu,
            "whole command, on the clock (s)": time.perf_counter() - began,
            "memory (MB)": used.memory,
        }
