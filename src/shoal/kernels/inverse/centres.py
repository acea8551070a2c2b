"""Sensitive groups, and the one whose centre is farthest: exactly what a scan would find.

A group is known by the values it holds, a bit each, and by its centre: per sensitive
attribute, the mean degree of the distinct values it holds. Groups lie in blocks, near centres
side by side; blocks lie below others, `FAN` at a time. Each has a box: the least and largest
centre per attribute, the values that all its groups hold, and those that some hold. So most
blocks are skipped, because nothing in them is far enough or fits.

Where groups do not change while they may be found, those that a search cannot tell apart stand at
one place, and the first of them is found. There are ever more of these as tables grow. Blocks of
such an index know more than their box, which is mostly empty at its corners: a distance of a
point q to a centre c is the largest of all sums of ±(c − q), one for each choice of signs. So the
largest sum of ±c for each choice tells how far the farthest centre of a block is, exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Ints
from shoal.kernels.collapse import collapse
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import BEGIN, BOUND, END, FAN, LEVEL, NODE, above, below, levels, wait

Words = npt.NDArray[np.uint64]

NONE = -1
SIZE, NUMBER = range(2)
"""Places in each row of `Centres.least`."""
_FARTHEST = np.iinfo(np.int64).max
_SIGNED = 6
"""So many attributes have sums for each choice of signs; the box bounds the others."""


class Groups(NamedTuple):
    """What is known of each group; attributes stand in the order in which they are treated."""

    words: Words
    """Groups × words: a bit per value that the group holds, noise included."""
    word: Ints
    """Where each attribute's words begin; one more entry than attributes."""
    total: Ints
    """Groups × attributes: the sum of the degrees of the distinct values."""
    distinct: Ints
    """Groups × attributes: how many distinct values there are."""
    centre: Ints
    """Groups × attributes: the mean degree, rounded to the grid."""
    size: Ints
    """Rows per group."""
    into: Ints
    """The group that took this one in; itself while it stands alone."""
    degrees: Ints
    """The degrees of all values of all attributes, end to end."""
    start: Ints
    """Where each attribute's degrees begin; one more entry than attributes."""


class Centres(NamedTuple):
    """An index over the centres of some groups, for one attribute's values at a time."""

    order: Ints
    """Which group stands at a place: the first of those that may be found."""
    place: Ints
    """Where a group stands; −1 if nowhere."""
    following: Ints
    """Per group: the next one at the same place, −1 if there is none."""
    gone: Bools
    """Per group: whether it left before it was the first at its place."""
    live: Bools
    """Per place: whether a group of it may be found."""
    lo: Ints
    hi: Ints
    every: Words
    """Per node: the values that all groups below hold."""
    some: Words
    """Per node: the values that some group below holds."""
    least: Ints
    """Per node: the smallest size and the lowest number of a group below."""
    living: Ints
    """Per node: live places below."""
    sums: Ints
    """Per node above the lowest level, per choice of signs: the largest sum of signed centres.
    There are none where groups stand alone."""
    spare: Ints
    """Room for the sums of two points."""
    level: Ints
    stack: Ints


