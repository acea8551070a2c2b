"""Full-domain generalization: the best level of every attribute, proven."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from shoal.errors import InfeasibleError, ParameterError, did_you_mean
from shoal.grouping import Grouping
from shoal.methods.alike import unions_hold
from shoal.methods.base import Method, Progress, one_of
from shoal.methods.lattice import Lattice
from shoal.methods.objectives import OBJECTIVES, Objective, mean_losses
from shoal.methods.optimum import Found, find_optimum
from shoal.models import Requirement
from shoal.table import Table

__all__ = ["FullDomain"]

LARGEST = 2_000_000
"""The most nodes that are searched without a time limit."""


@dataclass(frozen=True)
class FullDomain(Method):
    """Choose one level per attribute for the whole table, the best of all that hold.

    Every value of a column is generalized alike, so the published table is easy to analyse.
    Classes that fail a requirement are suppressed, up to a limit. The search is exact. Methods
    that group locally, such as GAA-CP, lose less.
    """

    objective: str = "loss"
    weights: Mapping[str, float] | None = None
    suppression_limit: float = 0.05
    time_limit: float | None = None
    picks: Literal["random", "first"] = "first"
    seed: int | None = None

    name: ClassVar[str] = "full-domain"
    carries: ClassVar[frozenset[str] | None] = None
    numbers: ClassVar[Literal["intervals", "tree"]] = "tree"

    def validate(self) -> None:
        """Refuse unknown objectives and limits out of range."""
        super().validate()
        one_of("objective", self.objective, tuple(OBJECTIVES))

    def describe(self) -> str:
        """Say in words how groups are found."""
        return f"full-domain generalization of least {self.objective}"

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Search the lattice, and label the classes of the best node."""
        lattice, found = self.search(table, require, progress=progress)
        if found.node is None:
            raise InfeasibleError("No node holds.", "")
        names = [column.name for column in table.quasi]
        made = lattice.grouping(found.node.levels)
        return Grouping(made.labels, dict(zip(names, found.node.levels, strict=True)))

    def search(
        self, table: Table, require: Sequence[Requirement], *, progress: Progress | None = None
    ) -> tuple[Lattice, Found]:
        """Find the best node."""
        objective = OBJECTIVES[self.objective]
        trees = table.trees
        costs = [objective.costs(c, t) for c, t in zip(table.quasi, trees, strict=True)]
        bases = None if objective.base is None else [objective.base(tree) for tree in trees]
        lattice = Lattice(table, require, costs, bases)
        weights = self._weights(table)
        found = find_optimum(
            lattice,
            objective,
            mean_losses(table, trees, objective),
            weights,
            most=int(Fraction(str(self.suppression_limit)) * table.n_rows),
            monotone=unions_hold(table, require),
            deadline=None if self.time_limit is None else time.monotonic() + self.time_limit,
        )
        return lattice, found

    def _weights(self, table: Table) -> np.ndarray:
        given = self.weights
        raw = [c.weight if given is None else given[c.name] for c in table.quasi]
        return np.array(raw, dtype=np.float64) / sum(raw)
