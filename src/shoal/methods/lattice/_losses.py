"""What a full-domain search makes as small as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.base.arrays import Floats, Ints
from shoal.methods.lattice._lattice import Lattice, Node
from shoal.methods.lattice._snapshots import Levels
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn, Table


@dataclass(frozen=True)
class Objective:
    """A number about a node, and what is known of it before its classes are counted.

    - ``name``: the spelling in plans.
    - ``kind``: ``"cells"``: a function of what cells lost, per attribute. ``"height"``: of the
      levels alone. ``"squares"``, ``"classes"``: of the sizes of classes.
    - ``costs``: per level, what a known cell of each code costs; it may depend on `leaf_counts`.
    - ``base``: what each code adds at every level above 0, by how many rows hold each.
    - ``geometric``: whether the attributes' losses are averaged as factors (1 + loss).
    """

    name: str
    kind: Literal["cells", "height", "squares", "classes"]
    costs: Callable[[QuasiColumn, CategoricalColumn, Ints], list[Floats]]
    base: Callable[[Ints], Floats] | None = None
    geometric: bool = False

    def terms(self, losses: Floats) -> Floats:
        """What is averaged over the attributes, by their weights."""
        return np.log1p(np.maximum(losses, 0.0)) if self.geometric else losses

    def shown(self, average: float) -> float:
        """The score that stands for an average of terms."""
        return float(np.expm1(average)) if self.geometric else average

    def score(self, node: Node, losses: Floats, weights: Floats, n: int) -> float:
        """Judge a node whose classes were counted: lower is better; see `shown`."""
        if self.kind == "cells":
            return float(weights @ self.terms(losses + node.extra / n))
        if self.kind == "height":
            return float(sum(node.levels))
        if self.kind == "squares":
            return float(node.squares + node.suppressed * n)
        return (n - node.suppressed) / node.classes if node.classes else float(n)


def _levels(column: CategoricalColumn, of_node: Floats) -> list[Floats]:
    tree = column.hierarchy
    return [of_node[tree.at_level(level)] for level in range(tree.height + 1)]


def _loss(column: QuasiColumn, tree_column: CategoricalColumn, counts: Ints) -> list[Floats]:
    """How much of its domain a cell covers (Iyengar)."""
    tree = tree_column.hierarchy
    if isinstance(column, NumericColumn):
        shares = np.ones(tree.n_nodes)
        for node, read in enumerate(tree.intervals):
            if read is not None:
                shares[node] = min((read.hi - read.lo) / (column.range or np.inf), 1.0)
        return _levels(tree_column, shares)
    return _levels(tree_column, (tree.leaf_counts - 1) / max(tree.n_leaves - 1, 1))


def _steps(column: QuasiColumn, tree_column: CategoricalColumn, counts: Ints) -> list[Floats]:
    """How many of all levels a cell has climbed (precision)."""
    height = tree_column.hierarchy.height
    width = tree_column.size + 1
    return [np.full(width, level / max(height, 1)) for level in range(height + 1)]


def _nothing(column: QuasiColumn, tree_column: CategoricalColumn, counts: Ints) -> list[Floats]:
    return [np.zeros(tree_column.size + 1) for _ in range(tree_column.hierarchy.height + 1)]


def _surprise(column: QuasiColumn, tree_column: CategoricalColumn, counts: Ints) -> list[Floats]:
    """The part of non-uniform entropy that depends on the cell: how common it is."""
    tree = tree_column.hierarchy
    sums = np.concatenate(([0], np.cumsum(counts)))
    held = sums[tree.last_leaf + 1] - sums[tree.first_leaf]
    return _levels(tree_column, _logs(held) / _norm(counts))


def _commonness(counts: Ints) -> Floats:
    """The part of non-uniform entropy that depends on the value: how common it was."""
    return np.append(-_logs(counts) / _norm(counts), 0.0)


def _logs(counts: Ints) -> Floats:
    return np.log(np.maximum(counts, 1).astype(np.float64))


def _norm(counts: Ints) -> float:
    return float(np.log(max(int(counts.sum()), 2)))


OBJECTIVES: dict[str, Objective] = {
    each.name: each
    for each in (
        Objective("loss", "cells", _loss),
        Objective("loss-geometric", "cells", _loss, geometric=True),
        Objective("precision", "cells", _steps),
        Objective("non-uniform-entropy", "cells", _surprise, _commonness),
        Objective("height", "height", _nothing),
        Objective("discernibility", "squares", _nothing),
        Objective("average-class-size", "classes", _nothing),
    )
}
"""Every objective by its name in plans."""


def leaf_counts(table: Table) -> list[Ints]:
    """Per attribute, how many rows hold each leaf."""
    each = table.multiplicity
    return [
        np.bincount(column.codes, each, minlength=column.size + 1)[:-1].astype(np.int64)
        for column in table.trees
    ]


def costs_of(table: Table, objective: Objective, counts: Sequence[Ints]) -> list[list[Floats]]:
    """Per attribute and level, what a known cell of each code costs."""
    return [
        objective.costs(column, tree, held)
        for column, tree, held in zip(table.quasi, table.trees, counts, strict=True)
    ]


def mean_losses(
    table: Table, objective: Objective, costs: Sequence[Sequence[Floats]] | None = None
) -> list[Floats]:
    """Per attribute and level, what its cells lose on average if no row is suppressed.

    ``costs`` are what cells of each code cost, if that is known already.
    """
    counts, n = leaf_counts(table), table.total_rows
    made = []
    for held, levels in zip(counts, costs or costs_of(table, objective, counts), strict=True):
        base = 0.0 if objective.base is None else objective.base(held)[:-1]
        made.append(np.array([float(held @ (cost[:-1] + base)) / n for cost in levels]))
    return made


def weights_of(table: Table) -> Floats:
    """Give the weights of the quasi-identifiers; they sum to 1."""
    weights = np.array([column.weight for column in table.quasi], dtype=np.float64)
    return np.asarray(weights / weights.sum())


def score_of(lattice: Lattice, name: str) -> Callable[[Levels], tuple[float, Levels]]:
    """Make a key that orders nodes by their score, then by their levels."""
    objective, table = OBJECTIVES[name], lattice.table
    losses, weights = mean_losses(table, objective), weights_of(table)

    def key(levels: Levels) -> tuple[float, Levels]:
        lost = np.array([loss[level] for loss, level in zip(losses, levels, strict=True)])
        score = objective.score(lattice.node_at(levels), lost, weights, table.total_rows)
        return round(score, 12), levels  # so that rounding does not decide between equal nodes

    return key
