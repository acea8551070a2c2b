"""Full-domain generalization: the best level of every attribute, proven."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from shoal.base.arguments import is_number
from shoal.base.limits import Limit
from shoal.errors import InfeasibleError
from shoal.methods.base import Progress
from shoal.methods.lattice._box import Box
from shoal.methods.lattice._lattice import Lattice
from shoal.methods.lattice._losses import OBJECTIVES, mean_losses, weights_of
from shoal.methods.lattice._method import counted, in_rows, lattice_of, require_searchable
from shoal.methods.lattice._objective import ObjectiveMethod
from shoal.methods.lattice._optimum import Found, Search
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table

SECONDS = Limit(
    "a number of seconds above 0",
    "Such as 60, or leave it out to search to the end.",
    lambda given: is_number(given) and given > 0,
)


@dataclass(frozen=True)
class FullDomain(ObjectiveMethod):
    """Choose one level per attribute for the whole table, the best of all that hold.

    Every value of a column is generalized alike, so the published table is easy to read and to
    analyse. Classes that fail a requirement are suppressed, up to a limit. The search is exact:
    it proves that no other choice of levels is better. Methods that group locally, such as
    GAA-CP, lose less.

    Parameters
    ----------
    objective
        What is made as small as possible: ``"loss"``, ``"loss-geometric"``, ``"precision"``,
        ``"non-uniform-entropy"``, ``"height"``, ``"discernibility"`` or
        ``"average-class-size"``; or a loss of Gu and Dong (2022), which is ``"loss"`` with the
        weights it is named after: ``"entropy-loss"``, ``"mutual-information-loss"`` (their
        equation 4) or ``"gain-ratio-loss"`` (their table 2).
    weights
        The weights of columns in the first four: a kind of `shoal.measures.weights`, found in
        the rows that are grouped, or a weight per column. Left out: the schema's.
    label
        The column that mutual information and gain ratio are about.
    suppression_limit
        The largest share of rows that may be suppressed. Left out: the publication's; it is given
        once, there or here.
    time_limit
        Seconds after which the best node found is taken, proven or not.
    levels
        The level of some columns, or of all: then this node is published. 0 shows original values.
    minimum, maximum
        The lowest and the highest level of some columns.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "sex": shoal.quasi(), "disease": shoal.sensitive(),
    ...     "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=20)),
    ...     "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema,
    ...     require=[shoal.KAnonymity(2)], method=shoal.FullDomain())
    >>> release.grouping.levels["zip"]
    2

    References
    ----------
    Kohlmayer, Prasser, Eckert, Kemper, Kuhn: Flash: efficient, stable and optimal k-anonymity,
    PASSAT 2012. V. Iyengar: Transforming data to satisfy privacy constraints, KDD 2002.
    """

    time_limit: float | None = None
    levels: Mapping[str, int] | None = None
    minimum: Mapping[str, int] | None = None
    maximum: Mapping[str, int] | None = None

    name: ClassVar[str] = "full-domain"
    limits: ClassVar = {**ObjectiveMethod.limits, "time_limit": SECONDS}

    def validate(self) -> None:
        """Refuse levels that make no sense, too."""
        super().validate()
        self.box.validate()

    @property
    def box(self) -> Box:
        """The levels that may be chosen."""
        given = (self.levels, self.minimum, self.maximum)
        return Box(*({} if each is None else each for each in given))

    def describe(self) -> str:
        chosen = (self.levels, self.minimum, self.maximum)
        within = ", with levels given" if any(each is not None for each in chosen) else ""
        return f"full-domain generalization of least {self.aim}{within}"

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Search the lattice, and label the classes of the best node."""
        lattice, found = self.search(table, require, progress=progress)
        self.require_found(lattice, found)
        assert found.node is not None
        return self.grouping_at(lattice, found.node.levels, self.scored, found)

    def one_group(self, table: Table, require: Sequence[Requirement]) -> Grouping | None:
        """Take every column at its top level, if that may be chosen."""
        _, highest = self.box.of(table)
        tops = tuple(column.hierarchy.height for column in table.trees)
        return super().one_group(table, require) if highest == tops else None

    def require_found(self, lattice: Lattice, found: Found) -> None:
        """Refuse a search without a node (raises `InfeasibleError`)."""
        if found.node is None and np.isfinite(found.bound):
            raise InfeasibleError(
                "The search found no node that meets the requirements within "
                f"{self.time_limit} seconds, after {found.evaluated:,} of "
                f"{counted(lattice.size)} nodes; one may exist.",
                "Raise time_limit or suppression_limit, or weaken the requirements.",
            )
        if found.node is None:
            raise self.refuse(lattice)

    def search(
        self, table: Table, require: Sequence[Requirement], *, progress: Progress | None = None
    ) -> tuple[Lattice, Found]:
        """Find the best node, and how far it is proven to be the best."""
        table = self.weigh(table)
        lattice = lattice_of(table, require, self.scored, box=self.box.of(table))
        if self.time_limit is None:
            require_searchable(lattice, "Set time_limit (seconds)")
        objective, report = OBJECTIVES[self.scored], in_rows(progress, table)
        search = Search(
            lattice,
            objective,
            mean_losses(table, objective, lattice.costs),
            weights_of(table),
            most=self.most(table),
            monotone=self.monotone(table, require),
            deadline=None if self.time_limit is None else time.monotonic() + self.time_limit,
        )
        found = search.run(report)
        report(1.0)
        return lattice, found
