"""Which classes of a node hold the requirements, and how many of their rows no part could publish.

What requirements ask as plain numbers is judged by kernels, the rest by the requirements
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.kernels.lattice.roll_up import weigh
from shoal.kernels.lattice.verdicts import Classes, small
from shoal.methods.lattice._checks import Check, Close, check_of, close_of
from shoal.methods.lattice._occurrences import Held, Occurrences
from shoal.models import GroupStatistics, Requirement, holding
from shoal.publications.groups.counting import one_group
from shoal.table import Table


@dataclass(frozen=True, eq=False)
class Totals:
    """What the classes of a node add up to.

    - ``suppressed``: the rows of failing classes; at least so many, where not all were found.
    - ``lasting``: so many rows, at least, are suppressed at every node below, too.
    - ``classes``, ``squares``: classes that hold, and the sum of their squared sizes.
    - ``all_classes``, ``all_squares``: the same of all classes that were judged.
    """

    suppressed: int
    lasting: int
    classes: int
    squares: int
    all_classes: int
    all_squares: int


@dataclass(frozen=True, eq=False)
class Verdict(Totals):
    """What is judged of the classes of a node.

    - ``fails``: which classes fail; where too many rows must go, maybe not all that do.
    - ``must``: how many rows of each class, at least, are in no part that holds.
    """

    fails: Bools
    must: Ints


class Judge:
    """Judges the classes of nodes.

    ``require``: the requirements, with what they compare classes with.
    """

    def __init__(
        self, table: Table, require: Sequence[Requirement], occurrences: Occurrences
    ) -> None:
        self.occurrences, self.n = occurrences, table.total_rows
        self.people = table.people is not None
        self.k = max((each.least_size for each in require), default=1)
        self.by_k = not self.people and all(each.size_only for each in require)
        self.checks: list[tuple[int, Check]] = []
        """What kernels judge of a class by itself, with the number of its column."""
        self.close: tuple[int, Close] | None = None
        """What a kernel judges of a class beside the others."""
        self.left: list[Requirement] = []
        """What is left to the requirements themselves."""
        self._set_up(table, require)
        self.lasts = (
            any(each.monotone_in_rows or each.least_size > 1 for each in require)
            or bool(self.checks)
            or self.close is not None
        )
        """Whether some rows are suppressed at every node below, too."""
        self.narrows = self.close is not None and self.close[1].narrows
        """Whether more rows must go where fewer may be suppressed."""

    def _set_up(self, table: Table, require: Sequence[Requirement]) -> None:
        whole = one_group(table, require)
        totals = {name: found.totals for name, found in whole.histograms.items()}
        number = {name: at for at, name in enumerate(self.occurrences.columns)}
        alone = sum(each.relative for each in require) == 1
        for each in require:
            if each.size_only and not self.people:
                continue  # every class of k rows holds it
            conditions = None if self.people else each.conditions(whole)
            if conditions is None:
                self.left.append(each)
            elif each.relative:
                made = [
                    close_of(condition, self.n, totals, self.occurrences.order_of)
                    for condition in conditions
                ]
                if alone and len(made) == 1 and made[0] is not None:
                    self.close = number[conditions[0].column], made[0]
                else:
                    self.left.append(each)
            else:
                checks = [check_of(condition, self.n) for condition in conditions]
                if any(check is None for check in checks):
                    self.left.append(each)
                for condition, check in zip(conditions, checks, strict=True):
                    if check is not None:
                        self.checks.append((number[condition.column], check))

    def __call__(
        self,
        rows: Ints,
        held: Held,
        most: int | None = None,
        own: int | None = None,
        *,
        lasting: bool = True,
        population: Ints | None = None,
        elsewhere: int = 0,
    ) -> Verdict:
        """Judge classes.

        - ``rows``, ``held``: the rows of each class, and what occurs in them.
        - ``population``, ``elsewhere``: the people of the population who fit each class, and how
          many fit none; asked for only by requirements that count them.
        - ``most``: where more rows must go, not all classes that fail need to be found.
        - ``own``: where more rows are in failing classes, neither.
        - ``lasting``: whether to find rows that no part can have, beyond those of classes that are
          too small.
        """
        n = len(rows)
        if self.by_k:
            fails, must = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.int64)
        else:
            fails, must = np.empty(n, dtype=np.bool_), np.empty(n, dtype=np.int64)
            most = self.n if most is None else most
            own = most if own is None else own
            self._judge(rows, held, (population, elsewhere), most, own, lasting, fails, must)
        sums = np.empty(5, dtype=np.int64)
        weigh(rows, self.k, fails, must, sums)
        gone, lost, classes, squares, all_squares = sums.tolist()
        return Verdict(max(gone, lost), lost, classes, squares, n, all_squares, fails, must)

    def _judge(
        self,
        rows: Ints,
        held: Held,
        people: tuple[Ints | None, int],
        most: int,
        own: int,
        lasting: bool,
        fails: Bools,
        must: Ints,
    ) -> None:
        lost = int(small(rows, self.k, fails, must))
        enough = most if lasting else min(most, own)
        for at, check in self.checks:
            if lost > enough:
                return
            # Of a class that fails, rows that must go are counted while there are not too many.
            lost = check(_classes(rows, held, at), most if lasting else -1, fails, must)
        if lost > enough:
            return
        if self.close is not None:
            at, close = self.close
            classes = _classes(rows, held, at)
            if lasting and close.must(classes, self.n, most, must) > most:
                return
        if self.left:
            self._ask(self.occurrences.statistics(rows, held, *people), fails, must)
        if self.close is not None:
            close(classes, own, fails)

    def _ask(self, groups: GroupStatistics, fails: Bools, must: Ints) -> None:
        """Ask requirements themselves, beside those classes that hold the others."""
        for each in self.left:
            if each.monotone_in_rows:
                gone = ~each.judge(groups).holds
                must[gone] = groups.sizes[gone]
        fine = ~fails
        fails[fine] = ~holding(self.left, groups if fine.all() else groups.only(fine))


def _classes(rows: Ints, held: Held, at: int) -> Classes:
    entries = held[at]
    return Classes(rows, entries.begin, entries.thing, entries.counts)
