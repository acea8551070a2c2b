"""Inverse clustering: groups whose sensitive values are as unlike as possible (MICD).

Records that agree in all sensitive values are one combination: searches go by combinations,
which are few. `found_groups` builds the first groups from the largest buckets of the primary
attribute, `place` the records that are left, `diversify` one further attribute: groups that
are short of values are merged, or given values that are not theirs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.compiled import compiled
from shoal.kernels.inverse.centres import (
    NONE,
    Centres,
    Groups,
    add_value,
    far_without,
    least_size,
    leave,
    let_live,
    living,
    partner,
    touch,
)
from shoal.kernels.inverse.largest import Largest, pop_largest, push_back

ADDED = 0
"""Place in `Noise.counters`."""


class Combinations(NamedTuple):
    """Records by combination of sensitive values, combinations by bucket."""

    value: Ints
    """Combinations × attributes: the values; the primary attribute comes first."""
    degree: Ints
    """Combinations × attributes: the degrees of the values."""
    rows: Ints
    """All rows, combination after combination, ascending inside each."""
    head: Ints
    """Per combination: where in ``rows`` its lowest remaining row is."""
    left: Ints
    """Per combination: how many of its rows are left."""
    of_row: Ints
    """Per row: its combination."""
    bucket: Ints
    """Per combination: its bucket."""
    listed: Ints
    """Combinations, bucket after bucket; those with rows left come first."""
    begin: Ints
    """Where each bucket's combinations begin in ``listed``; one more entry than buckets."""
    open: Ints
    """Per bucket: how many of its combinations have rows left."""
    at: Ints
    """Per combination: where it stands in ``listed``."""
    queue: Ints
    """Rows bucket after bucket, in the order in which they become first records."""
    turn: Ints
    """Per bucket: the next place in ``queue``."""


class Noise(NamedTuple):
    """Values that were added to groups: for each, the attribute, the group and the value."""

    attribute: Ints
    group: Ints
    value: Ints
    counters: Ints
    """How many there are."""


@compiled
def _move(groups: Groups, made: Combinations, labels: Any, row: int, group: int) -> None:
    """Move a row into a group."""
    combination = made.of_row[row]
    labels[row] = group
    groups.size[group] += 1
    made.left[combination] -= 1
    if made.left[combination] == 0:
        bucket = made.bucket[combination]
        made.open[bucket] -= 1
        last = made.begin[bucket] + made.open[bucket]
        moved, place = made.listed[last], made.at[combination]
        made.listed[place], made.listed[last] = moved, combination
        made.at[moved], made.at[combination] = place, last
    else:
        while labels[made.rows[made.head[combination]]] >= 0:
            made.head[combination] += 1
    for j in range(made.value.shape[1]):
        add_value(groups, group, j, made.value[combination, j], made.degree[combination, j])


@compiled
def _farthest_row(groups: Groups, made: Combinations, bucket: int, group: int) -> int:
    """Find the bucket's row that is least like a group in the other attributes."""
    best, row = -1, NONE
    for place in range(made.begin[bucket], made.begin[bucket] + made.open[bucket]):
        combination = made.listed[place]
        far = 0
        for j in range(1, made.value.shape[1]):
            far += abs(made.degree[combination, j] - groups.centre[group, j])
        mine = made.rows[made.head[combination]]
        if far > best or (far == best and mine < row):
            best, row = far, mine
    return row


@compiled
def found_groups(
    groups: Groups,
    made: Combinations,
    largest: Largest,
    labels: Any,
    wanted: int,
    count: int,
    budget: int,
) -> int:
    """Build groups of one record from each of the largest buckets; gives how many there are.

    It returns early when the budget of groups is spent; ``count`` are there already.
    """
    end = count + budget
    while count < end and pop_largest(largest, wanted):
        for i in range(wanted):
            bucket = largest.popped[i]
            if i == 0:
                while labels[made.queue[made.turn[bucket]]] >= 0:
                    made.turn[bucket] += 1
                row = made.queue[made.turn[bucket]]
            else:
                row = _farthest_row(groups, made, bucket, count)
            _move(groups, made, labels, row, count)
        push_back(largest, wanted)
        count += 1
    return count


