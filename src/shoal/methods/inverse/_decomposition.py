"""What the Decompositions share: groups from the largest buckets, made diverse by noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeAlias

import numpy as np

from shoal.base.arrays import Floats, Ints
from shoal.kernels.inverse.largest import draw, heap_up
from shoal.kernels.ordering import order_by
from shoal.methods.base import Progress
from shoal.methods.inverse._people import PeopleInGroups
from shoal.methods.inverse._sensitive import SensitiveAttribute, buckets
from shoal.publications.groups.grouping import SUPPRESSED, Grouping, Padding, number_merged

Keys: TypeAlias = Callable[[SensitiveAttribute, int], Floats]
"""Gives keys to the values of an attribute, anew for each of some groups: least are drawn first."""

BUDGET = 4096
"""Groups, or rows, between two looks at the clock."""

CELLS = 4_000_000
"""Groups times values that are looked at together."""


def decompose(
    attributes: Sequence[SensitiveAttribute],
    queue: Ints,
    keys: Keys,
    k: int,
    people: Ints | None,
    progress: Progress,
) -> Grouping:
    """Open groups from the largest buckets, place the rest, and fill up with noise.

    - ``queue``: all rows in the order in which they are taken from their buckets.
    - ``keys``: how noise is drawn.
    - ``people``: tells persons apart, row by row.
    """
    labels, count = _open(attributes[0], queue, progress)
    _place(labels, count, attributes[0].codes, progress)
    labels = _enlarge(labels, count, k, people)
    return Grouping(labels.astype(np.int32), _pad(labels, attributes, keys))


def _open(first: SensitiveAttribute, queue: Ints, progress: Progress) -> tuple[Ints, int]:
    """Build groups of one record from each of the largest buckets; also give how many."""
    of_row = buckets(first.codes, len(first.degrees))[first.codes]
    sizes = np.bincount(of_row)
    largest = heap_up(sizes)
    drawn = np.zeros(len(queue), dtype=np.int64)
    count, before = 0, -1
    while count > before:
        before = count
        count = int(draw(largest, first.wanted, drawn, count, BUDGET))
        progress(count * first.wanted, len(queue))
    # The i-th time that a bucket is drawn, its i-th row goes.
    waiting = queue[order_by(of_row[queue], len(sizes))]
    turns = order_by(drawn[: count * first.wanted], len(sizes))
    taken = np.bincount(drawn[: count * first.wanted], minlength=len(sizes))
    skipped = np.cumsum(sizes - taken) - (sizes - taken)
    rows = waiting[np.arange(len(turns)) + np.repeat(skipped, taken)]
    labels = np.full(len(queue), SUPPRESSED, dtype=np.int64)
    labels[rows] = turns // first.wanted
    return labels, count


def _place(labels: Ints, count: int, codes: Ints, progress: Progress) -> None:
    """Let each row that is left into the smallest group without its primary value."""
    left = np.flatnonzero(labels == SUPPRESSED).tolist()
    sizes = np.bincount(labels[labels >= 0], minlength=count).tolist()
    holding = {
        value: set(labels[(codes == value) & (labels >= 0)].tolist())
        for value in np.unique(codes[left]).tolist()
    }
    everyone = [(size, label) for label, size in enumerate(sizes)]
    heaps = {
        value: [entry for entry in everyone if entry[1] not in held]
        for value, held in holding.items()
    }
    for heap in (everyone, *heaps.values()):
        heapify(heap)
    for done, row in enumerate(left):
        value = int(codes[row])
        chosen = _smallest(heaps[value], sizes, holding[value])
        if chosen is None:
            chosen = _smallest(everyone, sizes, set())
        assert chosen is not None  # every group has an entry of its present size
        labels[row] = chosen
        sizes[chosen] += 1
        holding[value].add(chosen)
        for heap in (everyone, *heaps.values()):
            heappush(heap, (sizes[chosen], chosen))
        if done % BUDGET == 0:
            progress(len(labels) - len(left) + done, len(labels))


def _smallest(heap: list[tuple[int, int]], sizes: list[int], without: set[int]) -> int | None:
    """Find the smallest group, the earliest of equals; entries that are out of date go."""
    while heap:
        size, label = heap[0]
        if size == sizes[label] and label not in without:
            return label
        heappop(heap)
    return None


def _enlarge(labels: Ints, count: int, k: int, people: Ints | None) -> Ints:
    """Unite groups of fewer than k people in turn; the last joins the smallest, if it must."""
    crowds = PeopleInGroups(labels, count, people)
    into = np.arange(count)
    small = crowds.small(k).tolist()
    while small:
        group = small.pop(0)
        while small and crowds.sizes[group] < k:
            into[small[0]] = group
            crowds.join(group, small.pop(0))
        if crowds.sizes[group] < k and count > 1:
            sizes = np.where(crowds.sizes > 0, crowds.sizes, len(labels) + 1)
            sizes[group] = len(labels) + 1
            host = int(np.argmin(sizes))
            into[into == group] = host
            crowds.join(host, group)
    return number_merged(into)[labels]


def _pad(labels: Ints, attributes: Sequence[SensitiveAttribute], keys: Keys) -> dict[str, Padding]:
    """Add values to groups that are short of them."""
    padding = {}
    count = int(labels.max()) + 1
    for attribute in attributes[1:]:
        width = len(attribute.degrees)
        entries = _distinct(labels * width + attribute.codes, count * width)
        lacking = attribute.wanted - np.bincount(entries // width, minlength=count)
        short = np.flatnonzero(lacking > 0)
        added = [
            _draw(some, entries, width, lacking[some], keys(attribute, len(some)))
            for some in np.array_split(short, -(-len(short) * width // CELLS) or 1)
            if len(some)
        ]
        if added:
            group, value = (np.concatenate(part) for part in zip(*added, strict=True))
            padding[attribute.name] = Padding(group, value)
    return padding


def _distinct(numbers: Ints, most: int) -> Ints:
    """Sort numbers below a bound, each once: by marks, unless that takes far more room."""
    if most > 64 * len(numbers):
        return np.unique(numbers)
    seen = np.zeros(most, dtype=np.bool_)
    seen[numbers] = True
    return np.flatnonzero(seen)


def _draw(
    groups: Ints, entries: Ints, width: int, lacking: Ints, keys: Floats
) -> tuple[Ints, Ints]:
    """Draw, for each group, the values of least key that it does not hold."""
    begin, end = np.searchsorted(entries, [groups[0] * width, (groups[-1] + 1) * width])
    held = entries[begin:end]
    place = np.searchsorted(groups, held // width)
    mine = groups[place] == held // width
    keys[place[mine], (held % width)[mine]] = np.inf
    value = np.empty((len(groups), int(lacking.max())), dtype=np.int64)
    left = np.arange(len(groups))
    for turn in range(value.shape[1]):  # few are lacking: no need to sort all
        left = left[lacking[left] > turn]
        least = keys[left].argmin(axis=1)
        value[left, turn] = least
        keys[left, least] = np.inf
    return np.repeat(groups, lacking), value[np.arange(value.shape[1]) < lacking[:, None]]
