"""A plan for each form of publication and family of methods, and what must be said of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

import shoal

__all__ = ["ALIKE", "CASES", "Case"]

ALIKE = ("matching rows", "matching people", "looks like at least", "rows or more", "of equal rows")
"""What may be said only where rows of a class show the same cells."""


@dataclass(frozen=True)
class Case:
    """A plan, and what its releases are.

    Parameters
    ----------
    cells
        What must be said of the cells, as a regular expression.
    never
        What must not be said of them.
    adds
        Whether it publishes values that nobody holds.
    """

    method: str
    publication: dict[str, Any]
    cells: str
    never: tuple[str, ...] = ()
    adds: bool = False
    require: list[dict[str, Any]] = field(
        default_factory=lambda: [{"model": "k-anonymity", "k": 4}]
    )
    sensitive: tuple[str, ...] = ("occupation",)
    quasi: tuple[str, ...] = ("age", "sex", "race")

    @property
    def frame(self) -> pl.DataFrame:
        """The table."""
        adult = shoal.datasets.adult().head(120)
        return adult.select(*self.quasi, *self.sensitive)

    @property
    def data(self) -> dict[str, Any]:
        """The plan, but for its input."""
        roles = {name: {"role": "quasi"} for name in self.quasi}
        roles |= {name: {"role": "sensitive"} for name in self.sensitive}
        return {
            "entity": "none",
            "columns": roles,
            "require": self.require,
            "method": {"name": self.method},
            "publication": {"seed": 1, "suppression_limit": 0.2, **self.publication},
        }

    def write(self, folder: Path) -> Path:
        """Write table and plan."""
        self.frame.write_csv(folder / "people.csv")
        plan = shoal.Plan.from_dict(
            {**self.data, "input": {"path": "people.csv"}, "output": {"path": "release"}},
            folder=folder,
        )
        (folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
        return folder / "plan.toml"


IS = "(cells|identifiers|') are "
EXACT = (IS + "exact", ("generalized", *ALIKE))
COARSE = (IS + "generalized", (IS + "exact", "Exact,", "own row"))
BOTH = [{"model": "l-diversity", "l": 3}]
SEVERAL = [{"model": "multi-l-diversity", "l": {"occupation": 4, "education": 3}}]

CASES = {
    "partition": Case("mondrian", {"form": "generalized"}, *COARSE),
    "clustering": Case("gaa-cp", {"form": "generalized"}, *COARSE),
    "merging": Case("kaca", {"form": "generalized", "categories": "sets"}, *COARSE),
    "lattice": Case("full-domain", {"form": "generalized"}, *COARSE),
    "mean": Case(
        "mdav", {"form": "microaggregated"}, IS + "centres", (IS + "exact", "matching rows")
    ),
    "median": Case(
        "mdav", {"form": "microaggregated", "centre": "median"}, IS + "centres", ("matching rows",)
    ),
    "two tables": Case("anatomy", {"form": "two-table"}, *EXACT, require=BOTH),
    "two tables, counts": Case(
        "mondrian", {"form": "two-table", "sensitive_cells": "counts"}, *EXACT
    ),
    "two tables, generalized": Case(
        "mondrian", {"form": "two-table", "quasi_cells": "generalized"}, *COARSE
    ),
    "buckets": Case(
        "gca",
        {"form": "two-table"},
        *EXACT,
        require=[{"model": "alpha-k", "alpha": 0.5, "k": 4}],
    ),
    "noise": Case(
        "micd",
        {"form": "sensitive-groups"},
        *EXACT,
        adds=True,
        require=SEVERAL,
        sensitive=("occupation", "education"),
    ),
    "more noise": Case(
        "decomposition",
        {"form": "sensitive-groups"},
        *EXACT,
        adds=True,
        require=[{"model": "multi-l-diversity", "l": {"occupation": 2, "education": 2}}],
        sensitive=("occupation", "education"),
    ),
    "groups": Case(
        "mondrian", {"form": "sensitive-groups"}, *EXACT, sensitive=("occupation", "education")
    ),
    "groups, generalized": Case(
        "mondrian",
        {"form": "sensitive-groups", "quasi_cells": "generalized"},
        *COARSE,
        sensitive=("occupation", "education"),
    ),
}
