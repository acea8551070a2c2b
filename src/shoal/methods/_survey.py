"""A look over a lattice: all nodes of a small one, or the way to the best node of a large one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoal.methods.base import Progress
from shoal.methods.lattice._lattice import Lattice
from shoal.methods.lattice._losses import OBJECTIVES, score_of
from shoal.methods.lattice._method import LatticeMethod
from shoal.methods.lattice._minimal import at_height
from shoal.methods.lattice._objective import ObjectiveMethod
from shoal.methods.lattice._snapshots import Levels
from shoal.methods.lattice.full_domain import FullDomain
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table

SHOWN = 200
"""The most nodes of a lattice that is shown whole."""


SHOWN_OF_NODES = ("height", "score", "suppressed", "holds", "best", "chosen")
"""What programs are told of a node, besides its levels."""


@dataclass(frozen=True)
class SurveyNode:
    """A node: its levels, what it scores, and how many rows it suppresses.

    - ``holds``: whether it suppresses no more rows than the limit allows, and can be published
      then.
    - ``best``: whether it is the best node found.
    - ``chosen``: whether the surveyed method takes it.
    """

    levels: Levels
    score: float
    suppressed: int
    holds: bool
    best: bool
    chosen: bool

    @property
    def height(self) -> int:
        """The sum of the levels."""
        return sum(self.levels)


@dataclass(frozen=True)
class Survey:
    """What was seen of a lattice; exact counts, so private.

    - ``nodes``: all nodes by height, or those on a way from the bottom to the best node, or near
      it.
    - ``whole``: whether these are all nodes.
    - ``optimal``: whether the best node is proven to be so.
    - ``most``: how many rows may be suppressed.
    - ``weights``: how much each column counts in the score, and why; ``None`` where they do not
      count.
    - ``rebuilt``: whether nodes that suppress rows were tried again in trees built from the rows
      that stay.
    """

    columns: tuple[str, ...]
    objective: str
    nodes: tuple[SurveyNode, ...]
    size: int
    whole: bool
    optimal: bool
    most: int
    rows: int
    weights: Mapping[str, Any] | None = None
    rebuilt: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Say the same to a program."""
        return {
            "objective": self.objective,
            "weights": self.weights,
            "lattice": self.size,
            "whole": self.whole,
            "optimal": self.optimal,
            "rows": self.rows,
            "suppression_limit_rows": self.most,
            "rebuilt": self.rebuilt,
            "nodes": [
                {
                    "levels": dict(zip(self.columns, node.levels, strict=True)),
                    **{name: getattr(node, name) for name in SHOWN_OF_NODES},
                }
                for node in self.nodes
            ],
        }


def survey(
    table: Table,
    require: Sequence[Requirement],
    method: LatticeMethod,
    *,
    shown: int = SHOWN,
    around: bool = False,
    stays: Callable[[FullDomain, Grouping], bool] | None = None,
    progress: Progress | None = None,
) -> Survey:
    """Look over the lattice that a method searches.

    A lattice of at most ``shown`` nodes is seen whole; of a larger one a way from the bottom to
    the best node, which at each step raises the column that leaves the least score.

    - ``around``: of a larger one, look instead at the node that the method takes and at those near
      it: one column a level higher or lower, or one higher and another one lower.
    - ``method``: `FullDomain`, or another one that chooses a level per column; the best node is
      that of its objective (the loss, if it has none) under its suppression limit.
    - ``stays``: says whether a node that suppresses rows still holds without them, where trees are
      built from the rows that stay; called with the method that takes the node, and its groups.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "age": shoal.other(), "disease": shoal.sensitive(),
    ...     "sex": shoal.quasi(), "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> table = Table.encode(shoal.datasets.patients(1), schema)
    >>> seen = survey(table, [shoal.KAnonymity(2)], FullDomain())
    >>> len(seen.nodes), [node.levels for node in seen.nodes if node.best]
    (12, [(0, 2)])
    """
    full = method
    if not isinstance(full, FullDomain):
        full = FullDomain(suppression_limit=method.limit)
        if isinstance(method, ObjectiveMethod):
            full = replace(
                full, objective=method.objective, weights=method.weights, label=method.label
            )
    lattice, found = full.search(table, require, progress=progress)
    full.require_found(lattice, found)
    assert found.node is not None
    best = chosen = found.node.levels
    if method is not full:
        grouping = method.group(table, require, rng=np.random.default_rng(0))
        chosen = tuple((grouping.levels or {}).values())
    whole = lattice.size <= shown
    if whole:
        heights = range(sum(lattice.heights) + 1)
        path = [node for height in heights for node in at_height(lattice.heights, height)]
    else:
        path = _near(lattice, chosen, shown) if around else _upward(lattice, best, full.scored)
        path += [node for node in dict.fromkeys((chosen, best)) if node not in path]
    score, how = score_of(lattice, full.scored), OBJECTIVES[full.scored]
    most, names = full.most(table), tuple(column.name for column in table.quasi)
    nodes = []
    for levels in path:
        lost = lattice.node_at(levels).suppressed
        holds = lost <= most
        if holds and lost and stays is not None:
            at = replace(full, levels=dict(zip(names, levels, strict=True)))
            holds = stays(at, full.grouping_at(lattice, levels))
        number = how.shown(score(levels)[0])
        nodes.append(SurveyNode(levels, number, lost, holds, levels == best, levels == chosen))
    return Survey(
        names,
        full.aim,
        tuple(nodes),
        lattice.size,
        whole,
        found.optimal,
        most,
        table.n_rows,
        full.search_facts(lattice.table)["weights"],
        stays is not None,
    )


def _near(lattice: Lattice, at: Levels, most: int) -> list[Levels]:
    """List the nodes near one, and itself: a column up, a column down, or one of each."""
    made: list[Levels] = [at]
    columns = range(len(at))
    one_step = [{j: step} for step in (1, -1) for j in columns]
    two_steps = [{j: 1, other: -1} for j in columns for other in columns if j != other]
    for steps in (*one_step, *two_steps):
        levels = tuple(level + steps.get(j, 0) for j, level in enumerate(at))
        ends = zip(lattice.lowest, levels, lattice.heights, strict=True)
        if len(made) < most and all(low <= level <= high for low, level, high in ends):
            made.append(levels)
    return made


def _upward(lattice: Lattice, best: Levels, objective: str) -> list[Levels]:
    """Go up to the best node, each time by the step that leaves the least score."""
    score = score_of(lattice, objective)
    at: Levels = (0,) * len(best)
    upward = [at]
    while at != best:
        steps = ((*at[:j], at[j] + 1, *at[j + 1 :]) for j in range(len(at)) if at[j] < best[j])
        at = min(steps, key=score)
        upward.append(at)
    return upward
