"""Samarati: the least height at which a generalization holds, by halving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.methods.base import Progress
from shoal.methods.lattice._method import in_rows
from shoal.methods.lattice._minimal import least_height
from shoal.methods.lattice._objective import ObjectiveMethod
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table

__all__ = ["Samarati"]


@dataclass(frozen=True)
class Samarati(ObjectiveMethod):
    """Find the least height of the lattice at which a node holds, and its best node.

    The height of a node is the sum of its levels. If some node of a height holds, some node of
    every height above does, too, so halving finds the least; under requirements on shares, with
    suppression, that need not be so, and heights are tried from below. Choose it to compare;
    `FullDomain` finds the best node of all.

    Parameters
    ----------
    objective
        What decides among the nodes of the least height, as in `FullDomain`.
    weights, label
        The weights of columns in the objective, as in `FullDomain`.
    suppression_limit
        The largest share of rows that may be suppressed. Left out: the publication's; it is given
        once, there or here.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "sex": shoal.quasi(), "disease": shoal.sensitive(),
    ...     "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=20)),
    ...     "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema,
    ...     require=[shoal.KAnonymity(2)], method=shoal.Samarati())
    >>> sum(release.grouping.levels.values())
    5

    References
    ----------
    P. Samarati: Protecting respondents' identities in microdata release, 2001.
    """

    name: ClassVar[str] = "samarati"

    def describe(self) -> str:
        """Say in words how groups are found."""
        return f"Samarati: a node of least height, of those the one of least {self.aim}"

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Halve the heights, and label the classes of the best node of the least one."""
        lattice = self.lattice(self.weigh(table), require, self.scored)
        self.require_searchable(lattice, "Use full-domain with a time_limit")
        monotone, report = self.monotone(table, require), in_rows(progress, table)
        found = least_height(lattice, self.most(table), monotone=monotone, report=report)
        report(1.0)
        return self.grouping_of_best(lattice, found)
