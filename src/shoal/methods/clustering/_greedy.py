"""The engine of the greedy methods: points, index, growth, left-overs.

GAA-CP, k-member and KAIM ask the same two questions again and again: which remaining record
is nearest to this class, and which is the next seed? This drives the kernels that answer them
from an index, exactly as a scan would; small tables are scanned.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering import boxes as boxes_, greedy, placing
from shoal.kernels.clustering.prices import open_class
from shoal.kernels.clustering.shapes import Attributes
from shoal.kernels.collapse import collapse
from shoal.kernels.ordering import order_by
from shoal.methods._closeness import Closeness
from shoal.methods._costs import attributes
from shoal.methods.base import OwnMethod, Progress, unheard
from shoal.methods.clustering._scan import Scan, place, sides_of
from shoal.models import Requirement
from shoal.publications.groups.completing import further_than_k, holds, least_size, rows_lacking
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn, Table

BUDGET = 50_000
"""Blocks looked at between two looks at the clock: a few hundredths of a second."""

SCANNED_CELLS = 30_000
"""Up to so many cells a scan takes less time than loading the kernels does; about half a second.

Rows of few columns count as rows of ten, because a step takes its time for few, too.
"""

SCANNED_COSTS = 20_000_000
"""Up to so many costs of a left-over cell to a class are computed; for more there is an index."""

ATTEMPTS = 64
"""How many of the nearest classes a left-over record tries, if requirements refuse it."""


class GreedyMethod(OwnMethod):
    """A method that grows classes by its closeness alone."""

    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Grow classes until fewer than k records are left, then place those."""
        return cluster(table, require, self.closeness(table, rng=rng), progress=progress)

    @abstractmethod
    def closeness(self, table: Table, *, rng: Generator) -> Closeness:
        """Say which record is nearest to a class, and which begins one."""


def cluster(
    table: Table,
    require: Sequence[Requirement],
    how: Closeness,
    *,
    progress: Progress = unheard,
    trace: dict[str, int] | None = None,
) -> Grouping:
    """Grow classes until no further one can be completed, then place the left-overs.

    A class grows until it holds k people and every further requirement. One that cannot be
    completed is dissolved into the left-overs. A left-over joins the nearest class that
    holds its requirements with it; one that none of the nearest takes is suppressed.

    ``how``: what is near, and where seeds come from. ``trace``: gets how many points, nodes and
    blocks the searches looked at.
    """
    n = table.n_rows
    k = least_size(require)
    further = further_than_k(require)
    # The kernels want categories first, those of few leaves before others.
    columns = sorted(
        how.columns, key=lambda each: (isinstance(each, NumericColumn), each.size > boxes_.ABSENT)
    )
    attrs = attributes(columns, rule=how.rule, moves=how.moves, largest_class=n)
    first, seeding = how.first, how.seeding
    turns = np.arange(n) if how.order is None else how.order
    if n * max(len(columns), 10) <= SCANNED_CELLS and trace is None:
        scan = Scan(columns, attrs)
        scan.grow(
            k,
            np.arange(n) if table.people is None else table.people,
            first=first,
            seeding=seeding,
            turns=turns,
            complete=lambda members: not further or holds(further, table, members),
            progress=progress,
        )
        shapes, totals = np.array(scan.shapes), np.array(scan.sizes)
        _place_all(table, columns, attrs, scan.labels, shapes, totals, further, turns, progress)
        return Grouping(scan.labels)
    points = collapse([c.codes for c in columns], [c.size + 1 for c in columns])
    growth = _growth(table, points, k, turns if seeding == greedy.IN_ORDER else np.array([first]))
    firsts = growth.rows[growth.head].astype(np.int64)
    codes = _codes(columns, firsts)
    laid = order_points(columns, codes)
    sizes = np.array([column.size for column in columns], dtype=np.int64)
    tree = boxes_.make(attrs, codes, firsts, laid, sizes)
    made = open_class(attrs)
    growth.last[:] = codes[:, points[first]]
    while True:
        state = greedy.grow(attrs, tree, made, growth, k, seeding, bool(further), BUDGET)
        if state == greedy.DONE:
            break
        if state == greedy.ASKING:
            size = int(growth.counters[greedy.SIZE])
            lacking = rows_lacking(further, table, growth.members[:size])
            if lacking:
                growth.counters[greedy.ASK_AT] = size + lacking
            else:
                growth.counters[greedy.ACCEPTED] = 1
        progress(n - int(growth.counters[greedy.LIVE]), n)
    labels = growth.labels
    closed = int(growth.counters[greedy.CLASSES])
    if trace is not None:
        names = ("nodes, nearest", "blocks, nearest", "nodes, farthest", "blocks, farthest")
        trace |= dict(zip(names, made.visited.tolist(), strict=True))
        trace |= {"points": len(laid), "classes": closed}
    labels[labels >= closed] = SUPPRESSED
    shapes, totals = growth.shapes[:closed], growth.sizes[:closed]
    _place_all(table, columns, attrs, labels, shapes, totals, further, turns, progress)
    return Grouping(labels)


def _codes(columns: Sequence[QuasiColumn], rows: Ints) -> Ints:
    """Collect the codes of some rows: attributes × rows."""
    return np.stack([column.codes[rows] for column in columns]).astype(np.int64)


