"""Refinement of a grouping: rounds of pools, each grouped anew, as long as that loses less.

A round chooses pools of groups near each other, no two of which share a group; so it does not
matter in which order, or on which core, they are grouped anew. What a pool draws depends on the
seed and on its number alone. The same steps give the same groups on any number of threads.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from shoal.base.arrays import Ints
from shoal.errors import ParameterError
from shoal.improve.cell_costs import PricedCells, price_cells
from shoal.improve.exchange import ROWS, exchange_rows
from shoal.improve.refinement import Refinement
from shoal.improve.space import make_space, price_groups, sorted_by_point
from shoal.kernels.refine.pools import FREE, MOST_GROUPS, Groups, Pools, choose_pools, commit
from shoal.kernels.refine.repair import ATOMS, BLURS, Repair, repair_pools
from shoal.kernels.refine.units import Needs, Work
from shoal.models import Requirement
from shoal.publications.groups.completing import Judge, further_than_k, least_size
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import SUPPRESSED, Grouping, number_by_first
from shoal.publications.groups.share_limits import share_limits
from shoal.table import Table

Watch: TypeAlias = Callable[[int, int, float], None]
"""Called with the work done, the work in all, and the measure, which falls."""

POOLS = 256
"""Pools of a round at most; a clock is looked at between rounds."""

GROUPS_PER_POOL = 40
"""A round has at most a pool for each so many groups, so that pools find free neighbours."""

BLUR = 0.3
"""By up to this share the cost of joining is blurred."""

STALE = 40
"""When nothing has been gained in so many steps per group, refinement ends."""

EVALUATIONS, EVALUATIONS_PER_STEP, EVALUATIONS_WITH_SHARES = 30_000_000, 2_000, 20_000
"""What single moves and swaps may look at, at the end: so many, and so many per step; more where
shares are bounded, since two rows of one value can always change places. A hundred million take
about a second."""

EXCHANGES_FROM = 0.9
"""With a clock, moves and swaps begin after this share of the time."""

_UNITS = ATOMS + MOST_GROUPS + 3
"""Room for units of a pool."""


LARGEST_IN_K, ANY_SIZE = 6, 2**60
"""Where shares are bounded, no group grows beyond so many times k: rows that find no place without
too many of their value would gather in ever larger groups."""


@dataclass(frozen=True, eq=False)
class Refined:
    """A refined grouping.

    Parameters
    ----------
    before, after
        The measure over the published rows, by the ends of ranges that are published.
    steps
        How many pools were grouped anew.
    seconds
        How long it took.
    settled
        Whether it ended where no single change gains: no row can move to another group, no two can
        change places and no group be dissolved so that less is lost. If not, the steps or the time
        ran out before.
    """

    grouping: Grouping
    before: float
    after: float
    steps: int
    seconds: float
    settled: bool

    def to_dict(self) -> dict[str, float]:
        """Say the same to a program, without the groups."""
        names = ("before", "after", "steps", "seconds", "settled")
        return {name: getattr(self, name) for name in names}


def refine(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    options: Refinement,
    *,
    rng: np.random.Generator,
    numbers: Literal["intervals", "tree"] = "intervals",
    bounds: Literal["rounded", "observed"] = "observed",
    threads: int | None = None,
    least: float | None = None,
    watch: Watch | None = None,
) -> Refined:
    """Refine a grouping that holds the requirements; see `Refinement`.

    Parameters
    ----------
    numbers, bounds
        How numbers are published: see `shoal.publications.recoding.generalize`.
    threads
        How many to use; all cores if left out. The result is the same.
    least
        What any grouping loses at least, if that is known: see `Refinement.within`.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> table = Table.encode(pl.DataFrame({"age": [20, 60, 21, 61]}), schema)
    >>> poor = Grouping(np.array([0, 0, 1, 1], dtype=np.int32))
    >>> made = refine(table, poor, [shoal.KAnonymity(2)], Refinement(steps=10),
    ...               rng=np.random.default_rng(1))
    >>> made.grouping.labels.tolist(), round(made.before, 3), round(made.after, 3)
    ([0, 1, 0, 1], 3.902, 0.098)
    """
    if grouping.levels is not None or grouping.padding:
        raise ParameterError(
            "These groups may not be changed: "
            + (
                "values were added to them."
                if grouping.padding
                else "every column has one level in all rows."
            ),
            "Leave out refine, or use a method that only groups rows.",
        )
    options.validate()
    if options.times is not None:
        raise ParameterError(
            "Only a plan can convert times into steps.",
            "Give steps, or convert it with Refinement.in_steps.",
        )
    began = time.perf_counter()
    priced = price_cells(table, options.measured, numbers=numbers, bounds=bounds)
    rounds = _Rounds(table, grouping, require, priced, rng, threads)
    before, settled = rounds.total, False
    try:
        enough = 0.0 if least is None else least * (1 + (options.within or 0.0))
        spent = rounds.run(options, enough, watch)
        settled = rounds.settle(options, spent, watch)
    except KeyboardInterrupt:
        if options.on_interrupt == "stop":
            raise
    finally:
        rounds.close()
    return Refined(
        rounds.grouping(grouping),
        priced.value(before),
        priced.value(rounds.total),
        rounds.steps,
        round(time.perf_counter() - began, 4),
        settled,
    )


class _Rounds:
    """What a refinement keeps between rounds."""

    def __init__(
        self,
        table: Table,
        grouping: Grouping,
        require: Sequence[Requirement],
        priced: PricedCells,
        rng: np.random.Generator,
        threads: int | None,
    ) -> None:
        published = one_group(table, require, grouping.rows)
        require = [each.against(published) if each.relative else each for each in require]
        self.priced = priced
        self.rows = sorted_by_point(priced, grouping.rows.astype(np.int64))
        self.needs, values, sets = needs_of(table, require, self.rows)
        self.judge = Judge(table, require, self.rows)
        self.values, self.sets, self.by_people = values, sets, table.people is not None
        # Without people, sizes and shares as kernels count them are what is judged.
        self.exact = not self.by_people and all(each.complete for each in require)
        # A requirement may ask what kernels cannot tell; then groups as large as they are hold it.
        self.opaque = any(not each.complete and each.counts_matter for each in require)
        self.rng = rng
        self.seed = int(rng.integers(1, 2**31))
        self.prices, self.space, order = make_space(priced, self.rows, rng)
        k = self.needs.k
        self.capacity = max(ATOMS, 8 * k)
        self.cores = threads or os.cpu_count() or 1
        self.blur = 1.0 + BLUR * np.random.default_rng(self.seed).random(BLURS + _UNITS)
        self.work = [self._make_work(3 * _UNITS + self.capacity) for _ in range(self.cores)]
        labels = self._cut_large(grouping.labels[self.rows].astype(np.int64), order)
        self.groups = self._chained(labels)
        self.pools = _pools(self.capacity, len(self.groups.head))
        self.ids = np.zeros(self.capacity, dtype=np.int64)
        self.total = int(self.groups.cost.sum())
        self.turn = self.steps = 0
        self.pool = ThreadPoolExecutor(self.cores) if self.cores > 1 else None

    def _make_work(self, boxes: int) -> Work:
        """Make room to work in, for one thread."""
        least, columns = self.needs.least, len(self.prices.column)
        made: dict[str, Any] = {name: np.zeros(boxes, dtype=np.int64) for name in Work._fields}
        for name in ("lo", "hi", "known", "mass"):
            kind = np.uint32 if name in ("lo", "hi") else np.int64
            made[name] = np.zeros((boxes, columns), dtype=kind)
        for name in ("short", "partner", "head", "tail", "wanted"):
            made[name] = np.zeros(_UNITS, dtype=np.int64)
        return Work(
            **made
            | {
                "values": np.zeros((boxes, int(least.sum())), dtype=np.int64),
                "different": np.zeros((boxes, len(least)), dtype=np.int64),
                # A few more than are needed: threads that write side by side slow each other down.
                "row": np.zeros(columns + 32, dtype=np.uint64),
                "added": np.zeros(_UNITS * _UNITS),
                "best": np.zeros(_UNITS),
                "rows": np.zeros(self.capacity + 1, dtype=np.int32),
                "mark": np.zeros(self.values + 32, dtype=np.int64),
                "tally": np.zeros(self.sets + 32, dtype=np.int64),
                "held": np.zeros(self.sets + 32, dtype=np.int64),
                "numbers": np.zeros(32, dtype=np.int64),
                "blur": self.blur,
            }
        )

    def close(self) -> None:
        if self.pool is not None:
            self.pool.shutdown()

    def _cut_large(self, labels: Ints, order: Ints) -> Ints:
        """Cut groups that no pool has room for, along an order; smaller cells lose no more."""
        piece = 2 * self.needs.k
        while True:
            sizes = np.bincount(labels)
            large = np.flatnonzero(sizes > max(4 * piece, self.capacity // 8))
            if not len(large) or piece > int(sizes[large].max()) // 2:
                return labels
            labels = labels.copy()
            places = order[np.isin(labels[order], large)]
            places = places[np.argsort(labels[places], kind="stable")]
            for each in np.split(places, np.cumsum(sizes[large])[:-1]):
                self._cut_off(labels, each, piece)
            piece *= 2

    def _cut_off(self, labels: Ints, places: Ints, size: int) -> None:
        """Cut pieces of some rows off a group: those that hold, as long as what is left does.

        What is left is cut again into larger pieces.
        """
        pieces = max(len(places) // size, 1)
        piece = np.minimum(np.arange(len(places)) // size, pieces - 1)
        good = np.flatnonzero(self.judge.holding(places, piece, pieces))
        most = len(good)
        while most:  # the fewer go, the more what is left is like the whole, which holds
            left = ~np.isin(piece, good[:most])
            if not left.any():
                break
            if self.judge.holding(places[left], np.zeros(int(left.sum()), dtype=np.int64), 1)[0]:
                break
            most = most * 7 // 8
        good = good[int(most == pieces) : most]  # one of them keeps the number of the group
        number = np.full(pieces, labels[places[0]])
        number[good] = labels.max() + 1 + np.arange(len(good))
        labels[places] = number[piece]

    def _chained(self, labels: Ints) -> Groups:
        """Chain the rows of each group, and price it."""
        n, count = len(labels), int(labels.max()) + 1
        most = max(count, n // max(self.needs.k, 1)) + 1
        by_group = np.argsort(labels, kind="stable")
        head = np.full(most, -1, dtype=np.int32)
        following = np.full(n, -1, dtype=np.int32)
        sizes = np.bincount(labels, minlength=most).astype(np.int64)
        starts = np.cumsum(sizes) - sizes
        head[:count] = by_group[starts[:count]]
        same = labels[by_group[1:]] == labels[by_group[:-1]]
        following[by_group[:-1][same]] = by_group[1:][same]
        cost = np.zeros(most, dtype=np.int64)
        cost[:count] = price_groups(self.priced, self.rows[by_group], starts[:count])
        free = np.zeros(most + 1, dtype=np.int32)
        free[: most - count] = np.arange(most - 1, count - 1, -1)
        counters = np.array([self.seed, most - count], dtype=np.int64)
        idle = np.zeros(most, dtype=np.int64)
        return Groups(labels.astype(np.int32), following, head, sizes, cost, idle, free, counters)

    def run(self, options: Refinement, enough: float, watch: Watch | None) -> float:
        """Go from round to round until there is no time, no step or nothing to gain left.

        Gives the seconds that it took.
        """
        stale, began, spent = 0, time.perf_counter(), 0.0
        while True:
            n_groups = len(self.groups.head) - int(self.groups.counters[FREE])
            wanted = max(1, min(POOLS, n_groups // GROUPS_PER_POOL))
            if options.steps is not None:
                wanted = min(wanted, options.steps - self.steps)
            if n_groups < 2 or wanted <= 0 or stale > STALE * n_groups + 100:
                return spent
            if self.priced.value(self.total) <= enough:
                return spent
            made, gain = self._round(wanted)
            if not self.steps:  # loops may have been compiled, once, until now
                began = time.perf_counter()
            self.steps += made
            stale = 0 if gain else stale + max(made, 1)
            spent = time.perf_counter() - began
            if watch is not None:
                self._tell(options, spent, watch)
            if options.seconds is not None and spent >= EXCHANGES_FROM * options.seconds:
                return spent

    def settle(self, options: Refinement, before: float, watch: Watch | None) -> bool:
        """Make single moves and swaps that gain; says whether none is left.

        ``before`` is how many seconds were spent already.
        """
        if len(self.groups.head) - int(self.groups.counters[FREE]) < 2:
            return True
        needs = self.needs
        if self.by_people:  # shares are of people then, and only the judge counts them
            needs = needs._replace(sets=needs.sets[:0])
        each = EVALUATIONS_WITH_SHARES if len(needs.sets) else EVALUATIONS_PER_STEP
        looks = 2**60 if options.steps is None else EVALUATIONS + each * options.steps
        total, kept = self.total, self.groups.group.astype(np.int64)
        began: list[float] = []

        def stop(gained: int) -> bool:
            self.total = total - gained
            began.append(time.perf_counter())  # first when loops are compiled
            spent = before + began[-1] - began[0]
            if watch is not None:
                self._tell(options, spent, watch)
            return options.seconds is not None and spent >= options.seconds

        try:
            gained, settled = exchange_rows(
                self.prices,
                self.space,
                needs,
                self.groups,
                self._make_work(5 * ROWS + 8),
                None if self.exact else self.judge,
                looks=looks,
                stop=stop,
            )
        except KeyboardInterrupt:  # a change may be half made
            self.groups, self.total = self._chained(number_by_first(kept)), total
            raise
        self.total = total - gained
        return settled

    def _tell(self, options: Refinement, spent: float, watch: Watch) -> None:
        done, whole = self.steps, options.steps
        if options.seconds is not None:
            whole = int(1000 * options.seconds)
            done = min(int(1000 * spent), whole)
        watch(done, whole or done, self.priced.value(self.total))

    def _round(self, wanted: int) -> tuple[int, int]:
        """Group some pools anew; gives how many, and what was gained."""
        self.turn += 1
        groups, pools = self.groups, self.pools
        made = choose_pools(self.space, groups, pools, self.turn, wanted, self.capacity)
        seed = (self.seed + self.turn * 104_729) % 2_147_483_647
        needs = self.needs
        if self.opaque:
            sizes = groups.size[groups.head >= 0]
            size = int(np.quantile(sizes, self.rng.uniform(0, 0.5)))
            needs = needs._replace(k=min(max(needs.k, size), self.capacity // 4))

        def repair(thread: int, step: int) -> None:
            task = Repair(self.prices, self.space, needs, pools.rows, self.work[thread])
            repair_pools(task, pools, groups.cost, seed, thread, made, step)

        if self.pool is not None and made >= 2 * self.cores:
            list(self.pool.map(repair, range(self.cores), [self.cores] * self.cores))
        else:
            repair(0, 1)
        if further_than_k(self.judge.require):
            self._refuse_failing(made)
        gain = int(commit(groups, pools, made, self.ids))
        self.total -= gain
        return made, gain

    def _refuse_failing(self, made: int) -> None:
        """Leave pools as they are of which a new group does not hold every requirement."""
        pools = self.pools
        better = np.flatnonzero((pools.gain[:made] >= 0) & (pools.made[:made] > 0))
        if not len(better):
            return
        spans = [np.arange(pools.begin[number], pools.begin[number + 1]) for number in better]
        at = np.concatenate(spans)
        first = np.cumsum(pools.made[better]) - pools.made[better]
        shift = np.repeat(first, [len(span) for span in spans])
        labels = pools.label[at] + shift
        total = int(pools.made[better].sum())
        held = self.judge.holding(pools.rows[at].astype(np.int64), labels, total)
        fails = np.logical_and.reduceat(held, first)
        pools.gain[better[~fails]] = -1

    def grouping(self, start: Grouping) -> Grouping:
        """Give the groups as they are now."""
        labels = np.full(len(start.labels), SUPPRESSED, dtype=np.int32)
        labels[self.rows] = self.groups.group
        published = np.flatnonzero(labels >= 0)
        labels[published] = number_by_first(labels[published])
        return replace(start, labels=labels)


def _pools(capacity: int, groups: int) -> Pools:
    rows, listed = (POOLS + 1) * capacity, (POOLS + 1) * (MOST_GROUPS + 1)
    return Pools(
        begin=np.zeros(POOLS + 1, dtype=np.int64),
        rows=np.zeros(rows, dtype=np.int32),
        label=np.zeros(rows, dtype=np.int32),
        first=np.zeros(POOLS + 1, dtype=np.int64),
        groups=np.zeros(listed, dtype=np.int32),
        start=np.zeros(listed + 1, dtype=np.int64),
        gain=np.zeros(POOLS, dtype=np.int64),
        made=np.zeros(POOLS, dtype=np.int64),
        cost=np.zeros(rows, dtype=np.int64),
        claimed=np.zeros(groups, dtype=np.int64),
    )


def needs_of(table: Table, require: Sequence[Requirement], rows: Ints) -> tuple[Needs, int, int]:
    """Write requirements as counts of rows, people and values, and as shares of values.

    Also gives how many values and sets of values there are.
    """
    k = least_size(require)
    kinds: list[Ints] = []
    least: list[int] = []
    if table.people is not None:
        kinds.append(np.unique(table.people[rows], return_inverse=True)[1].astype(np.int64))
        least.append(k)
    required: dict[str, int] = {}
    whole = one_group(table, require, rows)
    for each in require:
        for name, number in each.least_values(whole).items():
            there = int(whole.histograms[name].different(1)[0])
            required[name] = max(required.get(name, 0), min(number, there))
    for name, number in required.items():
        kinds.append(table.sensitive[name].codes[rows].astype(np.int64))
        least.append(number)
    sets: list[Ints] = []
    shares: list[tuple[int, int]] = []
    for limits in share_limits(table, require):
        codes = table.sensitive[limits.column].codes[rows]
        sets.append(limits.sets[codes].astype(np.int64) + len(shares))
        shares += [(share.numerator, share.denominator) for share in limits.largest]
    needs = Needs(
        k=k,
        kind=np.array(kinds, dtype=np.int64).reshape(len(kinds), len(rows)),
        least=np.array(least, dtype=np.int64),
        slot=np.cumsum([0, *least])[:-1].astype(np.int64),
        sets=np.array(sets, dtype=np.int64).reshape(len(sets), len(rows)),
        above=np.array([above for above, _ in shares], dtype=np.int64),
        below=np.array([below for _, below in shares], dtype=np.int64),
        most=LARGEST_IN_K * k if shares else ANY_SIZE,
    )
    values = max((int(kind.max(initial=0)) + 1 for kind in kinds), default=1)
    return needs, values, max(len(shares), 1)
