"""Can records be dealt into classes of m different values? Counts of values decide it.

Xiao and Tao (2007) call records m-eligible if at most one in m holds the same value. Just then they
can be dealt into classes that hold every value once, and at least m of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shoal.base.arrays import Bools, Ints


def most_of_one(counts: Ints, m: int) -> int:
    """Find how many records of one value can be dealt at most; 0 if there are not m values.

    With at most X records of each value there are Σ min(count, X), and they are m-eligible if
    these are m · X or more. The difference is concave in X and 0 at 0, so it is bisected.
    """
    return largest(
        int(counts.max(initial=0)), lambda most: int(np.minimum(counts, most).sum()) >= m * most
    )


def largest(most: int, holds: Callable[[int], bool]) -> int:
    """Find the largest number up to ``most`` that holds; those below it do, 0 unasked."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def dealt(counts: Ints, vacant: Ints, m: int) -> tuple[Ints, Ints]:
    """Say how many records of each value fill vacant places, and how many make new classes.

    As many places are filled as can be, while the rest stays m-eligible. Records beyond both
    numbers find no place. Where fewer may fill places than would, those of the values with the most
    records stay. ``counts`` are new records per value, and ``vacant`` how many are wanted
    elsewhere.
    """
    least = np.maximum(counts - vacant, 0)
    most = most_of_one(np.minimum(counts, int(least.max(initial=0))), m)
    rest = np.minimum(least, most)
    wanted = m * most - int(rest.sum())
    for value in np.lexsort((np.arange(len(counts)), -counts)).tolist():
        if wanted <= 0:
            break
        more = min(wanted, min(int(counts[value]), most) - int(rest[value]))
        rest[value] += more
        wanted -= more
    return np.minimum(counts - rest, vacant), rest


def must_take(counts: Ints, m: int) -> tuple[Bools, int]:
    """Say which values the next class must hold, and how many values it holds.

    Given m-eligible records, those that are left are m-eligible again. A value is needed if it
    would be too frequent otherwise. The class has m values, or more where more are needed; fewer
    than 2m records, which all differ, are one class.
    """
    total = int(counts.sum())
    if total < 2 * m:
        return counts > 0, total
    needed = counts * m > total - m
    if int(needed.sum()) <= m:
        return needed, m
    needed = counts == counts.max()
    return needed, int(needed.sum())
