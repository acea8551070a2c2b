"""Bisection of large clusters at the median of their most varied attribute (EBKC's last step).

Rows of a cluster lie side by side in ascending order. A split finds the code at the median
and moves rows without changing their order, so no rows are ever sorted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled_with_arrays

DONE, PAUSED = 0, 1

WAITING, FINISHED, HALVES = range(3)
"""Places in `BisectState.counters`."""

ALIKE = 1e-9
"""Entropies (in nats) that differ by less are equal, whatever the order of their sums."""


class BisectState(NamedTuple):
    """What `bisect` keeps between calls; `shoal.methods.merging.ebkc` makes it."""

    rows: Ints
    """All rows, cluster after cluster, ascending inside each."""
    spare: Ints
    """Room for half of a cluster."""
    tally: Ints
    """Room for the counts of one attribute's codes; all 0 between calls."""
    stack: Ints
    """Where the clusters to be looked at begin and end, the first on top."""
    ends: Ints
    """Where the finished clusters end."""
    seen: Ints
    """Per person: the last half that met them."""
    counters: Ints
    """Clusters on the stack, finished ones, halves looked at."""


@compiled_with_arrays
def _entropy(codes: Small, rows: Ints, sizes: int, tally: Ints) -> float:
    """Measure how varied the codes of some rows are, in nats."""
    n = rows.shape[0]
    total = 0.0
    if sizes <= n:
        for row in rows:
            tally[codes[row]] += 1
        for c in range(sizes):
            if tally[c] > 1:
                total += tally[c] * np.log(tally[c])
            tally[c] = 0
    else:  # few rows, many values: what counts is how often each occurs
        ordered = np.sort(codes[rows])
        run = 1
        for i in range(1, n + 1):
            if i < n and ordered[i] == ordered[i - 1]:
                run += 1
                continue
            if run > 1:
                total += run * np.log(run)
            run = 1
    return np.log(n) - total / n


@compiled_with_arrays
def _split(codes: Small, rows: Ints, sizes: int, tally: Ints, spare: Ints) -> None:
    """Put the lower half of the rows, by code and then by row, before the upper half."""
    n = rows.shape[0]
    half = n // 2
    if sizes <= n:
        for row in rows:
            tally[codes[row]] += 1
        middle, below = 0, 0
        while below + tally[middle] < half:
            below += tally[middle]
            middle += 1
        tally[:sizes] = 0
    else:
        ordered = np.sort(codes[rows])
        middle = ordered[half - 1]
        below = np.searchsorted(ordered, middle)
    left_over = half - below
    lower, upper = 0, 0
    for i in range(n):
        row = rows[i]
        code = codes[row]
        if code < middle or (code == middle and left_over > 0):
            if code == middle:
                left_over -= 1
            rows[lower] = row
            lower += 1
        else:
            spare[upper] = row
            upper += 1
    rows[half:] = spare[:upper]


@compiled_with_arrays
def _holds(rows: Ints, person: Ints, seen: Ints, stamp: int, k: int) -> bool:
    """Say whether some rows belong to k people or more."""
    count = 0
    for row in rows:
        if seen[person[row]] != stamp:
            seen[person[row]] = stamp
            count += 1
            if count >= k:
                return True
    return False


@compiled_with_arrays
def bisect(codes: Small, sizes: Ints, person: Ints, state: BisectState, k: int, budget: int) -> int:
    """Split clusters of more than 2k rows until the budget (visited cells) is spent.

    ``codes`` is attributes × rows, ``sizes`` how many codes each attribute may hold. A
    cluster stays whole if one of its halves would hold fewer than k people. Returns DONE or
    PAUSED.
    """
    counters = state.counters
    spent = 0
    while counters[WAITING] > 0:
        if spent >= budget:
            return PAUSED
        counters[WAITING] -= 1
        lo, hi = state.stack[counters[WAITING], 0], state.stack[counters[WAITING], 1]
        if hi - lo > 2 * k:
            rows = state.rows[lo:hi]
            spent += (codes.shape[0] + 2) * (hi - lo)
            chosen, most = 0, -1.0
            for j in range(codes.shape[0]):
                found = _entropy(codes[j], rows, sizes[j], state.tally)
                if found > most + ALIKE:
                    chosen, most = j, found
            _split(codes[chosen], rows, sizes[chosen], state.tally, state.spare)
            middle = lo + (hi - lo) // 2
            counters[HALVES] += 2
            if _holds(
                state.rows[lo:middle], person, state.seen, counters[HALVES] - 1, k
            ) and _holds(state.rows[middle:hi], person, state.seen, counters[HALVES], k):
                state.stack[counters[WAITING], 0], state.stack[counters[WAITING], 1] = middle, hi
                state.stack[counters[WAITING] + 1, 0], state.stack[counters[WAITING] + 1, 1] = (
                    lo,
                    middle,
                )
                counters[WAITING] += 2
                continue
        state.ends[counters[FINISHED]] = hi
        counters[FINISHED] += 1
    return DONE
