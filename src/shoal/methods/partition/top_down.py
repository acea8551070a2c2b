"""Top-Down: from one class of all records downward, as far as the requirements let it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Ints, Small
from shoal.kernels.partition.descent import ROWS, Trees, descend, descent
from shoal.methods.base import OwnMethod, Progress
from shoal.models import Requirement
from shoal.publications.groups.completing import Judge, holds
from shoal.publications.groups.grouping import SUPPRESSED, Grouping, number_by_first
from shoal.publications.groups.share_limits import fitting, limits_of
from shoal.table import Table

BUDGET = 1_000_000
"""Cells visited between two looks at the clock: less than a tenth of a second."""


@dataclass(frozen=True)
class TopDown(OwnMethod):
    """Begin with one class of all records, and split it as long as the parts hold.

    Every quasi-identifier goes down a tree, numbers included. Every class is judged before
    it is split off, so any requirement is held. Choose it as a baseline, or where bounds on
    the shares of sensitive values are tight; otherwise `GAACP` loses less.

    Parameters
    ----------
    picks
        Which records a class gives back to its parent: the ``"first"`` rows stay and the last
        go back, or ``"random"`` ones do.
    seed
        Makes the random choice repeatable.

    Notes
    -----
    Readings of the paper: one class of all records stands at the roots of all trees. A class
    is split on the attribute by which most records go down; on ties on the one with fewest
    children, then on the first in the schema's order. By an attribute, each record goes to the
    child of the class's node that covers its value; one whose cell is missing, or whose value
    is the node itself, stays. Children that fail the requirements send all records back. While
    the records that stay, if there are
    any, fail, the largest child at that moment (the first in the tree on ties) gives back its
    last row; a child that fails after that sends all its records back. What counts is how
    many records are below in the end. The records that stay are a class of the same nodes
    and are tried again. A class is final when no attribute lets a record go down.

    Published are the lowest common ancestors of a class's members, which may be narrower than
    the nodes it stands at. Classes that show the same cells are one to a reader. That only
    matters for requirements whose unions may fail (not `monotone`, or not
    `monotone_in_people` where an entity column is named): there such classes are united, and
    merged with the nearest one while they fail.

    Where even all records together exceed a share, the last rows of the too frequent values
    are suppressed first; nothing else is. Numbers go down the tree of their schema, or 16
    equal intervals joined in pairs. Labels number the classes by their lowest row.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "sex": shoal.quasi(), "disease": shoal.sensitive(),
    ...     "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=10)),
    ...     "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> release = shoal.anonymize(patients, schema, require=[shoal.AlphaK(0.5, 2)],
    ...                           method=shoal.TopDown())
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 0, 1]
    >>> release.table.select("age", "sex", "zip").row(2)
    ('[40, 60)', 'female', '230**')

    References
    ----------
    Wong, Li, Fu, Wang: (α, k)-anonymity: an enhanced k-anonymity model for privacy preserving
    data publishing. KDD 2006, 754–759.
    """

    picks: Literal["random", "first"] = "first"
    seed: int | None = None

    name: ClassVar[str] = "top-down"
    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True
    numbers = "tree"

    def describe(self) -> str:
        return "Top-Down: local recoding from the roots of the hierarchies downward"

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Split classes until none can be split."""
        n = table.n_rows
        # From here on a record is its place in this order: the last ones are given back.
        order = self.row_order(n, rng)

        trees = _trees(table, order)
        limits, complete = limits_of(table, require)
        limits = limits._replace(
            kind=np.take(limits.kind, order, axis=1), unit=np.take(limits.unit, order, axis=1)
        )
        begin = fitting(limits, np.arange(n))
        if not holds(require, table, order[begin]):
            found = np.full(n, SUPPRESSED, dtype=np.int64)
        elif complete:
            state = descent(trees, limits, begin)
            while descend(trees, limits, state, BUDGET):
                progress(int(state.counters[ROWS]), n)
            found = state.label
        else:
            found = _Judged(table, require, trees, order).descend(begin, progress)
        progress(n, n)
        rows = np.sort(order[found >= 0])
        classes = np.empty(n, dtype=np.int64)
        classes[order] = found
        labels = np.full(n, SUPPRESSED, dtype=np.int32)
        labels[rows] = number_by_first(classes[rows])
        return Grouping(labels)


