"""Which classes are close to what is published, once those that are not are gone.

Whole numbers decide. Floats only say which classes need not be measured.
"""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Bools, Floats, Ints
from shoal.kernels.compiled import compiled
from shoal.kernels.lattice.verdicts import Classes

ROUNDING = 1e-9
"""Floats that differ by less do not decide."""


@compiled
def far(classes: Classes, whole: Ints, largest: float, left: float, most: int, must: Ints) -> int:
    """Find rows that must go for classes to be close to what is published; gives them in all.

    Values that are more frequent in a class than in the whole are a set. Of the published rows at
    most its share divided by ``left`` belong to it. What a class has beyond that and the largest
    distance must go.

    - ``whole``: how often each value occurs in all rows.
    - ``largest``: the largest distance.
    - ``left``: the least share of rows that is published.
    - ``most``: once more rows must go, no more are counted.
    """
    rows, total = whole.sum(), must.sum()
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
    most: int,
    apart: Floats,
    since: Floats,
    fails: Bools,
) -> None:
    """Let classes fail that are too far from what is published, until all that are left are close.

    The distance is half the sum of the differences of shares. In each turn those that fail go
    together. A class whose distance is farther from the bound than what is published moved since it
    was measured need not be measured again.

    - ``whole``: if ``fixed``, how often each value occurs in what classes are compared with.
      Otherwise room, as ``after``: a place per value.
    - ``above``, ``below``: the largest distance, as a fraction.
    - ``most``: once classes of more rows fail, not all that do need to be found.
    - ``apart``, ``since``: room: a place per class.
    """
    if not fixed:
        _count(classes, fails, whole)
    most -= _failing(classes, fails)
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
            if gone > most:
                return
            for e in range(classes.begin[c], classes.begin[c + 1]):
                after[classes.value[e]] -= classes.counts[e]
        if fixed or gone == 0 or gone == rows:
            return
        most -= gone
        for v in range(whole.shape[0]):
            moved += abs(whole[v] / rows - after[v] / (rows - gone)) / 2
            whole[v] = after[v]
        turn += 1


@compiled
def _failing(classes: Classes, fails: Bools) -> int:
    """Count the rows of classes that fail."""
    rows = 0
    for c in range(fails.shape[0]):
        if fails[c]:
            rows += classes.rows[c]
    return rows


@compiled
def _count(classes: Classes, fails: Bools, whole: Ints) -> None:
    """Count the values of all classes that do not fail."""
    whole[:] = 0
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
    most: int,
    apart: Floats,
    since: Floats,
    fails: Bools,
) -> None:
    """Do the same with the earth mover's distance over the places of values, those that are shown.

    ``place``: the place of each value; values come in the order of their places. ``whole``,
    ``after``, ``at``, ``running``, ``area``: room: a place per value, and one more.
    """
    _count(classes, fails, whole)
    most -= _failing(classes, fails)
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
            if gone > most:
                return
            for e in range(classes.begin[c], classes.begin[c + 1]):
                after[classes.value[e]] -= classes.counts[e]
        if gone == 0 or gone == rows:
            return
        most -= gone
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
