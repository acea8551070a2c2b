"""Incognito: all minimal nodes, then the one of least loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.methods.lattice._minimal import MinimalMethod, minimal_nodes
from shoal.models import Requirement
from shoal.table import Table


@dataclass(frozen=True)
class Incognito(MinimalMethod):
    """Find all minimal generalizations that hold, and take the one of least objective.

    A node is minimal if it holds and nothing below it does. With suppression the best node need
    not be minimal, so `FullDomain` may find a better one; choose this to see all minimal ones
    (`nodes`).

    Parameters
    ----------
    objective
        What decides among the minimal nodes, as in `FullDomain`.
    weights, label, suppression_limit
        As in `FullDomain`.

    Notes
    -----
    The paper builds the lattice up from subsets of the attributes; here nodes are pruned by
    those above them, which finds the same ones.

    Examples
    --------
    >>> import shoal
    >>> from shoal.table import Table
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "sex": shoal.quasi(), "disease": shoal.sensitive(),
    ...     "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=20)),
    ...     "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> table = Table.encode(shoal.datasets.patients(1), schema)
    >>> shoal.Incognito(suppression_limit=0).nodes(table, [shoal.KAnonymity(2)])
    [{'sex': 0, 'age': 3, 'zip': 2}, {'sex': 1, 'age': 1, 'zip': 3}]

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan: Incognito: efficient full-domain k-anonymity, SIGMOD 2005.
    """

    name: ClassVar[str] = "incognito"
    find = staticmethod(minimal_nodes)

    def describe(self) -> str:
        return f"Incognito: the minimal node of least {self.aim}"

    def nodes(self, table: Table, require: Sequence[Requirement]) -> list[dict[str, int]]:
        """List all minimal nodes: a level per column."""
        _, found = self.minimal(table, require)
        names = [column.name for column in table.quasi]
        return [dict(zip(names, levels, strict=True)) for levels in found]
