"""Bounds on shares in one generalized table: what auto loses, its largest class, and its time."""

from __future__ import annotations

import shoal
from benchmarks.timing import Figures, cpu
from shoal.steward.proposal import levels_by_rarity

__all__ = ["shares"]

K = 5


def shares() -> Figures:
    """αᵢ on 10,000 rows of Adult, k = 5: `auto` beside leveled-gca, nearest, refined as long."""
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    frame, schema = shoal.datasets.adult().head(10_000), plan.schema_()
    counts = {value or "": count for value, count in frame["occupation"].value_counts().iter_rows()}
    levels = levels_by_rarity(counts)
    cases = {
        "drafted": [0.2, 0.2, 0.2, 0.24, 0.26],  # as `shoal plan` drafts them for k = 5
        "looser": [0.3, 0.35, 0.4, 0.45, 0.5],
    }
    methods: dict[str, dict[str, object]] = {
        "auto": {"method": shoal.Auto(seed=1)},
        "leveled-gca, refined": {
            "method": shoal.LeveledGCA(within="nearest", seed=1),
            "refine": {"times": 1},
        },
    }
    figures: Figures = {}
    for case, alphas in cases.items():
        for name, options in methods.items():
            made: list[shoal.Release] = []

            def run(made=made, options=options, alphas=alphas) -> None:  # type: ignore[no-untyped-def]
                need = shoal.LeveledAlphaK(levels, alphas, K)
                made.append(
                    shoal.anonymize(
                        frame, schema, require=[need], publication="generalized", **options
                    )
                )

            if not figures:
                run()  # compiles
            spent = cpu(run)
            figures[f"{case}: {name}, loss"] = made[-1].measures["loss"]
            figures[f"{case}: {name}, iloss"] = made[-1].measures["iloss"]
            figures[f"{case}: {name}, largest class"] = int(made[-1].grouping.sizes.max())
            figures[f"{case}: {name} (s CPU)"] = spent
    return figures
