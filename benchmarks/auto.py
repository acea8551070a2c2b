"""The default method, as a user calls it: what is lost, how near to the best, how long it takes."""

from __future__ import annotations

import polars as pl

import shoal
from benchmarks import stays
from benchmarks.timing import Figures, cpu

__all__ = ["auto", "auto_million"]


def auto() -> Figures:
    """`shoal.anonymize` with `auto`, observed ends: Adult complete, 8 QIs, and `stays` 50,000."""
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    tables = {
        "Adult 45,222": (shoal.datasets.adult(complete=True), plan.schema_()),
        "stays 50,000": (stays.stays(50_000), stays.schema()),
    }
    figures: Figures = {}
    for name, (frame, schema) in tables.items():
        for k in (5, 10, 25, 100):
            figures |= _figures(f"{name}, k = {k}", frame, schema, k)
    return figures


def auto_million() -> Figures:
    """`shoal.anonymize` with `auto` on a million rows of `census`, 8 QIs, observed ends, k = 10."""
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    frame = shoal.datasets.census(1_000_000).select(*plan.schema_())
    return _figures("census 1,000,000, k = 10", frame, plan.schema_(), 10)


def _figures(case: str, frame: pl.DataFrame, schema: shoal.Schema, k: int) -> Figures:
    made: dict[str, shoal.Release] = {}

    def run(method: str) -> None:
        made[method] = shoal.anonymize(
            frame, schema, require=k, method=method, bounds="observed", seed=1
        )

    run("auto")  # compiles
    spent = {name: cpu(lambda name=name: run(name)) for name in ("gaa-cp", "auto")}  # type: ignore[misc]
    release = made["auto"]
    assert release.refined is not None
    assert release.bound is not None
    parts = ", ".join(
        f"{name} {release.seconds[name]:.1f}" for name in ("group", "bound", "refine")
    )
    return {
        f"{case}: gaa-cp": made["gaa-cp"].measures["iloss"],
        f"{case}: auto": release.measures["iloss"],
        f"{case}: over the bound": release.bound.lost / release.bound.least,
        f"{case}: steps": release.refined.steps,
        f"{case}: gaa-cp, all (s CPU)": spent["gaa-cp"],
        f"{case}: auto, all (s CPU)": spent["auto"],
        f"{case}: of it (s)": parts,
    }
