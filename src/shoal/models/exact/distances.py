"""Distances between each group's values and those of a whole, as whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.base.arrays import Ints


def equal_distance(group: Ints, value: Ints, counts: Ints, groups: int, whole: Ints) -> Any:
    """Sum |cᵢ · N − Rᵢ · n| over all values: twice n · N times the variational distance.

    Counts are of values in groups, sorted by group; ``whole`` has the count of each value.
    """
    total = _totals(group, counts, groups)
    kind = _kind(total, whole, 2)
    mine, all_ = total.astype(kind), whole.astype(kind)
    rows = all_.sum()
    starts = np.searchsorted(group, np.arange(groups + 1))
    apart = np.abs(counts.astype(kind) * rows - all_[value] * mine[group])
    lacking = rows - _sums(all_[value], starts)  # of values that the group does not hold
    return _sums(apart, starts) + lacking * mine


def ordered_distance(group: Ints, place: Ints, counts: Ints, groups: int, whole: Ints) -> Any:
    """Sum |Cⱼ · N − Sⱼ · n| over all places but the last, C and S being running sums.

    That is (m − 1) · n · N times the earth mover's distance over m places in a row. Between two
    places that a group holds, its running sum stays and that of the whole grows; so it is enough to
    know where the second overtakes the first. Counts are as in `equal_distance`, of places; a place
    may be given twice.
    """
    order = np.lexsort((place, group))
    group, place, counts = group[order], place[order], counts[order]
    total = _totals(group, counts, groups)
    kind = _kind(total, whole, 4 * len(whole))
    starts = np.searchsorted(group, np.arange(groups + 1))
    last = len(whole) - 1
    until = np.append(place[1:], last)
    until[starts[1:][starts[1:] > starts[:-1]] - 1] = last
    sums = np.concatenate(([0], np.cumsum(counts)))
    held = (sums[1:] - sums[starts[:-1]][group]).astype(kind) * int(whole.sum())
    mine = total.astype(kind)
    running = np.cumsum(whole)
    areas = np.concatenate(([0], np.cumsum(running.astype(kind))))
    turn = np.searchsorted(running, (held // mine[group]).astype(np.int64), side="right")
    turn = np.clip(turn, place, until)
    terms = held * (2 * turn - place - until)
    terms += mine[group] * (areas[until] + areas[place] - 2 * areas[turn])
    first = np.zeros(groups, dtype=np.int64)
    first[group[::-1]] = place[::-1]
    return _sums(terms, starts) + mine * areas[first]


def _totals(group: Ints, counts: Ints, groups: int) -> Ints:
    return np.bincount(group, counts.astype(np.float64), minlength=groups).astype(np.int64)


def _kind(total: Ints, whole: Ints, factor: int) -> Any:
    """Choose 64 bits where all products fit, else whole numbers of any length."""
    largest = int(total.max(initial=1)) * int(whole.sum()) * factor
    return np.int64 if largest < 2**62 else object


def _sums(values: Any, starts: Ints) -> Any:
    """Sum the values from each start to the next."""
    sums = np.concatenate((np.zeros(1, dtype=values.dtype), np.cumsum(values)))
    return sums[starts[1:]] - sums[starts[:-1]]


def tree_distance(
    group: Ints, value: Ints, counts: Ints, groups: int, whole: Ints, nodes: Ints, weight: Ints
) -> Any:
    """Sum wᵢ · |cᵢ · N − Rᵢ · n| over all nodes of a tree but the root.

    With w the step in height to the node above, that is 2 · H · n · N times the earth mover's
    distance, where two leaves are as far apart as the height of their lowest common node, over the
    height H of the root. Counts are as in `equal_distance`; ``nodes`` and ``weight`` as in
    `TreePaths`.
    """
    total = _totals(group, counts, groups)
    size, kind = len(weight), _kind(total, whole, 2 * int(weight.sum()))
    row, step = np.nonzero(nodes[value] >= 0)
    keys, at = np.unique(group[row] * size + nodes[value[row], step], return_inverse=True)
    mine = np.bincount(at.reshape(-1), counts[row].astype(np.float64)).astype(np.int64)
    which, step = np.nonzero(nodes >= 0)
    below = np.bincount(nodes[which, step], whole[which].astype(np.float64), minlength=size)
    all_ = below.astype(np.int64).astype(kind)
    heavy = all_ * weight.astype(kind)
    owner, node = keys // size, keys % size
    rows, held = whole.astype(kind).sum(), total.astype(kind)
    apart = np.abs(mine.astype(kind) * rows - all_[node] * held[owner]) * weight.astype(kind)[node]
    starts = np.searchsorted(owner, np.arange(groups + 1))
    lacking = heavy.sum() - _sums(heavy[node], starts)  # of nodes that the group does not hold
    return _sums(apart, starts) + lacking * held
