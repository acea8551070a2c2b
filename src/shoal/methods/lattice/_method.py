"""What the methods share that choose one level per attribute for the whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod
from typing import Any, ClassVar, Self

from shoal.base.limits import number
from shoal.errors import InfeasibleError, ParameterError
from shoal.methods.base import USUAL_LIMIT, OwnMethod, Progress
from shoal.methods.lattice._lattice import Lattice
from shoal.methods.lattice._losses import OBJECTIVES, costs_of, leaf_counts, score_of
from shoal.methods.lattice._optimum import Found
from shoal.methods.lattice._snapshots import Levels
from shoal.models import Requirement
from shoal.models.exact.shares import allowed, rounded_up
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.indistinguishable import unions_hold
from shoal.table import Table

SEARCHED_NODES = 5_000_000
"""The most nodes of a lattice that is searched to its end."""

TRIED = 200
"""How many nodes are looked at to say how many rows would have to be suppressed."""


class LatticeMethod(OwnMethod):
    """A method whose groups are the classes of a node of the lattice."""

    suppression_limit: float | None
    limits: ClassVar = {**OwnMethod.limits, "suppression_limit": number("[0, 1]", "0.05 is usual.")}
    numbers = "tree"
    one_level: ClassVar[bool] = True
    counts_population: ClassVar[bool] = True
    by_points: ClassVar[bool] = True
    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True

    @property
    def fixed(self) -> str | None:
        """One level per column is the point of these methods."""
        return "every column has one level in all rows"

    @property
    def limit(self) -> float:
        """The largest share of rows that may be suppressed."""
        return USUAL_LIMIT if self.suppression_limit is None else self.suppression_limit

    def most(self, table: Table) -> int:
        """Say how many rows may be suppressed."""
        return allowed(self.limit, table.total_rows)

    def suppressing(self, limit: float | None) -> Self:
        """Search under the limit of the publication."""
        return replace(self, suppression_limit=limit)  # type: ignore[type-var]

    def suppressing_at_most(self, rows: int, table: Table) -> Self:
        """Search with the limit that allows so many rows of a table."""
        if self.most(table) == rows:
            return self
        # A half more: whatever rounding does, it is this number of rows.
        return self.suppressing(min((rows + 0.5) / table.total_rows, 1.0))

    def one_group(self, table: Table, require: Sequence[Requirement]) -> Grouping | None:
        """Take every column at its top level."""
        lattice = lattice_of(table, require, "height")
        return self.grouping_at(lattice, lattice.full)

    def monotone(self, table: Table, require: Sequence[Requirement]) -> bool:
        """Say whether a node suppresses at least the rows that nodes above it do.

        That is so if no part of a failing class holds. If nothing may be suppressed, it is enough
        that classes which hold do so together: a node that fails then fails below, too.
        """
        if all(each.monotone_in_rows for each in require):
            return True
        return self.most(table) == 0 and unions_hold(table, require)

    def grouping_at(
        self,
        lattice: Lattice,
        levels: Levels,
        objective: str | None = None,
        found: Found | None = None,
    ) -> Grouping:
        """Label the classes of a node, and say how it was found.

        ``objective``: what the node was chosen by. ``found``: what a search proved of it; without
        it, nothing is.
        """
        names = [column.name for column in lattice.table.quasi]
        chosen = dict(zip(names, levels, strict=True))
        search: dict[str, Any] = {
            "objective": objective,
            "rows": lattice.table.total_rows,
            "optimal": found is not None and found.optimal,
            "score": None,
            "gap": None,
            "looked_at": lattice.evaluated,
            "lattice": lattice.size,
            "levels": chosen,
            "heights": dict(zip(names, lattice.full, strict=True)),
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
        search |= self.search_facts(lattice.table)
        return replace(lattice.grouping(levels), levels=chosen, search=search)

    def search_facts(self, table: Table) -> dict[str, Any]:
        """Say what more there is to say of a search of a table."""
        return {}

    def refuse(self, lattice: Lattice) -> InfeasibleError:
        """Say that no node holds, what fails even at the top, and what would do."""
        table = lattice.table
        whole = one_group(table, lattice.require)
        failing = [each.describe() for each in lattice.require if not each.judge(whole).passed]
        why = (
            "even with every column at its top level, where all rows are one class, these "
            f"fail: {'; '.join(failing)}"
            if failing
            else f"no node leaves at most {self.most(table)} rows in failing classes"
        )
        weaken = "Weaken the requirements"
        if lattice.size < prod(height + 1 for height in lattice.full):
            why += ", with the levels that are allowed"
            weaken = "Allow other levels, weaken the requirements"
        ends = zip(lattice.lowest, lattice.heights, strict=True)
        every = product(*(range(high, low - 1, -1) for low, high in ends))
        tried = [lattice.node_at(levels).suppressed for levels in islice(every, TRIED)]
        least = min(tried)
        hint = f"{weaken.replace(', w', ', or w')}."
        rows = table.total_rows
        if least < rows:
            which = (
                "the least of all nodes"
                if len(tried) == lattice.size
                else f"the least of {TRIED} nodes"
            )
            hint = (
                f"{weaken}, or raise suppression_limit to "
                f"{rounded_up(least, rows)}: {least} of {rows} rows "
                f"({which})."
            )
        return InfeasibleError(
            "No generalization meets the requirements with at most "
            f"{self.limit:.1%} of the rows suppressed: {why}.",
            hint,
        )


def lattice_of(
    table: Table,
    require: Sequence[Requirement],
    objective: str,
    *,
    pinned: bool = False,
    box: tuple[Levels, Levels] | None = None,
) -> Lattice:
    """Set a lattice up with what an objective's cells cost; see `Lattice`."""
    how = OBJECTIVES[objective]
    counts = leaf_counts(table)
    bases = None if how.base is None else [how.base(each) for each in counts]
    costs = costs_of(table, how, counts)
    return Lattice(table, require, costs, bases, pinned=pinned, box=box)


def require_searchable(lattice: Lattice, hint: str) -> None:
    """Refuse a lattice that would never be searched to its end (raises `ParameterError`)."""
    if lattice.size <= SEARCHED_NODES:
        return
    tallest = max(lattice.columns, key=lambda column: column.hierarchy.height)
    raise ParameterError(
        f"The lattice has {counted(lattice.size)} nodes, too many to examine all of them.",
        f"{hint}, use fewer columns, or give hierarchies fewer levels; '{tallest.name}' has "
        f"the most, {tallest.hierarchy.height + 1}.",
    )


def counted(nodes: int) -> str:
    """Write how many nodes there are, so that people can read it.

    Examples
    --------
    >>> counted(5_000_000), counted(2**64), counted(2**4000)
    ('5,000,000', 'about 10^19', 'about 10^1204')
    """
    return f"{nodes:,}" if nodes < 10**15 else f"about 10^{int(nodes.bit_length() * 0.30103)}"


def in_rows(progress: Progress | None, table: Table) -> Callable[[float], None]:
    """Report shares of the work as rows of a table."""
    rows = table.total_rows

    def report(share: float) -> None:
        if progress:
            progress(int(share * rows), rows)

    return report
