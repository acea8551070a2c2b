"""Which classes hold what is asked of their values, and how many rows no part that holds can have.

The rows of a class that are published at a finer node are unions of parts that hold, so they hold
themselves. The fewest rows without which a class can hold are thus lost at every node below, too;
where they cannot be told, fewer are given. Whole numbers decide, and logarithms where they are
far enough from each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled

__all__ = [
    "Classes",
    "begins",
    "close",
    "close_in_order",
    "even",
    "far",
    "few",
    "rare",
    "shared",
    "small",
]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

TURNS = 64
"""After so many turns, what is known by then of rows that must go is enough."""

ROUNDING = 1e-9
"""Floats that differ by less do not decide."""


class Classes(NamedTuple):
    """The rows of classes, and how often each value of a column occurs in them."""

    rows: Ints
    begin: Ints
    """Where the entries of each class begin; one place more than there are classes."""
    value: Small
    """Per entry, sorted by class, then by value."""
    counts: Ints


@compiled
def begins(group: Small, begin: Ints) -> None:
    """Find where the entries of each class begin."""
    at = 0
    for c in range(begin.shape[0]):
        while at < group.shape[0] and group[at] < c:
            at += 1
        begin[c] = at


@compiled
def small(rows: Ints, k: int, fails: Bools, must: Ints) -> int:
    """Let classes of fewer than k rows fail; gives how many rows they have."""
    total = 0
    for c in range(rows.shape[0]):
        fails[c] = rows[c] < k
        must[c] = rows[c] if fails[c] else 0
        total += must[c]
    return total


@compiled
def few(classes: Classes, least: int, fails: Bools, must: Ints) -> int:
    """Let classes of fewer values fail; gives how many rows must go in all."""
    total = 0
    for c in range(must.shape[0]):
        if classes.begin[c + 1] - classes.begin[c] < least:
            fails[c], must[c] = True, classes.rows[c]
        total += must[c]
    return total


@compiled
def _unevenness(classes: Classes, c: int, cap: int, log: Floats, share: float, size: float) -> int:
    """Compare a class's entropy, no count being above a cap: 1 too low, 0 enough, −1 unsure."""
    first, end = classes.begin[c], classes.begin[c + 1]
    n, logs = 0, 0.0
    for e in range(first, end):
        count = min(classes.counts[e], cap)
        n += count
        logs += log[count]
    gap = log[n] - logs - n * share
    if abs(gap) <= (log[n] + n * size + 1.0) * (end - first + 16) * 2.0**-50:
        return -1
    return 1 if gap < 0 else 0


@compiled
def even(
    classes: Classes,
    log: Floats,
    share: float,
    size: float,
    least: int,
    most: int,
    fails: Bools,
    must: Ints,
    unsure: Bools,
) -> int:
    """Let classes fail whose entropy is below that of so many values; gives rows that must go.

    Of all parts with so many rows, the one is most even whose largest counts are cut to one
    number; so it is enough to look for the least number that is too much.

    Parameters
    ----------
    log
        n · ln n of every number of rows.
    share, size
        The logarithm of the number of values, and the size of what it is made of.
    least
        That number rounded up: so many values hold if they are equally frequent.
    most
        Once more rows must go, no more are counted.
    unsure
        Gets the classes that logarithms cannot tell.
    """
    total = 0
    for c in range(must.shape[0]):
        total += must[c]
    for c in range(must.shape[0]):
        largest = 0
        for e in range(classes.begin[c], classes.begin[c + 1]):
            largest = max(largest, classes.counts[e])
        kinds = classes.begin[c + 1] - classes.begin[c]
        if kinds * largest == classes.rows[c]:
            told = 0 if kinds >= least else 1
        else:
            told = _unevenness(classes, c, largest, log, share, size)
        unsure[c] = told < 0
        if told != 1:
            continue
        fails[c] = True
        if must[c] == classes.rows[c] or total > most:
            continue
        low, high = 0, largest
        if kinds < least:
            high = 1
        while high - low > 1:
            middle = (low + high) // 2
            if _unevenness(classes, c, middle, log, share, size) == 1:
                high = middle
            else:
                low = middle
        left = _cut(classes, c, high) - 1 if high > 1 else 0
        total += max(classes.rows[c] - left - must[c], 0)
        must[c] = max(must[c], classes.rows[c] - left)
    return total


@compiled
def _cut(classes: Classes, c: int, cap: int) -> int:
    """Count the rows of a class if no value has more of them than a cap."""
    n = 0
    for e in range(classes.begin[c], classes.begin[c + 1]):
        n += min(classes.counts[e], cap)
    return n


