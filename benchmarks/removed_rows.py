"""What rows that are not published tell all the same: which ones they are."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal
from benchmarks.timing import Figures

__all__ = ["removed_rows"]

ROWS, CHANGES = 1_000, 100
METHODS = ("auto", "gaa-cp", "mondrian", "full-domain")


def removed_rows() -> Figures:
    """Change the age of one removed row at random: how often groups, or the same groups, change.

    1,000 rows of Adult with three rows far off; α = 1/5 on occupation (full-domain: k = 5). The
    control changes a published row.
    """
    schema = shoal.Schema(
        {
            "age": shoal.quasi(kind="numeric"),
            "education": shoal.quasi(),
            "sex": shoal.quasi(),
            "occupation": shoal.sensitive(),
        }
    )
    frame = shoal.datasets.adult(complete=True).head(ROWS).select(list(schema))
    figures: Figures = {}
    for method in METHODS:
        need = shoal.KAnonymity(5) if method == "full-domain" else shoal.AlphaK("1/8", 5)

        def made(cells: list[int], method: str = method, need=need) -> shoal.Release:  # type: ignore[no-untyped-def]
            return shoal.anonymize(
                frame.with_columns(pl.Series("age", cells)),
                schema,
                require=[need],
                method=method,
                seed=1,
                suppression_limit=0.3,
            )

        ages = frame["age"].to_list()
        first = made(ages)
        out = np.flatnonzero(first.grouping.labels < 0)
        rng = np.random.default_rng(1)
        figures[f"{method}: removed rows"] = len(out)
        for what, rows in (("a removed row", out), ("control: a published row", first.rows)):
            groups = bytes_ = 0
            for _ in range(CHANGES):
                cells = list(ages)
                cells[int(rng.choice(rows))] = int(rng.integers(17, 91))
                again = made(cells)
                same = np.array_equal(first.grouping.labels, again.grouping.labels)
                groups += not same
                told = (first.facts(), first.frame.rows()) != (again.facts(), again.frame.rows())
                bytes_ += same and told
            figures[f"{method}: groups change with {what} (%)"] = 100 * groups / CHANGES
            figures[f"{method}: they do not, and something public does, {what} (%)"] = (
                100 * bytes_ / CHANGES
            )
    return figures
