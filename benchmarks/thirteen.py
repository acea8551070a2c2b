"""Adult with thirteen quasi-identifiers, five of them numeric: nearly all rows are distinct."""

from __future__ import annotations

import shoal

__all__ = ["thirteen_columns"]


def thirteen_columns() -> shoal.Schema:
    """Give the bundled plan's quasi-identifiers, the other numbers and the occupation."""
    folder = shoal.datasets.folder("adult")
    base = shoal.Plan.read(folder / "adult.toml").schema_()
    columns = {name: base[name] for name in base.quasi}
    for name in ("education-num", "capital-gain", "capital-loss", "hours-per-week"):
        columns[name] = shoal.quasi(kind="numeric")
    tree = shoal.Hierarchy.from_csv(folder / "hierarchies" / "occupation.csv")
    columns["occupation"] = shoal.quasi(hierarchy=tree)
    return shoal.Schema(columns)
