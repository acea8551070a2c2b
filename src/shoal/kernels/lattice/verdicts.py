"""Which classes hold what is asked of their values, and how many rows no part that holds can have.

The rows of a class that are published at a finer node are unions of parts that hold, so they hold
themselves. The fewest rows without which a class can hold are thus lost at every node below, too;
where they cannot be told, fewer are given. Whole numbers decide, and logarithms where they are
far enough from each other.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Bools, Floats, Ints, Small
from shoal.kernels.compiled import compiled

TURNS = 64
"""After so many turns, what is known by then of rows that must go is enough."""


class Classes(NamedTuple):
    """The rows of classes, and how often each value of a column occurs in them."""

    rows: Ints
    begin: Ints
    """Where the entries of each class begin; one place more than there are classes."""
    value: Small
    """Per entry, sorted by class, then by value."""
    counts: Ints


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

    - ``log``: n · ln n of every number of rows.
    - ``share``, ``size``: the logarithm of the number of values, and the size of what it is made
      of.
    - ``least``: that number rounded up: so many values hold if they are equally frequent.
    - ``most``: once more rows must go, no more are counted.
    - ``unsure``: gets the classes that logarithms cannot tell.
    """
    total = must.sum()
    for c in range(must.shape[0]):
        largest = 0
        for e in range(classes.begin[c], classes.begin[c + 1]):
            largest = max(largest, classes.counts[e])
        kinds = classes.begin[c + 1] - classes.begin[c]
        if kinds * largest == classes.rows[c]:
            verdict = 0 if kinds >= least else 1
        else:
            verdict = _unevenness(classes, c, largest, log, share, size)
        unsure[c] = verdict < 0
        if verdict != 1:
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

    ``top``: room: a place per count before number ``least``. ``most``: once more rows must go, no
    more are counted.
    """
    total = must.sum()
    for c in range(must.shape[0]):
        top[: least - 1] = 0
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

    - ``sets``: the set of each value.
    - ``above``, ``below``: the largest share of each set.
    - ``held``: room: a place per set; zeros, before and after.
    - ``most``: once more rows must go, no more are counted.
    """
    total = must.sum()
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
