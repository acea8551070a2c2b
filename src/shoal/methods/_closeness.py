"""Which record is nearest to a class, and which begins the next: a greedy method's closeness.

GAA-CP, k-member and KAIM differ in their distance and in their seeds alone. Where something else
decides which records a class may take, as with m-invariance, these two are all that is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.kernels.clustering.greedy import FAR_FROM_CLASS, FAR_FROM_LAST, IN_ORDER
from shoal.methods._costs import Moves, attributes
from shoal.methods.clustering._scan import GrowingClass
from shoal.table import NumericColumn, QuasiColumn

_FORBIDDEN = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Closeness:
    """What a greedy method goes by.

    - ``columns``: the quasi-identifiers as the method sees them.
    - ``rule``, ``moves``: how costs add up, and what moving up a tree costs: see
      `shoal.methods._costs`.
    - ``seeding``: where seeds come from: a constant of `shoal.kernels.clustering.greedy`.
    - ``first``: the row to begin with: the first seed, or with `FAR_FROM_LAST` the record from
      which the first seed is farthest.
    - ``order``: with `IN_ORDER`: all rows in the order in which they become seeds, while they are
      left. Left-over rows are placed in this order, too.
    """

    columns: Sequence[QuasiColumn]
    rule: int
    moves: Moves | None = None
    seeding: int = FAR_FROM_CLASS
    first: int = 0
    order: Ints | None = None


class NearestRecords(GrowingClass):
    """The records of a table, and one class that grows: which of some records is the nearest?

    Every question names some records, rising, and which of them may be taken; ties go to the first.
    """

    def __init__(self, how: Closeness) -> None:
        columns = sorted(how.columns, key=lambda each: isinstance(each, NumericColumn))
        n = len(columns[0].codes)
        super().__init__(
            columns, attributes(columns, rule=how.rule, moves=how.moves, largest_class=n)
        )
        self.how = how
        self.places = self.places.astype(np.int32)
        self.last: int | None = None
        self.rows: Ints | None = None
        self.turn = np.arange(n)
        if how.order is not None:
            self.turn[how.order] = np.arange(n)

    def seed(self, rows: Ints, may: Bools) -> int:
        """Choose the record that begins the next class, and begin it."""
        if self.how.seeding == IN_ORDER:
            row = int(rows[np.argmin(np.where(may, self.turn[rows], len(self.turn)))])
        elif self.last is None and self.how.seeding == FAR_FROM_CLASS:
            allowed = rows[may]
            row = self.how.first if self.how.first in allowed else int(allowed[0])
        else:
            if self.how.seeding == FAR_FROM_LAST:
                self._take(self.how.first if self.last is None else self.last, alone=True)
            row = int(rows[np.argmax(np.where(may, self._costs(rows), -1))])
        self._take(row, alone=True)
        return row

    def join(self, rows: Ints, may: Bools) -> int:
        """Let the nearest of some records into the class."""
        row = int(rows[np.argmin(np.where(may, self._costs(rows), _FORBIDDEN))])
        self._take(row)
        return row

    def _costs(self, rows: Ints) -> Ints:
        """Give what each of some records costs; their cells are kept until others are asked for."""
        if rows is not self.rows:
            self.rows, self.cells = rows, self.places[:, rows]
        cost: Ints = self.price[self.cells[0]]
        for cells in self.cells[1:]:
            cost += self.price[cells]
        return cost

    def _take(self, row: int, *, alone: bool = False) -> None:
        self.add(row, alone=alone)
        self.last = row