def _trees(table: Table, order: Ints) -> Trees:
    """Lay the trees end to end, and put every record at its leaves."""
    deepest = max(column.hierarchy.height for column in table.trees) + 2
    paths, depths, places = [], [], []
    start = 0
    for column in table.trees:
        tree = column.hierarchy
        beyond = np.repeat(tree.ancestors[:, -1:], deepest - tree.height - 1, axis=1)
        paths.append(np.hstack((tree.ancestors, beyond)) + start)
        depths.append(tree.depth)
        places.append(np.append(tree.leaf_nodes, 0)[column.codes[order]] + start)
        start += tree.n_nodes
    return Trees(
        path=np.concatenate(paths).astype(np.int32),
        depth=np.concatenate(depths),
        place=np.array(places, dtype=np.int32),
    )


class _Judged:
    """The same descent as the kernel's, for requirements that only they can judge."""

    def __init__(
        self, table: Table, require: Sequence[Requirement], trees: Trees, order: Ints
    ) -> None:
        self.trees = trees
        self.holding = Judge(table, require, order).holding

    def descend(self, rows: Ints, progress: Progress) -> Ints:
        """Give each row the number of its class; others keep −1."""
        found = np.full(self.trees.place.shape[1], SUPPRESSED, dtype=np.int64)
        waiting = [(rows, np.flatnonzero(self.trees.depth == 0))]
        classes, done = 0, 0
        while waiting:
            rows, nodes = waiting.pop()
            j, goes = self._best(rows, nodes)
            if j < 0:
                found[rows] = classes
                classes, done = classes + 1, done + len(rows)
            for child in np.unique(goes).tolist() if j >= 0 else ():
                below = nodes.copy()
                below[j] = child
                waiting.append((rows[goes == child], below))
            progress(done, len(found))
        return found

    def _best(self, rows: Ints, nodes: Ints) -> tuple[int, Ints]:
        """Find the attribute by which most rows go down (−1: none), and where they go."""
        falls = self.trees.path[self.trees.place[:, rows], self.trees.depth[nodes][:, None] + 1]
        # The children of all attributes are judged at once: their nodes tell them apart.
        children, group = np.unique(falls, return_inverse=True)
        held = self.holding(np.tile(rows, len(nodes)), group.reshape(-1), len(children))
        held &= ~np.isin(children, nodes)
        best, fewest, chosen, goes = 0, 0, -1, falls[0]
        for j, node in enumerate(nodes.tolist()):
            fall = np.where(held[group.reshape(falls.shape)[j]], falls[j], node)
            if np.count_nonzero(fall != node) >= best:
                fall = self._give_back(rows, fall, node, max(best - 1, 0))
            down = int(np.count_nonzero(fall != node))
            branches = len(np.unique(fall[fall != node]))
            if down > best or (down == best and branches < fewest):
                best, fewest, chosen, goes = down, branches, j, fall
        return chosen, goes.astype(np.int64)

    def _give_back(self, rows: Ints, fall: Small, node: int, best: int) -> Small:
        """Let the largest child give back its last row until the rest holds."""
        while np.count_nonzero(fall != node) > best:
            rest = rows[fall == node]
            if not len(rest) or self.holding(rest, np.zeros(len(rest), dtype=np.int64), 1)[0]:
                break
            children, sizes = np.unique(fall[fall != node], return_counts=True)
            largest = children[np.argmax(sizes)]
            mine = np.flatnonzero(fall == largest)
            fall[mine[-1]] = node
            left = rows[mine[:-1]]
            if not len(left) or not self.holding(left, np.zeros(len(left), dtype=np.int64), 1)[0]:
                fall[mine] = node
        return fall
