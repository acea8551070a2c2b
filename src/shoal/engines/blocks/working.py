"""The blocks of a table, grouped at the same time; then what lies badly is grouped once more."""

from __future__ import annotations

import contextvars
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Event

import numpy as np
import numpy.typing as npt

from shoal.engines.blocks.cutting import cut
from shoal.engines.blocks.points import Points, canonical_order
from shoal.methods import Method, Progress
from shoal.models import Requirement
from shoal.publications.groups.completing import holds
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.publications.groups.share_limits import without_surplus
from shoal.publications.recoding import CategoryCells, NumberCells, generalize
from shoal.table import NumericColumn, Table

AGAIN = 0.5
"""The share of groups, those that lose most per row, that are dissolved and grouped together."""

MOST_AGAIN = 1_000_000
"""So many rows at most are grouped once more in one piece; more are cut into such pieces."""

WIDTHS = 1_000_000
"""Widths are whole numbers of such parts of a column, so that their sums are exact."""

POLL_SECONDS = 0.1
"""Seconds between two looks at what the workers have done."""


def group_in_blocks(
    table: Table,
    require: Sequence[Requirement],
    method: Method,
    count: int,
    *,
    seed: int,
    progress: Progress | None = None,
    workers: int | None = None,
) -> Grouping:
    """Group a table block by block, each with the whole table's ranges and trees.

    The groups do not depend on the number of workers.

    `count`: how many blocks there should be. There may be fewer: none is cut that could not hold.
    `workers`: how many blocks are grouped at the same time; as many as there are cores if left out.
    """
    order = canonical_order(table)
    table = table.select(order, ranges="whole")  # rows in one order, whatever order they came in
    blocks = _cut(table, require, count)
    done = np.zeros(len(blocks), dtype=np.int64)
    stop = Event()

    def one(number: int) -> Grouping:
        def report(rows: int, _: int) -> None:
            done[number] = rows
            if stop.is_set():
                raise _StoppedError

        return group_block(table, blocks[number], require, method, (seed, number), report)

    everything = table.n_rows + int(AGAIN * table.n_rows)  # some rows have two turns

    def tell(mended: float = 0.0) -> None:
        if progress is not None:
            again = mended * (everything - table.n_rows)
            progress(int(done.sum() + again), everything)

    found = _all(one, len(blocks), workers or _cores(), stop, tell)
    joined = join_blocks(table.n_rows, blocks, found)
    if len(blocks) > 1:
        done[:] = [len(block) for block in blocks]

        def report(rows: int, of: int) -> None:
            tell(rows / max(of, 1))

        joined = _mended(table, joined, require, method, (seed, len(blocks)), report)
    labels = np.empty_like(joined.labels)
    labels[order] = joined.labels
    return replace(joined, labels=labels, blocks=len(blocks))


def _cut(table: Table, require: Sequence[Requirement], count: int) -> list[npt.NDArray[np.intp]]:
    """Cut a table in canonical order; no block is cut off that could not hold."""
    points = Points.of(table)
    found = cut(
        points.axes,
        count,
        weights=points.weights,
        allowed=lambda few: holds(require, table, points.rows_at(few)),
    )
    of_row = found.blocks_of(points.axes)[points.of_row]
    return [np.flatnonzero(of_row == number) for number in range(found.count)]


def group_block(
    table: Table,
    rows: npt.NDArray[np.intp],
    require: Sequence[Requirement],
    method: Method,
    seed: tuple[int, int],
    progress: Progress | None = None,
) -> Grouping:
    """Group some rows of a table, with the whole table's ranges and trees.

    The surplus of values that are too frequent goes first. Where the method finds no group, and
    all rows hold as one, they are one.
    """
    rng = np.random.default_rng(seed)

    def group(part: Table) -> Grouping:
        found = method.group(part, require, rng=rng, progress=progress)
        if found.n_groups or not holds(require, part, np.arange(part.n_rows)):
            return found
        return method.one_group(part, require) or found

    return without_surplus(table.select(rows, ranges="whole"), require, group)