def lay(groups: Groups, chosen: Ints, skip: int = NONE, alike: int = NONE) -> Centres:
    """Make room for an index over the chosen groups, near centres side by side.

    The attribute ``skip`` does not count. With ``alike``, an attribute, groups of the same centre
    and the same values of it stand at one place: they must not change while they may be found.
    ``chosen`` rises.
    """
    d = groups.centre.shape[1]
    counted = [j for j in range(d) if j != skip] or [0]
    following = np.full(len(groups.size), NONE, dtype=np.int64)
    of_chosen = np.arange(len(chosen))
    firsts = chosen
    if alike != NONE:
        values = groups.words[chosen, groups.word[alike] : groups.word[alike + 1]]
        found = [np.unique(c, return_inverse=True) for c in (*groups.centre[chosen].T, *values.T)]
        kind = collapse([codes for _, codes in found], [len(each) for each, _ in found])
        by_kind = np.argsort(kind, kind="stable")
        same = kind[by_kind[1:]] == kind[by_kind[:-1]]
        following[chosen[by_kind[:-1][same]]] = chosen[by_kind[1:][same]]
        firsts = chosen[by_kind[np.append(True, ~same)]]
        of_chosen = kind
    near = _curve(groups.centre[firsts][:, counted])
    if alike != NONE:  # one set of values after the other: most searches ask for some sets only
        values = groups.words[firsts[near], groups.word[alike] : groups.word[alike + 1]]
        near = near[np.lexsort(values.T)]
    n = len(firsts)
    level = levels(n)
    nodes = int(level[-1, END])
    words = int(np.diff(groups.word).max())
    rank = np.empty(n, dtype=np.int64)
    rank[near] = np.arange(n)
    place = np.full(len(groups.size), NONE, dtype=np.int64)
    place[chosen] = rank[of_chosen]
    return Centres(
        order=firsts[near],
        place=place,
        following=following,
        gone=np.zeros(len(groups.size), dtype=np.bool_),
        live=np.ones(n, dtype=np.bool_),
        lo=np.zeros((nodes, d), dtype=np.int64),
        hi=np.zeros((nodes, d), dtype=np.int64),
        every=np.zeros((nodes, words), dtype=np.uint64),
        some=np.zeros((nodes, words), dtype=np.uint64),
        least=np.zeros((nodes, 2), dtype=np.int64),
        living=np.zeros(nodes, dtype=np.int64),
        sums=np.zeros(
            (0 if alike == NONE else nodes - int(level[1, BEGIN]), 1 << min(d, _SIGNED)),
            dtype=np.int64,
        ),
        spare=np.zeros((2, 1 << min(d, _SIGNED)), dtype=np.int64),
        level=level,
        stack=np.zeros((len(level) * FAN + FAN, 3), dtype=np.int64),
    )


def empty_like(index: Centres) -> Centres:
    """Make an index over the same groups, of which none may be found so far."""
    return index._replace(
        live=np.zeros_like(index.live),
        lo=index.lo.copy(),
        hi=index.hi.copy(),
        every=index.every.copy(),
        some=index.some.copy(),
        least=index.least.copy(),
        living=np.zeros_like(index.living),
        spare=index.spare.copy(),
        stack=index.stack.copy(),
    )


