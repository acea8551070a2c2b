"""Tables that hold everything a database can trip over, and the plans to publish them by."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal

__all__ = ["CANARY", "ROWS", "UNTOUCHED", "as_read", "census_plan", "people", "plan_for", "stored"]

ROWS = int(os.environ.get("TORTURE_ROWS", "1000000"))

CANARY = "canary"
"""Every text that must never be shown holds it."""

UNTOUCHED = ("name", "weight", "ill", "born", "seen", "price")
"""Columns that are published as they are."""

TEXTS = (f"Zoë {CANARY}", f"漢字 {CANARY}", f"'; DROP TABLE {CANARY}", f"01234 {CANARY}\t\n", None)


def people(rows: int, seed: int = 1) -> pl.DataFrame:
    """Draw people with numbers, texts of any script, dates, times, decimals and many holes."""
    rng = np.random.default_rng(seed)
    census = shoal.datasets.census(rows, seed=seed)
    holes = pl.Series(rng.random(rows) < 0.05)

    def holed(values: pl.Series) -> pl.Series:
        return values.zip_with(~holes.shuffle(seed=seed), pl.Series([None]).cast(values.dtype))

    days = pl.Series(rng.integers(-40_000, 20_000, rows)).cast(pl.Int32).cast(pl.Date)
    moments = pl.Series(rng.integers(0, 2**50, rows)).cast(pl.Datetime("us"))
    return census.select("age", "sex", "education", "occupation").with_columns(
        id=pl.int_range(pl.len()),
        age=holed(census["age"]),
        name=pl.Series(rng.choice(len(TEXTS), rows)).replace_strict(
            dict(enumerate(TEXTS)), return_dtype=pl.String
        ),
        weight=holed(pl.Series(rng.normal(size=rows) * 10.0 ** rng.integers(-9, 9, rows))),
        ill=holed(pl.Series(rng.random(rows) < 0.5)),
        born=holed(days),
        seen=holed(moments),
        price=holed(pl.Series(rng.integers(0, 10**9, rows)).cast(pl.Decimal(18, 2))),
    )


def as_read(frame: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Say how a database gives back what `stored` put into it."""
    plain = pl.col("price").cast(pl.String).str.strip_chars_end("0").str.strip_chars_end(".")
    if kind == "duckdb":
        return frame
    if kind == "postgresql":
        return frame.with_columns(price=plain)
    return frame.with_columns(
        pl.col("ill").cast(pl.Int64),
        pl.col("born").cast(pl.String),
        pl.col("seen").dt.to_string("%Y-%m-%dT%H:%M:%S%.6f"),
        price=plain,
    )


def stored(frame: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Say what a database is given: SQLite knows no decimals."""
    return as_read(frame, kind) if kind == "sqlite" else frame


def plan_for(url: str, folder: Path, **output: Any) -> shoal.Plan:
    """Publish a table of a database into the same database and a folder."""
    return shoal.Plan.from_dict(
        {
            "input": {"sql": {"url": url, "table": "people"}},
            "columns": {
                "id": {"role": "identifier"},
                "age": {"role": "quasi", "kind": "numeric"},
                "sex": {"role": "quasi"},
                "education": {"role": "quasi"},
                "occupation": {"role": "sensitive"},
                **{name: {"role": "other"} for name in UNTOUCHED},
            },
            "require": [{"model": "k-anonymity", "k": 5}],
            "method": {"name": "gaa-cp", "seed": 7},
            "blocks": "auto",
            "output": {
                "path": "release",
                "format": "parquet",
                "sql": {"url": url, "table": "published", **output},
            },
        },
        folder=folder,
    )


def census_plan(source: Path, output: Path, blocks: int | str | None = "auto") -> shoal.Plan:
    """Publish a census in blocks, with the hierarchies of Adult."""
    spec = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").to_dict()
    spec |= {
        "method": {"name": "gaa-cp", "seed": 1},
        "input": {"path": str(source)},
        "output": {"path": str(output)},
    }
    if blocks is not None:
        spec["blocks"] = blocks
    return shoal.Plan.from_dict(spec, folder=shoal.datasets.folder("adult"))
