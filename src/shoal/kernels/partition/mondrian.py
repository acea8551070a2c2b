"""Cutting of parts until no cut holds (Mondrian's loop).

A part is tried on its attributes, the widest first, and on each of these in every way there is to
cut it. A way asks questions: do these segments hold what is required? The kernel answers them
itself where a size and shares are all that is required (`split`). Otherwise it goes on with every
open part as far as it can (`ask`), and the caller judges the segments of all of them at once.

Of a node's children, those that fail stand together as the rest. While the rest fails, it takes
more: whole children, the smallest first; or, where equal records may part, the last rows of
the largest child. Each time it takes as much as all times before, so that it is soon done.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.compiled import compiled_with_arrays
from shoal.kernels.partition.cuts import (
    CHILDREN,
    CUTS,
    HALVES,
    REST,
    Attributes,
    Segments,
    lay,
    width,
)
from shoal.kernels.partition.tally import ShareLimits, Tally, fill, holds, tally

DONE, PAUSED = 0, 1

BEGIN, END, PHASE, TURN, CUT_KIND, CUTTABLE, SEGMENTS, TAKEN = range(8)
"""Places in a row of `Partition.parts`: where it begins and ends; what it waits for; the attribute
in turn, by width, and the way in turn; how many attributes can be cut; its segments; and how much
the rest has taken."""

NEW, SIDES, OFFSPRING, RELIEF = range(4)
"""Phases: not looked at; do both sides hold; which children hold; does the rest hold now."""

NEEDS_VERDICT, CUT, FINAL = range(3)
"""What `_advance` comes to."""

OPEN, FINISHED, ROWS, WAITING, SUBMITTED = range(5)
"""Places in `Partition.counters`: open parts, finished ones, rows in those; open parts that wait
for answers; segments that are asked about."""


class Partition(NamedTuple):
    """What is kept between calls; `partition` makes it."""

    rows: Ints
    """All rows, part after part, ascending inside each."""
    parts: Ints
    """The open parts."""
    order: Small
    """Per open part: its attributes, the widest first."""
    made: Segments
    """What open parts are cut into."""
    alive: Bools
    """Per segment: whether it is a child that stands apart."""
    submitted: Bools
    """Per segment: whether it is asked about."""
    verdict: Bools
    """Per segment: whether it holds, if that was asked."""
    bucket: Ints
    """Room for the rows of a part, segment by segment."""
    label: Ints
    """Per row: the number of its finished part, −1 before."""
    low: Small
    """Room for the least known code of each attribute."""
    high: Small
    """The same for the largest."""
    mixed: Bools
    """Whether some cells are missing."""
    widths: Ints
    """Room for the width of each attribute."""
    held: Tally
    """What the segment in hand holds."""
    counters: Ints


def partition(attributes: Attributes, limits: ShareLimits, k: int, rows: Ints) -> Partition:
    """Begin with one part of some rows; they must hold what is required."""
    n, d = attributes.codes.shape
    most = n // (2 * max(k, 1)) + 2
    nodes = len(attributes.parent)
    made = Segments(
        segment=np.zeros(n, dtype=np.int32),
        size=np.zeros(2 * n + 2, dtype=np.int64),
        child=np.zeros(2 * n + 2, dtype=np.int32),
        slot=np.full(nodes, -1, dtype=np.int32),
        scratch=np.zeros(n + 1, dtype=np.int32),
    )
    state = Partition(
        rows=rows.astype(np.int64),
        parts=np.zeros((most, 8), dtype=np.int64),
        order=np.zeros((most, d), dtype=np.int32),
        made=made,
        alive=np.zeros(2 * n + 2, dtype=np.bool_),
        submitted=np.zeros(2 * n + 2, dtype=np.bool_),
        verdict=np.zeros(2 * n + 2, dtype=np.bool_),
        bucket=np.zeros(n, dtype=np.int64),
        label=np.full(n, -1, dtype=np.int64),
        low=np.zeros(d, dtype=np.int32),
        high=np.zeros(d, dtype=np.int32),
        mixed=np.zeros(d, dtype=np.bool_),
        widths=np.zeros(d, dtype=np.int64),
        held=tally(limits),
        counters=np.zeros(5, dtype=np.int64),
    )
    state.counters[OPEN] = 1
    state.parts[0, END] = len(rows)
    return state


@compiled_with_arrays
def _rank(attributes: Attributes, state: Partition, p: int) -> None:
    """Put the attributes in which a part is wider than a point into order, the widest first."""
    part, order = state.parts[p], state.order[p]
    low, high, mixed, widths = state.low, state.high, state.mixed, state.widths
    d = len(order)
    for j in range(d):
        low[j], high[j], mixed[j] = attributes.missing[j], -1, False
    for i in range(part[BEGIN], part[END]):
        codes = attributes.codes[state.rows[i]]
        for j in range(d):
            if codes[j] == attributes.missing[j]:
                mixed[j] = True
            else:
                low[j], high[j] = min(low[j], codes[j]), max(high[j], codes[j])
    ranked = 0
    for j in range(d):
        widths[j] = width(attributes, j, low[j], high[j], mixed[j])
        if widths[j] > 0:
            at = ranked
            while at > 0 and widths[order[at - 1]] < widths[j]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = j
            ranked += 1
    part[CUTTABLE] = ranked


@compiled_with_arrays
def _attempt(attributes: Attributes, state: Partition, p: int, k: int, relaxed: bool) -> int:
    """Cut a part in the next way whose segments are large enough, and ask about these."""
    part, made = state.parts[p], state.made
    begin, first = part[BEGIN], 2 * part[BEGIN]
    rows = state.rows[begin : part[END]]
    while part[TURN] < part[CUTTABLE]:
        j, cut = state.order[p, part[TURN]], part[CUT_KIND]
        part[CUT_KIND] += 1
        if part[CUT_KIND] == CUTS:
            part[TURN] += 1
            part[CUT_KIND] = 0
        if cut == HALVES and not relaxed:
            continue
        segments = lay(attributes, made, rows, begin, j, cut)
        large = 0
        for s in range(segments):
            state.submitted[first + s] = made.size[first + s] >= k
            large += state.submitted[first + s]
        part[SEGMENTS] = segments
        if cut == CHILDREN:
            if segments and state.submitted[first + REST]:  # it is asked about when it is whole
                state.submitted[first + REST] = False
                large -= 1
            part[PHASE] = OFFSPRING
            if large > 0:
                return NEEDS_VERDICT
        elif large == 2:
            part[PHASE] = SIDES
            return NEEDS_VERDICT
    return FINAL


@compiled_with_arrays
def _join(state: Partition, p: int, wanted: int) -> None:
    """Let a child, or all that stand apart no longer (−1), join the rest."""
    part, made = state.parts[p], state.made
    first = 2 * part[BEGIN]
    for i in range(part[BEGIN], part[END]):
        s = made.segment[i]
        if s != REST and (s == wanted or (wanted < 0 and not state.alive[first + s])):
            made.segment[i] = REST
            made.size[first] += 1
            made.size[first + s] -= 1
    if wanted >= 0:
        state.alive[first + wanted] = False


@compiled_with_arrays
def _pick(state: Partition, p: int, largest: bool) -> int:
    """Find the largest or the smallest child that stands apart; the first in the tree on ties."""
    part, made = state.parts[p], state.made
    first, best = 2 * part[BEGIN], -1
    for s in range(1, part[SEGMENTS]):
        if not state.alive[first + s]:
            continue
        if best >= 0:
            more = made.size[first + s] - made.size[first + best]
            earlier = made.child[first + s] < made.child[first + best]
            better = more > 0 if largest else more < 0
            if not better and not (more == 0 and earlier):
                continue
        best = s
    return best


@compiled_with_arrays
def _give(state: Partition, p: int, giver: int, gift: int) -> None:
    """Let a child give so many of its last rows to the rest."""
    part, made = state.parts[p], state.made
    first, i = 2 * part[BEGIN], part[END] - 1
    made.size[first] += gift
    made.size[first + giver] -= gift
    while gift > 0:
        if made.segment[i] == giver:
            made.segment[i] = REST
            gift -= 1
        i -= 1


@compiled_with_arrays
def _relieve(state: Partition, p: int, k: int, relaxed: bool) -> bool:
    """Let the rest take more, and ask about it; false if no child is left to stand apart."""
    part, made = state.parts[p], state.made
    first = 2 * part[BEGIN]
    part[PHASE] = RELIEF
    state.submitted[first] = True
    if not relaxed:
        for _ in range(max(part[TAKEN], 1)):
            smallest = _pick(state, p, False)
            if smallest < 0:
                return False
            _join(state, p, smallest)
            part[TAKEN] += 1
        return _pick(state, p, False) >= 0
    largest = _pick(state, p, True)
    wanted = max(k - made.size[first], part[TAKEN], 1)
    if made.size[first + largest] - wanted >= k:
        _give(state, p, largest, wanted)
        part[TAKEN] += wanted
        state.submitted[first + largest] = True
        return True
    part[TAKEN] += made.size[first + largest]
    _join(state, p, largest)
    return _pick(state, p, True) >= 0


@compiled_with_arrays
def _advance(attributes: Attributes, state: Partition, p: int, k: int, relaxed: bool) -> int:
    """Go on with a part, given the answers: ask again, or say that it is cut, or final."""
    part, made = state.parts[p], state.made
    begin, first, phase = part[BEGIN], 2 * part[BEGIN], part[PHASE]
    if phase == NEW:
        if part[END] - begin < 2 * k:
            return FINAL
        _rank(attributes, state, p)
        return _attempt(attributes, state, p, k, relaxed)
    if phase == SIDES:
        if state.verdict[first] and state.verdict[first + 1]:
            return CUT
        return _attempt(attributes, state, p, k, relaxed)
    if phase == OFFSPRING:
        standing = 0
        for s in range(1, part[SEGMENTS]):
            state.alive[first + s] = state.submitted[first + s] and state.verdict[first + s]
            state.submitted[first + s] = False
            standing += state.alive[first + s]
        _join(state, p, -1)
        part[TAKEN] = 0
        if standing and made.size[first] == 0:
            return CUT
        if standing and made.size[first] >= k:
            part[PHASE] = RELIEF
            state.submitted[first] = True
            return NEEDS_VERDICT
    else:
        whole = True
        for s in range(1, part[SEGMENTS]):
            if state.submitted[first + s]:
                state.submitted[first + s] = False
                if not state.verdict[first + s]:
                    whole = False
                    _join(state, p, s)
        standing = _pick(state, p, True) >= 0
        if standing and whole and state.verdict[first]:
            return CUT
        if standing and not whole:
            return NEEDS_VERDICT  # about the rest, which has grown
    state.submitted[first] = False
    if standing and _relieve(state, p, k, relaxed):
        return NEEDS_VERDICT
    for s in range(part[SEGMENTS]):
        state.submitted[first + s] = False
    return _attempt(attributes, state, p, k, relaxed)


@compiled_with_arrays
def _spread(state: Partition, p: int) -> None:
    """Write the rows of each segment side by side into the bucket; ``size`` becomes its end."""
    part, made = state.parts[p], state.made
    first, at = 2 * part[BEGIN], part[BEGIN]
    for s in range(part[SEGMENTS]):
        size = made.size[first + s]
        made.size[first + s] = at
        at += size
    for i in range(part[BEGIN], part[END]):
        s = first + made.segment[i]
        state.bucket[made.size[s]] = state.rows[i]
        made.size[s] += 1


@compiled_with_arrays
def _close(state: Partition, begin: int, end: int) -> None:
    """Number a finished part."""
    for i in range(begin, end):
        state.label[state.rows[i]] = state.counters[FINISHED]
    state.counters[FINISHED] += 1
    state.counters[ROWS] += end - begin


@compiled_with_arrays
def _remove(state: Partition, p: int) -> None:
    """Take a part off the list; the last one comes to its place."""
    state.counters[OPEN] -= 1
    last = state.counters[OPEN]
    state.parts[p] = state.parts[last]
    state.order[p] = state.order[last]


@compiled_with_arrays
def _cut(state: Partition, p: int, k: int) -> None:
    """Make the segments of a part parts of their own."""
    part, made = state.parts[p], state.made
    begin, end, segments = part[BEGIN], part[END], part[SEGMENTS]
    first = 2 * begin
    _spread(state, p)
    state.rows[begin:end] = state.bucket[begin:end]
    _remove(state, p)
    at = begin
    for s in range(segments):
        state.submitted[first + s] = False
        upto = made.size[first + s]
        if upto - at >= 2 * k:
            new = state.counters[OPEN]
            state.parts[new] = 0
            state.parts[new, BEGIN], state.parts[new, END] = at, upto
            state.counters[OPEN] += 1
        elif upto > at:
            _close(state, at, upto)
        at = upto


@compiled_with_arrays
def _settle(attributes: Attributes, state: Partition, p: int, k: int, relaxed: bool) -> bool:
    """Go on with a part until it asks, which is true, or is no longer open."""
    status = _advance(attributes, state, p, k, relaxed)
    if status == CUT:
        _cut(state, p, k)
    elif status == FINAL:
        _close(state, state.parts[p, BEGIN], state.parts[p, END])
        _remove(state, p)
    return status == NEEDS_VERDICT


@compiled_with_arrays
def _judge(limits: ShareLimits, state: Partition, p: int) -> None:
    """Answer what a part asks; it asks only about segments that are large enough."""
    part, made = state.parts[p], state.made
    first, segments = 2 * part[BEGIN], part[SEGMENTS]
    if limits.kind.shape[0] == 0 and limits.unit.shape[0] == 0:
        for s in range(segments):
            state.verdict[first + s] = state.submitted[first + s]
        return
    _spread(state, p)
    at = part[BEGIN]
    for s in range(segments):
        upto = made.size[first + s]
        if state.submitted[first + s]:
            fill(limits, state.held, state.bucket[at:upto])
            state.verdict[first + s] = holds(limits, state.held)
        made.size[first + s] = upto - at
        at = upto


@compiled_with_arrays
def split(
    attributes: Attributes,
    limits: ShareLimits,
    state: Partition,
    k: int,
    relaxed: bool,
    budget: int,
) -> int:
    """Cut parts until the budget (visited rows) is spent or all are finished.

    ``k`` is the least size of a group that can hold the limits. Returns DONE or PAUSED.
    """
    spent = 0
    while state.counters[OPEN] > 0:
        if spent >= budget:
            return PAUSED
        p = state.counters[OPEN] - 1
        spent += state.parts[p, END] - state.parts[p, BEGIN]
        if _settle(attributes, state, p, k, relaxed):
            _judge(limits, state, p)
    return DONE


@compiled_with_arrays
def ask(
    attributes: Attributes,
    state: Partition,
    k: int,
    relaxed: bool,
    rows: Ints,
    group: Ints,
    budget: int,
) -> int:
    """Go on with all open parts until each asks, or the budget (visited rows) is spent.

    Writes the rows that are asked about and numbers their segments in order; gives how many rows
    these are, or −1 if the budget is spent.
    """
    counters = state.counters
    spent = 0
    while counters[WAITING] < counters[OPEN]:
        if spent >= budget:
            return -1
        p = counters[WAITING]
        spent += state.parts[p, END] - state.parts[p, BEGIN]
        if _settle(attributes, state, p, k, relaxed):
            counters[WAITING] += 1
    written = 0
    counters[SUBMITTED] = 0
    for p in range(counters[OPEN]):
        part, first = state.parts[p], 2 * state.parts[p, BEGIN]
        for s in range(part[SEGMENTS]):
            if state.submitted[first + s]:
                state.made.scratch[s] = counters[SUBMITTED]
                counters[SUBMITTED] += 1
        for i in range(part[BEGIN], part[END]):
            s = state.made.segment[i]
            if state.submitted[first + s]:
                rows[written] = state.rows[i]
                group[written] = state.made.scratch[s]
                written += 1
    counters[WAITING] = 0
    return written


@compiled_with_arrays
def answer(state: Partition, held: Bools) -> None:
    """Tell the open parts which of the segments hold, in the order in which they were asked."""
    at = 0
    for p in range(state.counters[OPEN]):
        first = 2 * state.parts[p, BEGIN]
        for s in range(state.parts[p, SEGMENTS]):
            if state.submitted[first + s]:
                state.verdict[first + s] = held[at]
                at += 1
