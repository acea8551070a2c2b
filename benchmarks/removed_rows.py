"""What rows that are not published tell all the same: which ones they are."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal
from benchmarks.timing import Figures

__all__ = ["removed_rows"]

ROWS, CHANGES = 1_000, 100
FAR = 1_000
"""How many times as large an age is that is far off."""
TRIED = {
    "auto": ("occupation", shoal.AlphaK("1/8", 5)),
    "gaa-cp": ("workclass", shoal.AlphaK("7/10", 5)),
    "full-domain": ("occupation", shoal.KAnonymity(5)),
}
"""The sensitive column and what is required: rows are removed, and several groups are left.

Mondrian is not among them: where it removes rows of a value that is too frequent, what is left is
just at the bound, and it finds one group. Of one group, nothing can change.
"""


def removed_rows() -> Figures:
    """Change the age of one removed row at random: how often groups, or the same groups, change.

    1,000 rows of Adult; α = 1/8 on occupation, 7/10 on workclass (gaa-cp), k = 5 (full-domain).
    Every second age is far off. The control changes a published row.
    """
    figures: Figures = {}
    for method, (sensitive, need) in TRIED.items():
        schema = shoal.Schema(
            {
                "age": shoal.quasi(kind="numeric"),
                "education": shoal.quasi(),
                "sex": shoal.quasi(),
                sensitive: shoal.sensitive(),
            }
        )
        frame = shoal.datasets.adult(complete=True).head(ROWS).select(list(schema))

        def made(  # type: ignore[no-untyped-def]
            cells: list[int], method: str = method, need=need, schema=schema, frame=frame
        ) -> shoal.Release:
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
        figures[f"{method}: groups"] = first.grouping.n_groups
        for what, rows in (("a removed row", out), ("control: a published row", first.rows)):
            groups = bytes_ = 0
            for change in range(CHANGES):
                cells = list(ages)
                age = int(rng.integers(17, 91))
                cells[int(rng.choice(rows))] = age * FAR if change % 2 else age
                again = made(cells)
                same = np.array_equal(first.grouping.labels, again.grouping.labels)
                groups += not same
                differs = (first.facts(), first.frame.rows()) != (again.facts(), again.frame.rows())
                bytes_ += same and differs
            figures[f"{method}: groups change with {what} (%)"] = 100 * groups / CHANGES
            figures[f"{method}: they do not, and something public does, {what} (%)"] = (
                100 * bytes_ / CHANGES
            )
    return figures