def join_blocks(
    rows: int, blocks: Sequence[npt.NDArray[np.intp]], found: Sequence[Grouping]
) -> Grouping:
    """Set the groups of all blocks beside each other."""
    labels = np.full(rows, SUPPRESSED, dtype=np.int32)
    groups = 0
    for block, each in zip(blocks, found, strict=True):
        known = each.labels >= 0
        labels[block[known]] = each.labels[known] + groups
        groups += each.n_groups
    return Grouping(labels)


def _mended(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    method: Method,
    seed: tuple[int, int],
    progress: Progress,
) -> Grouping:
    """Group together, over all blocks, what a block could not place and what lost most in it."""
    wide = group_widths(table, grouping, method)
    costly = wide > costly_above(*np.unique(wide, return_counts=True))
    rows = np.flatnonzero(np.append(costly, True)[grouping.labels])
    if not len(rows) or not holds(require, table, rows):
        return grouping
    part = table.select(rows, ranges="whole")
    pieces = [np.arange(len(rows))]
    if len(rows) > MOST_AGAIN:
        pieces = _cut(part, require, -(-len(rows) // MOST_AGAIN))
    made = []
    for number, piece in enumerate(pieces):
        own = (seed[0], seed[1] + number)
        made.append(group_block(part, piece, require, method, own, progress))
    again = join_blocks(len(rows), pieces, made)
    kept = grouping.only(~costly)
    after = group_widths(part, again, method)
    lost_before = (grouping.n_suppressed, int((wide * grouping.sizes)[costly].sum()))
    lost_after = (again.n_suppressed, int((after * again.sizes).sum()))
    if lost_after >= lost_before:
        return grouping
    labels = kept.labels.copy()
    labels[rows] = np.where(again.labels >= 0, again.labels + kept.n_groups, SUPPRESSED)
    return replace(grouping, labels=labels)


def costly_above(widths: npt.NDArray[np.int64], groups: npt.NDArray[np.int64]) -> int:
    """Find the least width of which at most a share of groups (`AGAIN`) is wider.

    `widths`, `groups`: the different widths, rising, and how many groups have each.

    Examples
    --------
    >>> costly_above(np.array([1, 4, 9]), np.array([2, 1, 1]))
    1
    """
    if not len(widths):
        return 0
    wider = groups.sum() - np.cumsum(groups)
    return int(widths[np.argmax(wider <= AGAIN * groups.sum())])


def group_widths(table: Table, grouping: Grouping, method: Method) -> npt.NDArray[np.int64]:
    """Say how wide the cells of each group are in all, in millionths of their columns."""
    shown = generalize(table, grouping, bounds="observed", numbers=method.numbers)
    first = np.zeros(grouping.n_groups, dtype=np.intp)  # a published row of each group
    first[grouping.labels[grouping.rows]] = np.arange(len(grouping.rows))
    wide = np.zeros(grouping.n_groups)
    for column, cells in zip(table.quasi, shown.columns, strict=True):
        if isinstance(column, NumericColumn) and isinstance(cells, NumberCells):
            # Halves: the difference of two floats may be infinite.
            width = (cells.hi / 2 - cells.lo / 2) / (column.range / 2 or np.inf)
        elif isinstance(cells, CategoryCells):
            width = (cells.leaf_counts - 1) / max(cells.hierarchy.n_leaves - 1, 1)
        wide += np.where(cells.star, 1.0, width)[cells.index[first]]
    return np.rint(wide * WIDTHS).astype(np.int64)


class _StoppedError(Exception):
    """Ends a worker whose work nobody waits for any more."""


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _all(
    one: Callable[[int], Grouping], count: int, workers: int, stop: Event, tell: Callable[[], None]
) -> list[Grouping]:
    """Do all blocks, a few at a time; whoever waits is told, and may interrupt."""
    with ThreadPoolExecutor(min(workers, count)) as pool:
        work: list[Future[Grouping]] = [
            pool.submit(contextvars.copy_context().run, one, number) for number in range(count)
        ]
        try:
            left = set(work)
            while left:
                over, left = wait(left, timeout=POLL_SECONDS, return_when="FIRST_EXCEPTION")
                for each in over:
                    each.result()
                tell()
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return [each.result() for each in work]