def _curve(centres: Ints) -> Ints:
    """Order points along a curve that keeps near ones near: their ranks' bits, in turns.

    Of many columns only the first: a key has 62 bits, and the order changes no result.
    """
    n, d = centres[:, :62].shape
    bits = min(16, 62 // max(d, 1))
    key = np.zeros(n, dtype=np.int64)
    ranks = []
    for j in range(d):
        values, rank = np.unique(centres[:, j], return_inverse=True)
        ranks.append(rank.astype(np.int64) * ((1 << bits) - 1) // max(len(values) - 1, 1))
    for bit in range(bits - 1, -1, -1):
        for rank in ranks:
            key = key * 2 + ((rank >> bit) & 1)
    return np.argsort(key, kind="stable").astype(np.int64)


@compiled
def _ones(word: int) -> int:
    """Count the bits of a word."""
    x = np.uint64(word)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    x = x + (x >> np.uint64(8))
    x = x + (x >> np.uint64(16))
    x = x + (x >> np.uint64(32))
    return int(x & np.uint64(0x7F))


@compiled
def centre_of(total: int, distinct: int) -> int:
    """Divide, rounded to the nearest whole number of the grid; halves up."""
    return (2 * total + distinct) // (2 * distinct) if distinct else 0


@compiled
def add_value(groups: Groups, group: int, j: int, value: int, degree: int) -> bool:
    """Let a group hold a value; say whether it is new to it."""
    at = groups.word[j] + value // 64
    bit = np.uint64(1) << np.uint64(value % 64)
    if groups.words[group, at] & bit:
        return False
    groups.words[group, at] |= bit
    groups.total[group, j] += degree
    groups.distinct[group, j] += 1
    groups.centre[group, j] = centre_of(groups.total[group, j], groups.distinct[group, j])
    return True


@compiled
def _box(groups: Groups, index: Centres, j: int, at: int, node: int) -> None:
    """Compute a node's box from what lies below it."""
    d = groups.centre.shape[1]
    width = groups.word[j + 1] - groups.word[j]
    if at == 0:
        group = index.order[node]
        index.living[node] = 1 if index.live[node] else 0
        index.least[node, SIZE], index.least[node, NUMBER] = groups.size[group], group
        for m in range(d):
            index.lo[node, m] = groups.centre[group, m]
            index.hi[node, m] = groups.centre[group, m]
        for w in range(width):
            index.every[node, w] = groups.words[group, groups.word[j] + w]
            index.some[node, w] = groups.words[group, groups.word[j] + w]
        return
    begin = below(index.level, at, node, FAN)
    end = min(begin + FAN, index.level[at - 1, END])
    index.living[node] = 0
    index.least[node, SIZE], index.least[node, NUMBER] = _FARTHEST, _FARTHEST
    first = True
    for child in range(begin, end):
        if index.living[child] == 0:
            continue
        index.living[node] += index.living[child]
        index.least[node, SIZE] = min(index.least[node, SIZE], index.least[child, SIZE])
        index.least[node, NUMBER] = min(index.least[node, NUMBER], index.least[child, NUMBER])
        for m in range(d):
            if first:
                index.lo[node, m], index.hi[node, m] = index.lo[child, m], index.hi[child, m]
            else:
                index.lo[node, m] = min(index.lo[node, m], index.lo[child, m])
                index.hi[node, m] = max(index.hi[node, m], index.hi[child, m])
        for w in range(width):
            if first:
                index.every[node, w] = index.every[child, w]
                index.some[node, w] = index.some[child, w]
            else:
                index.every[node, w] &= index.every[child, w]
                index.some[node, w] |= index.some[child, w]
        if index.sums.shape[0] > 0:
            _gather_sums(groups, index, at, node, child, first)
        first = False


@compiled
def _sign(point: Ints, sums: Ints) -> None:
    """Write the sums of a point's first coordinates for each choice of signs."""
    sums[0] = 0
    width = 1
    m = 0
    while width < sums.shape[0]:
        for i in range(width):
            sums[width + i] = sums[i] - point[m]
            sums[i] += point[m]
        width *= 2
        m += 1


@compiled
def _gather_sums(
    groups: Groups, index: Centres, at: int, node: int, child: int, first: bool
) -> None:
    """Let a node's largest sums hold for one more node below it."""
    begin = index.level[1, BEGIN]
    mine, theirs = index.sums[node - begin], index.spare[1]
    if at == 1:
        _sign(groups.centre[index.order[child]], theirs)
    else:
        theirs = index.sums[child - begin]
    for i in range(mine.shape[0]):
        mine[i] = theirs[i] if first else max(mine[i], theirs[i])


@compiled
def build(groups: Groups, index: Centres, j: int) -> None:
    """Compute all boxes, with the values of attribute j."""
    for at in range(index.level.shape[0]):
        for node in range(index.level[at, BEGIN], index.level[at, END]):
            _box(groups, index, j, at, node)


@compiled
def touch(groups: Groups, index: Centres, j: int, group: int) -> None:
    """Bring the boxes up to date after a group changed."""
    node = index.place[group]
    if node < 0:
        return
    _box(groups, index, j, 0, node)
    for at in range(1, index.level.shape[0]):
        node = above(index.level, at, node, FAN)
        _box(groups, index, j, at, node)


@compiled
def leave(groups: Groups, index: Centres, j: int, group: int) -> None:
    """Let a group be found no more; the next one at its place may be."""
    node = index.place[group]
    if node < 0 or not index.live[node]:
        return
    if index.order[node] != group:
        index.gone[group] = True
        return
    after = index.following[group]
    while after >= 0 and index.gone[after]:
        after = index.following[after]
    if after >= 0:
        index.order[node] = after
    else:
        index.live[node] = False
    touch(groups, index, j, group)


@compiled
def living(index: Centres) -> int:
    """Count the places whose groups may be found."""
    return index.living[-1]


@compiled
def least_size(index: Centres) -> int:
    """Find the size of the smallest group that may be found."""
    return index.least[-1, SIZE]


@compiled
def let_live(groups: Groups, index: Centres, j: int, size: int) -> None:
    """Let the groups of one size be found, and no others; each stands at a place of its own."""
    for node in range(index.live.shape[0]):
        index.live[node] = groups.size[index.order[node]] == size
    build(groups, index, j)


@compiled
def _bound(index: Centres, node: int, mine: Ints, skip: int) -> int:
    """Bound the distance of a point to any centre below a node; exact for one group."""
    total = 0
    for m in range(mine.shape[0]):
        if m != skip:
            total += max(abs(mine[m] - index.lo[node, m]), abs(mine[m] - index.hi[node, m]))
    return total


@compiled
def _reach(index: Centres, node: int, mine: Ints) -> int:
    """Bound the distance as `_bound` does, by the sums of a node above the lowest level."""
    theirs, own = index.sums[node - index.level[1, BEGIN]], index.spare[0]
    total = theirs[0] - own[0]
    for i in range(1, own.shape[0]):
        total = max(total, theirs[i] - own[i])
    for m in range(_SIGNED, mine.shape[0]):
        total += max(abs(mine[m] - index.lo[node, m]), abs(mine[m] - index.hi[node, m]))
    return total


@compiled
def _search(
    groups: Groups,
    index: Centres,
    j: int,
    mine: Ints,
    skip: int,
    by_size: bool,
    value: int,
    group: int,
    wanted: int,
) -> int:
    """Find the farthest live group that fits; of equals the earliest, or first the smallest.

    With a ``group``, one whose union with it holds ``wanted`` values of attribute j; it must
    have left the index. With a ``value`` of 0 or more, one that does not hold it.
    """
    stack = index.stack
    width = groups.word[j + 1] - groups.word[j]
    best, size, chosen = -1, _FARTHEST, NONE
    top = index.level.shape[0] - 1
    summed = index.sums.shape[0] > 0 and skip == NONE
    if summed:
        _sign(mine, index.spare[0])
    height = 1
    stack[0, NODE], stack[0, LEVEL], stack[0, BOUND] = index.level[top, BEGIN], top, _FARTHEST
    while height > 0:
        height -= 1
        node, at, bound = stack[height, NODE], stack[height, LEVEL], stack[height, BOUND]
        if bound < best:
            continue
        if at == 0:
            other = index.order[node]
            its = groups.size[other] if by_size else 0
            if bound > best or its < size or (its == size and other < chosen):
                best, size, chosen = bound, its, other
            continue
        begin = below(index.level, at, node, FAN)
        bottom = height
        for child in range(begin, min(begin + FAN, index.level[at - 1, END])):
            if index.living[child] == 0:
                continue
            if value >= 0:
                held = index.every[child, value // 64] >> np.uint64(value % 64)
                if held & np.uint64(1):
                    continue
            if group >= 0:
                ones = 0
                for w in range(width):
                    ones += _ones(groups.words[group, groups.word[j] + w] | index.some[child, w])
                if ones < wanted:
                    continue
            if summed and at > 1:
                far = _reach(index, child, mine)
            else:
                far = _bound(index, child, mine, skip)
            if far < best:
                continue
            its = index.least[child, SIZE] if by_size else 0
            if far == best and (
                its > size or (its == size and index.least[child, NUMBER] > chosen)
            ):
                continue
            wait(stack, bottom, height, child, at - 1, far, None)
            height += 1
    return chosen


@compiled
def far_without(groups: Groups, index: Centres, j: int, mine: Ints, skip: int, value: int) -> int:
    """Find the group farthest from a record that does not hold a value (−1: whatever it holds).

    The attribute ``skip`` does not count. Among equals, with a value, the smallest wins.
    """
    return _search(groups, index, j, mine, skip, value >= 0, value, NONE, 0)


@compiled
def partner(groups: Groups, index: Centres, j: int, group: int, wanted: int) -> int:
    """Find the group farthest from another, with which it holds enough values."""
    return _search(groups, index, j, groups.centre[group], NONE, False, NONE, group, wanted)
