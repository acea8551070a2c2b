"""Rounds over all boxes: the least cost of each row, and prices that no group exceeds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from shoal.base.arrays import Ints
from shoal.improve.bounds.boxes import Boxes
from shoal.kernels.bounds.lowering import CAPPED, FIELDS, Lowering, Workspace, lower

BINS_BY_PROGRESS = ((0.5, 4), (0.8, 8), (1.0, 16))
"""Into how many bins numbers but one divide what may be spent, up to which share of the way: fine
bins give higher bounds, and take longer."""

AHEAD = 0.02
"""How much further prices may grow, as a share, for cells to be skipped until then."""

PROGRESS_STEPS = 1000
"""Into how many steps progress is counted."""

VISIT, MAKING = 5_000, 5
"""What visiting a combination of levels, and sorting a point into its cells, take as long as: so
many looks at a point."""


@dataclass
class Clock:
    """Says when time is up, and shows how far the work is.

    ``seconds``, ``looks``: how long there is: by the clock, or in looks at points, which are the
    same on every machine.
    """

    seconds: float | None = None
    progress: Callable[[int, int], None] | None = None
    looks: int | None = None
    started: float = field(default_factory=time.perf_counter)
    looked: int = 0

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @property
    def is_up(self) -> bool:
        """Whether time is up."""
        return self.progressed >= 1.0

    @property
    def progressed(self) -> float:
        """Which share of the time is over; 0 where there is no end."""
        by_time = 0.0 if self.seconds is None else self.spent / self.seconds
        by_evaluations = 0.0 if self.looks is None else self.looked / self.looks
        return max(by_time, by_evaluations)

    def show(self, progressed: float) -> None:
        """Show which share of the way is over; a function that raises stops the work."""
        if self.progress is not None:
            self.progress(round(min(progressed, 1.0) * PROGRESS_STEPS), PROGRESS_STEPS)


@dataclass(eq=False)
class Rounds:
    """Prices per point that hold for every box, made by rounds over the boxes."""

    boxes: Boxes
    clock: Clock
    growth: float = 1.0

    def __post_init__(self) -> None:
        points = len(self.boxes.rows)
        deep = max(1, sum(any(x.window for x in each) for each in self.boxes.levels))
        most = self.boxes.k + 2

        def zeros(size: int) -> Ints:
            return np.zeros((deep, size), dtype=np.int64)

        self._space = Workspace(
            worth=zeros(most),
            point=zeros(most),
            held=zeros(most),
            sums=zeros(3),
            points=zeros(points),
            edge=zeros(points + 1),
            state=zeros(FIELDS),
        )

    def value(self, prices: Ints) -> int:
        """Add up the prices of all rows."""
        return int(self.boxes.rows @ prices)

    def cheapest(self, share: float = 1.0) -> tuple[Ints, bool]:
        """Give each row what the cheapest box with it and k − 1 others costs it, at least.

        Also says whether a share of the time was enough for all boxes.
        """
        prices = self.boxes.cap(len(self.boxes))
        return prices, self._lower(prices, CAPPED, BINS_BY_PROGRESS[-1][1], share)

    def hold(self, prices: Ints, progressed: float = 1.0) -> bool:
        """Lower prices until they hold; says whether there was time for all boxes.

        The share of the way that is over says how exactly boxes are looked at.
        """
        np.minimum(prices, self.boxes.cap(len(self.boxes)), out=prices)
        bins = next(bins for share, bins in BINS_BY_PROGRESS if progressed <= share)
        return self._lower(prices, self.boxes.k, bins)

    def raised(self, prices: Ints, by: float) -> Ints:
        """Raise all prices by a share."""
        self.growth *= 1.0 + by
        return prices + (prices * by).astype(np.int64)

    def _lower(self, prices: Ints, costliest: int, bins: int, until: float = 1.0) -> bool:
        ahead = 0.0 if costliest == CAPPED else AHEAD
        boxes, clock, costliest_price = self.boxes, self.clock, prices.max()
        clock.looked += VISIT + len(boxes.rows)
        for at in range(len(boxes)):
            if boxes.least[at] >= costliest_price:
                continue
            if clock.progressed >= until:
                # Boxes from here on cost no less than this, so they hold as well.
                np.minimum(prices, boxes.cap(at), out=prices)
                return False
            known = boxes.keeps(at)
            cells = boxes.cells(at)
            clock.looked += VISIT + (0 if known else MAKING * len(boxes.rows))
            if not len(cells.quiet):
                continue
            points, own, base = boxes.points(at), boxes.own(at), int(boxes.least[at])
            task = Lowering(points, self._space, prices, own, boxes.k, costliest, bins)
            clock.looked += lower(task, cells, base, self.growth, ahead)
            if costliest == CAPPED:  # what was found there says nothing of prices
                cells.quiet[:] = 0.0
            costliest_price = prices.max()
        return True
