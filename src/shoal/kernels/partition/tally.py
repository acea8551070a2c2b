"""What a set of rows holds, counted row by row: people, and shares of kinds of values.

What must hold is a least number of people, and for every kind of a value a largest share.
Shares are compared as whole numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.compiled import compiled_with_arrays

PEOPLE, LISTED, TURN = range(3)
"""Places in `Tally.totals`."""


class ShareLimits(NamedTuple):
    """What a class must hold: k people, and shares of kinds that are not exceeded."""

    k: int
    kind: Ints
    """Per bounded column and row: the kind of its value; each column has its own kinds."""
    unit: Ints
    """For people, then per bounded column, per row: what is counted once; no rows: each row."""
    above: Ints
    """Per kind: the numerator of its largest share."""
    below: Ints
    """Per kind: the denominator."""


class Tally(NamedTuple):
    """What a set of rows holds, row by row; `tally` makes it."""

    totals: Ints
    """People, listed kinds, and the turn, which is new whenever the tally is cleared."""
    kinds: Ints
    """Per kind: how often it is held."""
    listed: Ints
    """The kinds met in this turn."""
    met: Ints
    """Per kind: the last turn it was met in."""
    times: Ints
    """Per unit: how many rows hold it."""
    seen: Ints
    """Per unit: the last turn it was met in."""


def tally(limits: ShareLimits) -> Tally:
    """Make an empty tally."""
    kinds = len(limits.above)
    units = int(limits.unit.max()) + 1 if limits.unit.size else 0
    made = (np.zeros(size, dtype=np.int64) for size in (3, kinds, kinds, kinds, units, units))
    return Tally(*made)


@compiled_with_arrays
def clear(held: Tally) -> None:
    """Begin anew with no rows."""
    held.totals[PEOPLE] = 0
    held.totals[LISTED] = 0
    held.totals[TURN] += 1


@compiled_with_arrays
def _is_new(limits: ShareLimits, held: Tally, column: int, row: int) -> bool:
    """Count a row's unit; say whether it was not held before."""
    if limits.unit.shape[0] == 0:
        return True
    unit = limits.unit[column, row]
    if held.seen[unit] != held.totals[TURN]:
        held.seen[unit] = held.totals[TURN]
        held.times[unit] = 0
    held.times[unit] += 1
    return held.times[unit] == 1


@compiled_with_arrays
def _is_last(limits: ShareLimits, held: Tally, column: int, row: int) -> bool:
    """Discount a row's unit; say whether it is no longer held."""
    if limits.unit.shape[0] == 0:
        return True
    unit = limits.unit[column, row]
    held.times[unit] -= 1
    return held.times[unit] == 0


@compiled_with_arrays
def enter(limits: ShareLimits, held: Tally, row: int) -> None:
    """Count a row."""
    if _is_new(limits, held, 0, row):
        held.totals[PEOPLE] += 1
    for t in range(limits.kind.shape[0]):
        if _is_new(limits, held, t + 1, row):
            kind = limits.kind[t, row]
            if held.met[kind] != held.totals[TURN]:
                held.met[kind] = held.totals[TURN]
                held.kinds[kind] = 0
                held.listed[held.totals[LISTED]] = kind
                held.totals[LISTED] += 1
            held.kinds[kind] += 1


@compiled_with_arrays
def leave(limits: ShareLimits, held: Tally, row: int) -> None:
    """Discount a row."""
    if _is_last(limits, held, 0, row):
        held.totals[PEOPLE] -= 1
    for t in range(limits.kind.shape[0]):
        if _is_last(limits, held, t + 1, row):
            held.kinds[limits.kind[t, row]] -= 1


@compiled_with_arrays
def holds(limits: ShareLimits, held: Tally) -> bool:
    """Say whether the rows hold the limits."""
    total = held.totals[PEOPLE]
    if total < limits.k:
        return False
    for i in range(held.totals[LISTED]):
        kind = held.listed[i]
        if held.kinds[kind] * limits.below[kind] > total * limits.above[kind]:
            # The first to look at next time: it is likely to fail again.
            held.listed[i], held.listed[0] = held.listed[0], kind
            return False
    return True


@compiled_with_arrays
def fill(limits: ShareLimits, held: Tally, rows: Ints) -> None:
    """Count some rows, and no others."""
    clear(held)
    for row in rows:
        enter(limits, held, row)
