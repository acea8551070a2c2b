"""Full-domain generalization: the best level of every attribute, proven."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from shoal.errors import InfeasibleError, ParameterError
from shoal.grouping import Grouping, one_group
from shoal.methods.aims import Aimed, Weights
from shoal.methods.alike import unions_hold
from shoal.methods.base import Method, Progress
from shoal.methods.lattice import Lattice, Levels
from shoal.methods.objectives import OBJECTIVES, mean_losses, score_of
from shoal.methods.optimum import Found, find_optimum
from shoal.models import Requirement
from shoal.models.shares import rounded_up
from shoal.table import Table

__all__ = ["FullDomain", "Ladders"]

LARGEST = 5_000_000
"""The most nodes that are searched without a time limit."""

TRIED = 200
"""How many nodes are looked at to say how many rows would have to be suppressed."""


class Ladders(Method):
    """What the methods share that choose one level per attribute for the whole table."""

    suppression_limit: float
    carries: ClassVar[frozenset[str] | None] = None
    numbers: ClassVar[Literal["intervals", "tree"]] = "tree"

    def validate(self) -> None:
        """Refuse a limit that is no share."""
        super().validate()
        limit = self.suppression_limit
        if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 <= limit <= 1:
            raise ParameterError(
                f"suppression_limit must be from 0 to 1, not {limit!r}.", "0.05 is usual."
            )

    def most(self, table: Table) -> int:
        """Say how many rows may be suppressed."""
        return int(Fraction(str(self.suppression_limit)) * table.n_rows)

    def monotone(self, table: Table, require: Sequence[Requirement]) -> bool:
        """Say whether a node suppresses at least the rows that nodes above it do.

        That is so if no part of a failing class holds. If nothing may be suppressed, it is enough
        that classes which hold do so together: a node that fails then fails below, too.
        """
        if all(each.monotone_in_rows for each in require):
            return True
        return self.most(table) == 0 and unions_hold(table, require)

    def lattice(self, table: Table, require: Sequence[Requirement], objective: str) -> Lattice:
        """Set the lattice up with what an objective's cells cost."""
        how = OBJECTIVES[objective]
        pairs = list(zip(table.quasi, table.trees, strict=True))
        bases = None if how.base is None else [how.base(tree) for _, tree in pairs]
        return Lattice(table, require, [how.costs(column, tree) for column, tree in pairs], bases)

    def settle(
        self,
        lattice: Lattice,
        levels: Levels,
        objective: str | None = None,
        found: Found | None = None,
    ) -> Grouping:
        """Label the classes of a node, and say how it was found.

        Parameters
        ----------
        objective
            What the node was chosen by.
        found
            What a search proved of it; without it, nothing is.
        """
        names = [column.name for column in lattice.table.quasi]
        chosen = dict(zip(names, levels, strict=True))
        search: dict[str, Any] = {
            "objective": objective,
            "optimal": found is not None and found.optimal,
            "score": None,
            "gap": None,
            "looked_at": lattice.evaluated,
            "lattice": lattice.size,
            "levels": chosen,
            "heights": dict(zip(names, lattice.heights, strict=True)),
            "rate": False,
            "weights": None,
        }
        if objective is not None:
            how = OBJECTIVES[objective]
            score = score_of(lattice, objective)(levels)[0]
            search |= {"score": how.shown(score), "rate": how.kind == "cells"}
            if found is not None:
                below = min(found.bound, score)
                search["gap"] = 0.0 if found.optimal else how.shown(score) - how.shown(below)
        search |= self.said(lattice.table)
        return Grouping(lattice.grouping(levels).labels, levels=chosen, search=search)

    def said(self, table: Table) -> dict[str, Any]:
        """Say what more there is to say of a search of a table."""
        return {}

    def refuse(
        self, lattice: Lattice, require: Sequence[Requirement] | None = None
    ) -> InfeasibleError:
        """Say that no node holds, what fails even at the top, and what would do.

        The requirements are those of the lattice, unless others are given.
        """
        table, require = lattice.table, lattice.require if require is None else require
        whole = one_group(table, require)
        failing = [each.describe() for each in require if not each.judge(whole).passed]
        why = (
            f"even with every column at its top level, where all rows are one class, this fails: "
            f"{'; '.join(failing)}"
            if failing
            else f"no node keeps the rows of failing classes to {self.most(table)}"
        )
        every = product(*(range(height, -1, -1) for height in lattice.heights))
        tried = [lattice.look(levels).suppressed for levels in islice(every, TRIED)]
        least = min(tried)
        hint = "Weaken the requirements."
        if least < table.n_rows:
            which = (
                "the least of all nodes"
                if len(tried) == lattice.size
                else f"the least of {TRIED} nodes"
            )
            hint = (
                f"Weaken the requirements, or raise suppression_limit to "
                f"{rounded_up(least, table.n_rows)}: {least} of {table.n_rows} rows "
                f"({which}). Both limits count, the method's and the publication's."
            )
        return InfeasibleError(
            f"No generalization holds the requirements with at most {self.suppression_limit:.1%} "
            f"of the rows suppressed: {why}.",
            hint,
        )


