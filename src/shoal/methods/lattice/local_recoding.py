"""Local recoding by rounds: the cheapest levels for some rows, then for those that are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Ints
from shoal.base.limits import number
from shoal.errors import ParameterError
from shoal.methods.base import Progress
from shoal.methods.lattice._lattice import Lattice
from shoal.methods.lattice._losses import OBJECTIVES, mean_losses, weights_of
from shoal.methods.lattice._method import lattice_of, require_searchable
from shoal.methods.lattice._objective import AIMS, OWN_WEIGHTS, AimingMethod
from shoal.methods.lattice._snapshots import Levels
from shoal.methods.lattice._sweep import Sweep
from shoal.models import Requirement
from shoal.publications.groups.completing import merge_failing
from shoal.publications.groups.grouping import Grouping, number_by_first
from shoal.publications.groups.share_limits import without_surplus
from shoal.table import Table

GRID = 2**30
"""Costs of nodes are whole multiples of 1 / GRID, so that equal ones are equal."""


@dataclass(frozen=True)
class LocalRecoding(AimingMethod):
    """Publish the classes that hold at the cheapest levels, then go on at costlier ones.

    A round takes the choice of levels, one per column, of least loss at which enough rows stand in
    classes that hold. These classes are groups; the other rows go on to the next round. In the
    end every group shows its minimal cells. It loses far less than `FullDomain`, which has one
    round, and on Adult with nine quasi-identifiers less than `GAACP` and `KACA`. Of many columns
    with tall hierarchies there are too many choices; take `Mondrian` or `GAACP` there.

    Parameters
    ----------
    objective, weights, label
        What levels cost, on average over all rows, as in `FullDomain`; all objectives but
        ``"discernibility"`` and ``"average-class-size"``, which are about the sizes of classes.
    share
        The least share of all rows that a round publishes. Less takes longer and loses less; 0
        publishes every class that holds.
    numbers
        How numbers are published: as the least ``"intervals"`` that hold a group, or as nodes of
        the ``"tree"``. The groups are the same.

    Notes
    -----
    Nodes, as choices of levels are called, come in the order of what they cost, each once; costs
    are rounded to 2⁻³⁰, and ties go to the lowest levels in the order of the columns. A node is
    judged by the rows that no node before it published. When all nodes had their turn, the rows
    that are left get a second one with ``share=0``. Rows that are left even then (fewer than k, or
    of too frequent values) join the group whose loss they increase least among those that hold
    with them, equal rows together. So nothing is suppressed, but for rows of values that are too
    frequent in the whole table. A missing cell is a cell of its own below the root.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "sex": shoal.quasi(), "disease": shoal.sensitive(),
    ...     "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=20)),
    ...     "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema, bounds="observed",
    ...     require=[shoal.KAnonymity(2)], method=shoal.LocalRecoding())
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 0, 1]
    >>> release.table.select("age", "sex", "zip").row(2)
    ('[45, 55]', 'female', '230**')

    References
    ----------
    Rounds over the rows that are left: Prasser, Kohlmayer, Spengler, Kuhn: A scalable and
    pragmatic method for the safe sharing of high-quality health data. IEEE Journal of Biomedical
    and Health Informatics 22(2), 2018 (ARX).
    """

    share: float = 0.01
    numbers: Literal["intervals", "tree"] = "intervals"

    name: ClassVar[str] = "local-recoding"
    limits: ClassVar = {
        **AimingMethod.limits,
        "share": number("[0, 1]", "0.01 publishes at least a hundredth in each round."),
    }
    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True

    def validate(self) -> None:
        """Refuse objectives of sizes, too."""
        super().validate()
        if OBJECTIVES[self.scored].kind not in ("cells", "height"):
            fitting = [
                aim
                for aim in AIMS
                if aim in OWN_WEIGHTS or OBJECTIVES[aim].kind in ("cells", "height")
            ]
            raise ParameterError(
                f"The objective '{self.aim}' measures the sizes of all classes of a node, but "
                "local recoding publishes only some of them.",
                f"Choose one of: {', '.join(fitting)}.",
            )

    def describe(self) -> str:
        return f"local recoding by rounds of least {self.aim}, each of {self.share:.2%} of the rows"

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Go up the lattice, and take the classes that hold out of the table."""
        return without_surplus(
            self.weigh(table), require, lambda part: self._group(part, require, progress)
        )

    def _group(self, table: Table, require: Sequence[Requirement], progress: Progress) -> Grouping:
        lattice = lattice_of(table, require, self.scored, pinned=True)
        require_searchable(lattice, "Use mondrian or gaa-cp")
        rounds = _Rounds(lattice, progress)
        share = ceil(Fraction(str(self.share)) * table.n_rows)
        for need in dict.fromkeys((max(share, 1), 1)):  # the second time, every class that holds
            Sweep(lattice, self._costs(table), need).run(rounds.take, rounds.report)
        grouping, left = rounds.grouping()
        if left:
            shown = table.trees if self.numbers == "tree" else table.quasi
            grouping = merge_failing(table, grouping, require, shown)
        progress(table.n_rows, table.n_rows)
        return grouping

    def _costs(self, table: Table) -> list[Ints]:
        """Give what each level of each column costs, on average over all rows."""
        how = OBJECTIVES[self.scored]
        if how.kind == "height":
            return [np.arange(c.hierarchy.height + 1) * GRID for c in table.trees]
        losses = mean_losses(table, how)
        return [
            np.rint(weight * how.terms(loss) * GRID).astype(np.int64)
            for weight, loss in zip(weights_of(table), losses, strict=True)
        ]


class _Rounds:
    """The groups that the rounds publish."""

    def __init__(self, lattice: Lattice, progress: Progress) -> None:
        self.lattice, self.progress = lattice, progress
        self.found = np.full(len(lattice.bottom.rep), -1, dtype=np.int64)
        """Per distinct tuple: its group."""
        self.groups = 0

    def take(self, levels: Levels) -> bool:
        """Publish the classes of a node that hold; say whether no row is left."""
        tuples, classes = self.lattice.take_out(levels)
        _, number = np.unique(classes, return_inverse=True)
        self.found[tuples] = self.groups + number
        self.groups += int(number.max(initial=-1)) + 1
        self.report()
        return len(self.lattice.bottom.rep) == 0

    def report(self) -> None:
        """Say how many rows are published."""
        n, left = self.lattice.table.n_rows, int(self.lattice.bottom.rows.sum())
        self.progress(n - left, n)

    def grouping(self) -> tuple[Grouping, bool]:
        """Label the rows; tuples that are left are groups of their own, if there are any."""
        left = self.lattice.bottom.rep
        self.found[left] = self.groups + np.arange(len(left))
        return Grouping(number_by_first(self.found[self.lattice.points]).astype(np.int32)), bool(
            len(left)
        )