def order_points(columns: Sequence[QuasiColumn], codes: Ints) -> Ints:
    """Order points so that near ones lie side by side: by the upper levels of all trees first.

    Within a level, attributes of lower entropy come first: they cut off what is rare, and
    far away. Numbers come after the second level, because intervals split finely anywhere.
    """
    keys: list[tuple[float, float, Ints]] = []
    for column, mine in zip(columns, codes, strict=True):
        if isinstance(column, CategoricalColumn):
            tree = column.hierarchy
            above = np.vstack([tree.ancestors[tree.leaf_nodes], tree.ancestors[:1]])
            for level in range(1, tree.height + 1):
                key = above[mine, level].astype(np.int64)
                shares = np.bincount(key) / len(key)
                shares = shares[shares > 0]
                keys.append((level, float(-(shares * np.log(shares)).sum()), key))
        else:
            keys.append((2.5, 0.0, mine))
    keys.sort(key=lambda key: key[:2])
    return _sorted([key for *_, key in keys])


def _sorted(keys: Sequence[Ints]) -> Ints:
    """Order by many small keys, the first one first, packed into few large ones."""
    packed: list[Ints] = []
    span = 2**63
    for key in keys:
        size = int(key.max(initial=0)) + 1
        if span * size >= 2**62:
            packed.append(key.astype(np.int64))
            span = size
        else:
            packed[-1] = packed[-1] * size + key
            span *= size
    return np.lexsort(packed[::-1])


def _growth(table: Table, points: Ints, k: int, turns: Ints) -> greedy.Growth:
    """Lay out the rows by point, in ascending order."""
    n, d = table.n_rows, len(table.quasi)
    index = np.int32 if n < 2**31 else np.int64
    tail = np.cumsum(np.bincount(points)).astype(np.int64)
    rows = order_by(points, len(tail)).astype(index)
    head = np.concatenate(([0], tail[:-1])).astype(np.int64)
    people = np.zeros(0, dtype=index) if table.people is None else table.people.astype(index)
    heavy = tail - head >= 4 * k  # fewer classes than four are not worth the room
    counters = np.zeros(9, dtype=np.int64)
    counters[[greedy.LIVE, greedy.LAST, greedy.POINT]] = n, greedy.NONE, greedy.NONE
    far = np.zeros((len(tail), 3), dtype=np.int64)
    far[:, greedy.BEGIN] = np.where(heavy, (np.cumsum(heavy) - 1) * greedy.MOST_TIES, -1)
    return greedy.Growth(
        head=head,
        tail=tail,
        rows=rows,
        points=points.astype(index),
        order=turns.astype(index),
        person=people,
        seen=np.full(int(people.max(initial=-1)) + 1, -1, dtype=index),
        labels=np.full(n, SUPPRESSED, dtype=np.int32),
        members=np.zeros(n, dtype=index),
        shapes=np.zeros((n // k + 1, d, 4), dtype=np.int64),
        sizes=np.zeros(n // k + 1, dtype=np.int64),
        last=np.zeros(d, dtype=np.int64),
        far=far,
        ties=np.zeros((int(heavy.sum()) + 1) * greedy.MOST_TIES, dtype=np.int32),
        counters=counters,
    )


def _first_rows(labels: Small, classes: int) -> Ints:
    """Find the lowest row of each class; it stands for the class in the order."""
    firsts = np.zeros(classes, dtype=np.int64)
    placed = np.flatnonzero(labels >= 0)[::-1]
    firsts[labels[placed]] = placed
    return firsts


def _place_all(
    table: Table,
    columns: Sequence[QuasiColumn],
    attrs: Attributes,
    labels: Small,
    shapes: Ints,
    sizes: Ints,
    further: Sequence[Requirement],
    turns: Ints,
    progress: Progress,
) -> None:
    """Let each left-over row, in its turn, into the nearest class that still holds then."""
    left = turns[labels[turns] == SUPPRESSED]
    if not len(sizes) or not len(left):
        return

    def accepts(label: int, row: int) -> bool:
        return not further or holds(further, table, np.append(np.flatnonzero(labels == label), row))

    codes = _codes(columns, left)
    index = None
    if codes.size * len(sizes) > SCANNED_COSTS:
        laid = order_points(columns, _codes(columns, _first_rows(labels, len(sizes))))
        index = placing.cover(attrs, shapes, laid)
    sides = sides_of(columns, attrs)
    for done, row in enumerate(left.tolist()):
        record = codes[:, done].copy()
        mine = partial(accepts, row=row)
        if index is None:
            labels[row] = place(sides, shapes, sizes, record, ATTEMPTS, mine)
        else:
            labels[row] = _place(attrs, shapes, sizes, index, record, mine)
        if done % 64 == 0:
            progress(len(labels) - len(left) + done, len(labels))


def _place(
    attrs: Attributes,
    shapes: Ints,
    sizes: Ints,
    boxes: placing.ClassBoxes,
    record: Ints,
    accepts: Callable[[int], bool],
) -> int:
    """Let a left-over record into the nearest class that accepts it, found by the index."""
    banned = np.zeros(len(sizes), dtype=np.bool_)
    for _ in range(ATTEMPTS):
        at = int(placing.place(attrs, shapes, sizes, boxes, record, banned))
        if at < 0:
            break
        label = int(boxes.order[at])
        if accepts(label):
            placing.put(attrs, shapes, sizes, boxes, record, at)
            return label
        banned[label] = True
    return SUPPRESSED