@compiled
def rare(
    classes: Classes,
    least: int,
    above: int,
    below: int,
    top: Ints,
    most: int,
    fails: Bools,
    must: Ints,
) -> int:
    """Let classes fail whose largest count is too large; gives how many rows must go in all.

    It must be below ``above`` / ``below`` times the sum of the counts from number ``least`` on.
    Of all parts with the same largest count, the one with all rows that this leaves is the
    best; so it is enough to look for the highest cap.

    Parameters
    ----------
    top
        Room: a place per count before number ``least``.
    most
        Once more rows must go, no more are counted.
    """
    total = 0
    for c in range(must.shape[0]):
        total += must[c]
    for c in range(must.shape[0]):
        for i in range(least - 1):
            top[i] = 0
        for e in range(classes.begin[c], classes.begin[c + 1]):
            i, count = least - 2, classes.counts[e]
            if count <= top[i]:
                continue
            while i > 0 and top[i - 1] < count:
                top[i] = top[i - 1]
                i -= 1
            top[i] = count
        if _rare_enough(classes, c, top[0], least, above, below, top):
            continue
        fails[c] = True
        if must[c] == classes.rows[c] or total > most:
            continue
        low, high = 0, top[0]
        while high - low > 1:
            middle = (low + high) // 2
            if _rare_enough(classes, c, middle, least, above, below, top):
                low = middle
            else:
                high = middle
        more = classes.rows[c] - _cut(classes, c, low)
        total += max(more - must[c], 0)
        must[c] = max(must[c], more)
    return total


@compiled
def _rare_enough(
    classes: Classes, c: int, cap: int, least: int, above: int, below: int, top: Ints
) -> bool:
    """Say whether the largest count is small enough if no count is above a cap."""
    rest = _cut(classes, c, cap)
    for i in range(least - 1):
        rest -= min(top[i], cap)
    return min(top[0], cap) * below < above * rest


