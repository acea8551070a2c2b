"""Moves of one row and swaps of two, until none gains: how a refinement ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shoal.base.arrays import Bools
from shoal.kernels.refine import exchange as kernel
from shoal.kernels.refine.pools import FREE, Groups, Space
from shoal.kernels.refine.units import Needs, Prices, Work
from shoal.publications.groups.completing import Judge

ROWS = 256
"""Groups of so many rows, or more, take no part."""

PAIRS = 100_000_000
"""Up to so many pairs of groups each is compared with every other, and beyond with those of points
near its rows."""

PER_TURN = 2_000_000
"""Evaluations between two looks at the clock."""

CHANGES = 8192
"""Changes that are judged at once."""


def exchange_rows(
    prices: Prices,
    space: Space,
    needs: Needs,
    groups: Groups,
    work: Work,
    judge: Judge | None,
    *,
    looks: int,
    stop: Callable[[int], bool],
) -> tuple[int, bool]:
    """Make single moves and swaps that gain, and dissolve groups where that does.

    - ``judge``: judges changes, if kernels cannot tell all that is required.
    - ``looks``: how many there may be.
    - ``stop``: told what was gained, says whether to stop.

    Gives what was gained, and whether no single change gains any more.
    """
    count = len(groups.head)
    live = np.flatnonzero(groups.head >= 0)
    state = _state(prices, needs, space, groups, work, looks)
    every = len(live) ** 2 <= PAIRS
    kernel.measure(state, 0, count)
    state.queue[: len(live)], state.waits[live] = live, 1
    state.counters[kernel.WAITING] = len(live)
    counters, missed = state.counters, False
    while True:
        why = kernel.exchange(state, count, not every, judge is not None, PER_TURN)
        if why == kernel.ASKING:
            assert judge is not None, "nobody else asks"
            missed |= counters[kernel.FOUND] == CHANGES
            _judge(state, judge)
        elif why == kernel.DISSOLVING:
            _dissolve(state, judge)
        elif why == kernel.DONE or counters[kernel.EVALUATIONS] <= 0:
            break
        if stop(int(counters[kernel.GAINED])):
            break
    large = bool((groups.size[groups.head >= 0] >= ROWS).any())
    settled = counters[kernel.WAITING] == 0 and every and not missed and not large
    return int(counters[kernel.GAINED]), bool(settled)


def _state(
    prices: Prices, needs: Needs, space: Space, groups: Groups, work: Work, looks: int
) -> kernel.Exchange:
    count, columns = len(groups.head), len(prices.column)
    counters = np.zeros(8, dtype=np.int64)
    counters[kernel.EVALUATIONS], counters[kernel.BUILT] = looks, -1
    return kernel.Exchange(
        prices=prices,
        needs=needs,
        space=space,
        groups=groups,
        work=work,
        lo=np.zeros((count, columns), dtype=np.uint32),
        hi=np.zeros((count, columns), dtype=np.uint32),
        rest=np.zeros(count, dtype=np.int64),
        shrunk=np.zeros(count, dtype=np.int64),
        queue=np.zeros(count, dtype=np.int32),
        waits=np.zeros(count, dtype=np.int32),
        seen=np.zeros(count, dtype=np.int64),
        mine=np.zeros(ROWS, dtype=np.int32),
        theirs=np.zeros(ROWS, dtype=np.int32),
        changed=np.zeros((ROWS + 1) ** 2, dtype=np.int64),
        least=np.zeros(ROWS, dtype=np.int64),
        target=np.zeros(ROWS, dtype=np.int64),
        found=np.zeros((CHANGES, 5), dtype=np.int64),
        counters=counters,
    )


def _members(groups: Groups, group: int) -> list[int]:
    rows, row = [], int(groups.head[group])
    while row >= 0:
        rows.append(row)
        row = int(groups.following[row])
    return rows


def _holding(judge: Judge, made: Sequence[Sequence[int]]) -> Bools:
    """Judge groups that are given by their rows."""
    labels = np.repeat(np.arange(len(made)), [len(rows) for rows in made])
    return judge.holding(np.concatenate([np.array(rows) for rows in made]), labels, len(made))


def _judge(state: kernel.Exchange, judge: Judge) -> None:
    """Make the change that gains most of those that hold, if there is one."""
    groups, found = state.groups, state.found[: state.counters[kernel.FOUND]]
    state.counters[kernel.FOUND] = 0
    found = found[np.argsort(-found[:, 4], kind="stable")]
    rows = {int(group): _members(groups, int(group)) for group in np.unique(found[:, [0, 2]])}
    for first in range(0, len(found), 64):
        made = []
        for a, mine, b, theirs, _ in found[first : first + 64].tolist():
            made.append([r for r in rows[a] if r != mine] + [theirs] * (theirs >= 0))
            made.append([r for r in rows[b] if r != theirs] + [mine] * (mine >= 0))
        held = _holding(judge, made).reshape(-1, 2).all(axis=1)
        if not held.any():
            continue
        a, mine, b, theirs, gain = found[first + int(np.argmax(held))].tolist()
        if mine >= 0:
            kernel.move_row(groups, mine, b)
        if theirs >= 0:
            kernel.move_row(groups, theirs, a)
        state.counters[kernel.GAINED] += gain
        state.counters[kernel.AT] = 0  # the first of the queue is looked at again
        for group in (a, b):
            kernel.measure(state, group, group + 1)
            kernel.wait(state, group)
        return


def _dissolve(state: kernel.Exchange, judge: Judge | None) -> None:
    """Put each row of a group where it alone adds least, if that gains in all."""
    groups = state.groups
    group = int(groups.group[state.mine[0]])
    rows = _members(groups, group)
    targets = state.target[: len(rows)].tolist()
    others = sorted(set(targets))
    before = int(groups.cost[[group, *others]].sum())
    for row, to in zip(rows, targets, strict=True):
        kernel.move_row(groups, row, to)
    for each in others:
        kernel.measure(state, each, each + 1)
    gain = before - int(groups.cost[others].sum())
    large = int(groups.size[others].max()) >= min(ROWS, state.needs.most + 1)
    if gain > 0 and not large and _still_hold(state, judge, others):
        groups.head[group], groups.size[group], groups.cost[group] = -1, 0, 0
        groups.free[groups.counters[FREE]] = group
        groups.counters[FREE] += 1
        state.counters[kernel.GAINED] += gain
        for each in others:
            kernel.wait(state, each)
        return
    for row in rows:
        kernel.move_row(groups, row, group)
    for each in (group, *others):
        kernel.measure(state, each, each + 1)


def _still_hold(state: kernel.Exchange, judge: Judge | None, which: Sequence[int]) -> bool:
    if judge is not None:
        return bool(_holding(judge, [_members(state.groups, each) for each in which]).all())
    return all(kernel.holds(state, each, -1, -1) for each in which)