@dataclass(frozen=True)
class FullDomain(Aimed, Ladders):
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
        ``"average-class-size"``; or a loss of paper 5, ``"mi-loss"`` (``"loss"`` by mutual
        information about a label) or ``"entropy-loss"``.
    weights
        How much columns count in the first four: a kind of `shoal.measures.weights`, found in
        the rows that are grouped, or a weight per column. Left out: the schema's.
    label
        The column that mutual information and gain ratio are about.
    suppression_limit
        The largest share of rows that may be suppressed.
    time_limit
        Seconds after which the best node found is taken, proven or not.
    picks, seed
        Nothing is drawn; they are here because every method has them.

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

    objective: str = "loss"
    weights: Weights = None
    label: str | None = None
    suppression_limit: float = 0.05
    time_limit: float | None = None
    picks: Literal["random", "first"] = "first"
    seed: int | None = None

    name: ClassVar[str] = "full-domain"

    def validate(self) -> None:
        """Refuse objectives and weights that make no sense, and limits out of range."""
        super().validate()
        self.require_aim()
        if self.time_limit is not None and not self.time_limit > 0:
            raise ParameterError(
                f"time_limit must be a number of seconds above 0, not {self.time_limit!r}."
            )

    def describe(self) -> str:
        """Say in words how groups are found."""
        return f"full-domain generalization of least {self.aim}"

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Search the lattice, and label the classes of the best node."""
        lattice, found = self.search(table, require, progress=progress)
        self.require_found(lattice, found)
        assert found.node is not None
        return self.settle(lattice, found.node.levels, self.scored, found)

    def require_found(self, lattice: Lattice, found: Found) -> None:
        """Refuse a search without a node (raises `InfeasibleError`)."""
        if found.node is None and np.isfinite(found.bound):
            raise InfeasibleError(
                f"No node that holds was found within {self.time_limit} seconds, after "
                f"{found.evaluated:,} of {lattice.size:,} nodes; there may be one.",
                "Raise time_limit or suppression_limit, or weaken the requirements.",
            )
        if found.node is None:
            raise self.refuse(lattice)

    def search(
        self, table: Table, require: Sequence[Requirement], *, progress: Progress | None = None
    ) -> tuple[Lattice, Found]:
        """Find the best node, and how far it is proven to be the best."""
        table = self.weigh(table)
        lattice = self.lattice(table, require, self.scored)
        if lattice.size > LARGEST and self.time_limit is None:
            tallest = max(table.trees, key=lambda column: column.hierarchy.height)
            raise ParameterError(
                f"The lattice has {lattice.size:,} nodes, too many to prove the best one without "
                "a time limit.",
                "Set time_limit (seconds), use fewer columns, or give hierarchies fewer levels; "
                f"'{tallest.name}' has most, {tallest.hierarchy.height + 1}.",
            )
        objective = OBJECTIVES[self.scored]
        found = find_optimum(
            lattice,
            objective,
            mean_losses(table, table.trees, objective),
            _shares([column.weight for column in table.quasi]),
            most=self.most(table),
            monotone=self.monotone(table, require),
            deadline=None if self.time_limit is None else time.monotonic() + self.time_limit,
            report=None
            if progress is None
            else lambda share: progress(int(share * table.n_rows), table.n_rows),
        )
        if progress:
            progress(table.n_rows, table.n_rows)
        return lattice, found


def _shares(weights: Sequence[float]) -> npt.NDArray[np.float64]:
    return np.array(weights, dtype=np.float64) / sum(weights)