@compiled
def place(
    groups: Groups,
    index: Centres,
    small: Centres,
    made: Combinations,
    labels: Any,
    rows: Ints,
    spread: bool,
) -> None:
    """Let each of the rows that are left into the farthest group.

    With ``spread``, one that does not hold the record's primary value; where all do, the
    smallest. ``small`` is for those: beside the index of all groups, one of the smallest. A
    group that takes a row in leaves it, so the others are as they were, and their boxes tight.
    """
    for row in rows:
        combination = made.of_row[row]
        mine = made.degree[combination]
        value = made.value[combination, 0] if spread else NONE
        chosen = far_without(groups, index, 0, mine, 0, value)
        if chosen == NONE:
            if living(small) == 0:
                let_live(groups, small, 0, least_size(index))
            chosen = far_without(groups, small, 0, mine, 0, NONE)
        labels[row] = chosen
        groups.size[chosen] += 1
        for j in range(made.value.shape[1]):
            add_value(groups, chosen, j, made.value[combination, j], made.degree[combination, j])
        touch(groups, index, 0, chosen)
        leave(groups, small, 0, chosen)


@compiled
def join(groups: Groups, group: int, other: int) -> None:
    """Let a group take another one in."""
    groups.into[other] = group
    groups.size[group] += groups.size[other]
    groups.size[other] = 0
    for j in range(groups.centre.shape[1]):
        for w in range(groups.word[j], groups.word[j + 1]):
            fresh = groups.words[other, w] & ~groups.words[group, w]
            value = 64 * (w - groups.word[j])
            while fresh != np.uint64(0):
                if fresh & np.uint64(1):
                    add_value(groups, group, j, value, groups.degrees[groups.start[j] + value])
                fresh = fresh >> np.uint64(1)
                value += 1


@compiled
def _pad(groups: Groups, j: int, group: int, wanted: int, follow: bool, noise: Noise) -> None:
    """Add the values farthest from the group's centre until it has enough.

    The centre is the one from before, or, with ``follow``, moves with each value.
    """
    centre, degrees = groups.centre[group, j], groups.degrees[groups.start[j] : groups.start[j + 1]]
    while groups.distinct[group, j] < wanted:
        if follow:
            centre = groups.centre[group, j]
        best, chosen = -1, NONE
        for value in range(len(degrees)):
            held = groups.words[group, groups.word[j] + value // 64] >> np.uint64(value % 64)
            if held & np.uint64(1):
                continue
            far = abs(degrees[value] - centre)
            if far > best:
                best, chosen = far, value
        add_value(groups, group, j, chosen, degrees[chosen])
        at = noise.counters[ADDED]
        noise.attribute[at], noise.group[at], noise.value[at] = j, group, chosen
        noise.counters[ADDED] = at + 1


@compiled
def diversify(
    groups: Groups,
    index: Centres,
    j: int,
    short: Ints,
    wanted: int,
    pad: bool,
    follow: bool,
    noise: Noise,
) -> None:
    """Give groups that are short of values of attribute j enough of them.

    A group merges with the farthest one of the index, all short, that makes both diverse. If
    there is none, values are added, with ``follow`` one by one; or, without ``pad``, it merges
    with the farthest one that brings a new value, and so on.
    """
    for group in short:
        if groups.into[group] != group:
            continue
        # It changes from here on. When it is diverse, or holds all values that the others hold,
        # it is nobody's partner.
        leave(groups, index, j, group)
        while groups.distinct[group, j] < wanted:
            other = partner(groups, index, j, group, wanted)
            if other == NONE and pad:
                _pad(groups, j, group, wanted, follow, noise)
                break
            if other == NONE:
                other = partner(groups, index, j, group, groups.distinct[group, j] + 1)
            if other == NONE:
                break
            join(groups, group, other)
            leave(groups, index, j, other)