@compiled
def shared(
    classes: Classes,
    sets: Ints,
    above: Ints,
    below: Ints,
    held: Ints,
    most: int,
    fails: Bools,
    must: Ints,
) -> int:
    """Let classes fail in which a set has more than its share; gives rows that must go in all.

    Parameters
    ----------
    sets
        The set of each value.
    above, below
        The largest share of each set.
    held
        Room: a place per set; zeros, before and after.
    most
        Once more rows must go, no more are counted.
    """
    total = 0
    for c in range(must.shape[0]):
        total += must[c]
    for c in range(must.shape[0]):
        n, first, end = classes.rows[c], classes.begin[c], classes.begin[c + 1]
        for e in range(first, end):
            held[sets[classes.value[e]]] += classes.counts[e]
        gone = 0
        for _ in range(TURNS):
            more = 0
            for e in range(first, end):
                s = sets[classes.value[e]]
                if held[s] > 0:
                    more += max(0, held[s] - (n - gone) * above[s] // below[s])
                    held[s] = -held[s]  # each set once
            for e in range(first, end):
                s = sets[classes.value[e]]
                held[s] = max(held[s], -held[s])
            if more > 0:
                fails[c] = True
            if more == gone or must[c] == n or total > most:
                break
            gone = more
        for e in range(first, end):
            held[sets[classes.value[e]]] = 0
        total += max(gone - must[c], 0)
        must[c] = max(must[c], gone)
    return total


@compiled
def far(
    classes: Classes, whole: Ints, largest: float, left: float, most: int, must: Ints
) -> int:
    """Find rows that must go for classes to be close to what is published; gives them in all.

    Values that are more frequent in a class than in the whole are a set. Of the published rows at
    most its share divided by ``left`` belong to it. What a class has beyond that and the largest
    distance must go.

    Parameters
    ----------
    whole
        How often each value occurs in all rows.
    largest
        The largest distance.
    left
        The least share of rows that is published.
    most
        Once more rows must go, no more are counted.
    """
    rows, total = 0, 0
    for v in range(whole.shape[0]):
        rows += whole[v]
    for c in range(must.shape[0]):
        total += must[c]
    for c in range(must.shape[0]):
        n = classes.rows[c]
        if must[c] == n or total > most:
            continue
        mine, all_ = 0, 0
        for e in range(classes.begin[c], classes.begin[c + 1]):
            v = classes.value[e]
            if classes.counts[e] * rows > whole[v] * n:
                mine += classes.counts[e]
                all_ += whole[v]
        bound = largest + all_ / rows / left
        if mine / n <= bound + ROUNDING or bound >= 1.0 - ROUNDING:
            continue
        more = min(n, int(np.ceil((mine - n * bound) / (1.0 - bound) - 1e-6)))
        total += max(more - must[c], 0)
        must[c] = max(must[c], more)
    return total


@compiled
def close(
    classes: Classes,
    whole: Ints,
    after: Ints,
    above: int,
    below: int,
    fixed: bool,
    apart: Floats,
    since: Floats,
    fails: Bools,
) -> None:
    """Let classes fail that are too far from what is published, until all that are left are close.

    The distance is half the sum of the differences of shares. In each turn those that fail go
    together. A class whose distance is farther from the bound than what is published moved since it
    was measured need not be measured again.

    Parameters
    ----------
    whole
        If ``fixed``, how often each value occurs in what classes are compared with. Otherwise
        room, as ``after``: a place per value.
    above, below
        The largest distance, as a fraction.
    apart, since
        Room: a place per class.
    """
    if not fixed:
        _count(classes, fails, whole)
    moved, largest, turn = 0.0, above / below, 0
    while True:
        rows = 0
        for v in range(whole.shape[0]):
            rows += whole[v]
            after[v] = whole[v]
        gone = 0
        for c in range(fails.shape[0]):
            if fails[c]:
                continue
            n, slack = classes.rows[c], moved - since[c]
            if turn and apart[c] + slack < largest - ROUNDING:
                continue
            if not turn or apart[c] - slack <= largest + ROUNDING:
                work, lacking = 0, rows
                for e in range(classes.begin[c], classes.begin[c + 1]):
                    v = classes.value[e]
                    work += abs(classes.counts[e] * rows - whole[v] * n)
                    lacking -= whole[v]
                work += lacking * n
                apart[c], since[c] = work / (2.0 * n * rows), moved
                if work * below <= 2 * n * rows * above:
                    continue
            fails[c] = True
            gone += n
            for e in range(classes.begin[c], classes.begin[c + 1]):
                after[classes.value[e]] -= classes.counts[e]
        if fixed or gone == 0 or gone == rows:
            return
        for v in range(whole.shape[0]):
            moved += abs(whole[v] / rows - after[v] / (rows - gone)) / 2
            whole[v] = after[v]
        turn += 1


@compiled
def _count(classes: Classes, fails: Bools, whole: Ints) -> None:
    """Count the values of all classes that do not fail."""
    for v in range(whole.shape[0]):
        whole[v] = 0
    for c in range(fails.shape[0]):
        if not fails[c]:
            for e in range(classes.begin[c], classes.begin[c + 1]):
                whole[classes.value[e]] += classes.counts[e]


@compiled
def close_in_order(
    classes: Classes,
    place: Ints,
    whole: Ints,
    after: Ints,
    at: Ints,
    running: Ints,
    area: Ints,
    above: int,
    below: int,
    apart: Floats,
    since: Floats,
    fails: Bools,
) -> None:
    """Do the same with the earth mover's distance over the places of values, those that are shown.

    Parameters
    ----------
    place
        The place of each value; values come in the order of their places.
    whole, after, at, running, area
        Room: a place per value, and one more.
    """
    _count(classes, fails, whole)
    moved, largest, turn, shown = 0.0, above / below, 0, 0
    while True:
        before, shown, rows = shown, 0, 0
        for v in range(place.shape[0]):
            if whole[v] == 0:
                continue
            if shown == 0 or place[v] != at[shown - 1]:
                at[shown] = place[v]
                running[shown] = rows
                shown += 1
            rows += whole[v]
            running[shown - 1] = rows
        area[0] = 0
        for p in range(shown):
            area[p + 1] = area[p] + running[p]
        for v in range(place.shape[0]):
            after[v] = whole[v]
        if shown != before:  # other places are other distances
            turn = 0
        # Where each value is among the places shown.
        p = 0
        for v in range(place.shape[0]):
            while p < shown - 1 and at[p] < place[v]:
                p += 1
            whole[v] = p
        scale, gone = max(shown - 1, 1), 0
        for c in range(fails.shape[0]):
            if fails[c]:
                continue
            n, slack = classes.rows[c], moved - since[c]
            if turn and apart[c] + slack < largest - ROUNDING:
                continue
            if not turn or apart[c] - slack <= largest + ROUNDING:
                work = _work(classes, c, whole, rows, running, area, shown - 1)
                apart[c], since[c] = work / (1.0 * scale * n * rows), moved
                if work * below <= scale * n * rows * above:
                    continue
            fails[c] = True
            gone += n
            for e in range(classes.begin[c], classes.begin[c + 1]):
                after[classes.value[e]] -= classes.counts[e]
        if gone == 0 or gone == rows:
            return
        held = 0
        for v in range(place.shape[0]):
            # Up to the last value of a place, all that is published stands before or at it.
            held += after[v]
            if v + 1 < place.shape[0] and whole[v + 1] > whole[v]:
                p = whole[v]
                moved += abs(running[p] / rows - held / (rows - gone)) / scale
        for v in range(place.shape[0]):
            whole[v] = after[v]
        turn += 1


@compiled
def _work(
    classes: Classes, c: int, at: Ints, rows: int, running: Ints, area: Ints, last: int
) -> int:
    """Sum |C · N − S · n| over all places but the last, C and S being running sums.

    Between two places that a class holds, its sum stays and that of the whole grows; so it is
    enough to know where the second overtakes the first.
    """
    first, end, n = classes.begin[c], classes.begin[c + 1], classes.rows[c]
    total, held = n * area[at[classes.value[first]]], 0
    for e in range(first, end):
        held += classes.counts[e]
        low = at[classes.value[e]]
        high = at[classes.value[e + 1]] if e + 1 < end else last
        begin, until = low, high
        while low < high:
            middle = (low + high) // 2
            if running[middle] * n > held * rows:
                high = middle
            else:
                low = middle + 1
        total += held * rows * (2 * low - begin - until)
        total += n * (area[until] + area[begin] - 2 * area[low])
    return total
