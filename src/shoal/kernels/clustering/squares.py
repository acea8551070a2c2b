"""Squared distances of one reference, a record or the mean, to every code of every column.

A record is a point of a Euclidean space. A number is a coordinate; a category has one coordinate
for each node of its tree but the root, 1 on its way to the root and 0 elsewhere, so that two
categories are as far apart (squared) as the path between them is long. So there is a mean of
categories, too, and nobody has to write it down: of the mean, a record x asks only for
N·|x|² − 2·x·S, with S the sum of all N records, which orders records as their distance to the mean
S/N does.

A missing cell stands at the root, or in the middle of the range, and has a coordinate of its own.

The distances of a reference are written into a table; then a record costs one look-up per column.
Everything is an integer, so that equal distances are equal.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.compiled import compiled

BINS = 63
"""Into so many bins the codes of a column of categories are put, the missing one in one of its own;
as many as a word has bits without its sign."""


class Space(NamedTuple):
    """The columns as squared distances; their codes are laid end to end, the missing one last."""

    numeric: Bools
    """Per column."""
    start: Ints
    """Per column: its first entry in tables over codes."""
    factor: Ints
    """Per column: what its squared distances are multiplied by."""
    missing_cost: Ints
    """Per column: the squared coordinate of a missing cell."""
    place: Ints
    """Per code: its coordinate, rising, or the depth of its leaf; 0 where it is missing."""
    node: Ints
    """Per code: its leaf; of a missing one and of numbers the root of the column's tree."""
    bin: Ints
    """Per code: its bin; 0 of numbers."""
    root: Ints
    """Per column: the root of its tree; the trees' nodes are laid end to end, parents first."""
    parent: Ints
    depth: Ints
    first: Ints
    last: Ints
    """Per node: the parent (itself at a root), the depth, the least and the largest code below."""


class Sums(NamedTuple):
    """The records that are left, added up."""

    total: Ints
    """Per column: the sum of the coordinates."""
    held: Ints
    """Per node: the rows below it."""
    weigh: Ints
    """Per node: room to add up the way to the root."""
    absent: Ints
    """Per column: the missing cells."""


class Reference(NamedTuple):
    """The table of what is searched from."""

    near: Ints
    """Per code: its part of the distance."""
    own: Ints
    """Per column: the code of the record."""
    least: Ints
    most: Ints
    """Per column and bin: the least and the largest part of its codes."""


@compiled
def _fill_bins(space: Space, reference: Reference) -> None:
    """Find the least and the largest part of each bin."""
    near, least, most = reference.near, reference.least, reference.most
    for j in range(space.numeric.shape[0]):
        if space.numeric[j]:
            continue
        last = -1
        for code in range(space.start[j], space.start[j + 1]):
            at = space.bin[code]
            if at != last:
                least[j, at], most[j, at] = near[code], near[code]
                last = at
            least[j, at] = min(least[j, at], near[code])
            most[j, at] = max(most[j, at], near[code])


@compiled
def from_mean(space: Space, sums: Sums, alive: int, reference: Reference) -> None:
    """Write the table of the mean: N·|x|² − 2·x·S, column by column."""
    near = reference.near
    for node in range(space.parent.shape[0]):
        above = space.parent[node]
        sums.weigh[node] = 0 if above == node else sums.weigh[above] + alive - 2 * sums.held[node]
    for j in range(space.numeric.shape[0]):
        factor, end = space.factor[j], space.start[j + 1] - 1
        for code in range(space.start[j], end):
            if space.numeric[j]:
                x = space.place[code]
                near[code] = factor * (alive * x * x - 2 * x * sums.total[j])
            else:
                near[code] = factor * sums.weigh[space.node[code]]
        near[end] = factor * space.missing_cost[j] * (alive - 2 * sums.absent[j])
    _fill_bins(space, reference)


@compiled
def from_record(space: Space, record: Small, reference: Reference) -> None:
    """Write the table of a record: squared distances."""
    near = reference.near
    for j in range(space.numeric.shape[0]):
        factor, begin, end = space.factor[j], space.start[j], space.start[j + 1] - 1
        own = int(record[j])
        reference.own[j] = own
        mine, extra = space.place[own], factor * space.missing_cost[j]
        if space.numeric[j]:
            apart = extra if own == end else 0
            for code in range(begin, end):
                step = space.place[code] - mine
                near[code] = factor * step * step + apart
            near[end] = 0 if own == end else factor * mine * mine + extra
            continue
        if own == end:
            for code in range(begin, end):
                near[code] = factor * space.place[code] + extra
            near[end] = 0
            continue
        node = space.node[own]
        lo, hi = begin + space.first[node], begin + space.last[node] + 1
        near[own] = 0
        while space.parent[node] != node:  # climb: what a parent adds lies beside its child
            node = space.parent[node]
            left, right = begin + space.first[node], begin + space.last[node] + 1
            climbed = mine - 2 * space.depth[node]
            for code in range(left, lo):
                near[code] = factor * (climbed + space.place[code])
            for code in range(hi, right):
                near[code] = factor * (climbed + space.place[code])
            lo, hi = left, right
        near[end] = factor * mine + extra
    _fill_bins(space, reference)


@compiled
def take_out(space: Space, sums: Sums, record: Small) -> None:
    """Take a record out of the sums."""
    for j in range(space.numeric.shape[0]):
        code = int(record[j])
        if code == space.start[j + 1] - 1:
            sums.absent[j] -= 1
        elif space.numeric[j]:
            sums.total[j] -= space.place[code]
        else:
            node = space.node[code]
            while space.parent[node] != node:
                sums.held[node] -= 1
                node = space.parent[node]
