"""Datafly: always generalize the column of most distinct cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from shoal.methods.base import Progress
from shoal.methods.lattice._method import LatticeMethod, in_rows, lattice_of
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table


@dataclass(frozen=True)
class Datafly(LatticeMethod):
    """Generalize the column with most distinct cells, until few enough rows fail.

    The classic: quick and simple, and often far from the best node. Choose it to compare with
    `FullDomain`, which proves the best one.

    Parameters
    ----------
    suppression_limit
        As in `FullDomain`.

    Notes
    -----
    Distinct cells are counted over all rows; ties go to the first column. The original suppresses
    up to k rows; here the limit says how many.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "sex": shoal.quasi(), "disease": shoal.sensitive(),
    ...     "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=20)),
    ...     "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema,
    ...     require=[shoal.KAnonymity(2)], method=shoal.Datafly())
    >>> release.verification.passed
    True

    References
    ----------
    L. Sweeney: Datafly: a system for providing anonymity in medical data, 1997.
    """

    suppression_limit: float | None = None

    name: ClassVar[str] = "datafly"

    def describe(self) -> str:
        return "Datafly: generalize the column of most distinct cells"

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Climb one level at a time."""
        lattice = lattice_of(table, require, "height")
        levels = [0] * len(lattice.heights)
        steps, report = sum(lattice.heights), in_rows(progress, table)
        while lattice.node_at(tuple(levels)).suppressed > self.most(table):
            report(sum(levels) / steps)
            open_ones = [j for j, level in enumerate(levels) if level < lattice.heights[j]]
            if not open_ones:
                raise self.refuse(lattice)
            widest = max(open_ones, key=lambda j: (lattice.cells(j, levels[j]), -j))
            levels[widest] += 1
        report(1.0)
        return self.grouping_at(lattice, tuple(levels))
