"""Points of a table: where its rows lie, how many lie there, and in which order they come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.cells import texts
from shoal.engines.blocks.cutting import Axis
from shoal.kernels.collapse import collapse
from shoal.table import Table


def canonical_order(table: Table) -> npt.NDArray[np.intp]:
    """Put rows in order: by quasi-identifiers, people, sensitive values and other published cells.

    Rows that are equal in all of these are published alike, so which comes first does not matter:
    the release of a table does not depend on the order of its rows, wherever they lie.
    """
    keys: list[npt.NDArray[Any]] = [column.codes for column in table.quasi]
    if table.people is not None:
        keys.append(table.people)
    keys += [column.codes for column in (*table.sensitive.values(), *table.private.values())]
    for name in table.schema.untouched:
        if name not in table.schema.sensitive and name in table.coded.columns:
            found = table.coded[name]
            ranks = texts(found.values).rank("dense").fill_null(0).to_numpy()
            keys.append(ranks[found.codes])
    return np.argsort(collapse(keys, [int(key.max(initial=0)) + 1 for key in keys]), kind="stable")


@dataclass(frozen=True)
class Points:
    """The points of a table."""

    axes: tuple[Axis, ...]
    """Where each point lies, column by column."""
    weights: npt.NDArray[np.int64]
    """How many rows lie at each."""
    of_row: npt.NDArray[np.intp]
    """The point of each row."""

    @classmethod
    def of(cls, table: Table) -> Points:
        """Find the points of a table in canonical order.

        Rows of equal codes are a point. Where people are told apart, all rows of a person lie at
        the mean of them, and people of equal means are a point.
        """
        axes = [Axis.of(column) for column in table.quasi]
        if table.people is None:
            new = np.zeros(table.n_rows, dtype=np.bool_)
            new[:1] = True
            for axis in axes:
                new[1:] |= axis.codes[1:] != axis.codes[:-1]
            at = np.cumsum(new) - 1
            first = np.flatnonzero(new)
            own = tuple(axis._replace(codes=axis.codes[first]) for axis in axes)
            return cls(own, np.bincount(at), at)
        _, who = np.unique(table.people, return_inverse=True)
        who = who.reshape(-1)
        rows = np.bincount(who)
        sums = [np.bincount(who, axis.at(np.arange(len(who)))) for axis in axes]
        keys = np.stack([*(each.astype(np.int64) for each in sums), rows], axis=1)
        different, at = np.unique(keys, axis=0, return_inverse=True)
        at = at.reshape(-1)
        weights = np.bincount(at, rows).astype(np.int64)
        return cls(mean_axes(different), weights, at[who])

    def rows_at(self, points: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """List the rows that lie at some points."""
        wanted = np.zeros(len(self.weights), dtype=np.bool_)
        wanted[points] = True
        return np.flatnonzero(wanted[self.of_row])


def mean_axes(keys: npt.NDArray[np.int64]) -> tuple[Axis, ...]:
    """Place people at the mean of their rows.

    `keys`: a row for each point: the sum of the places of a person's rows in each column, and how
    many rows there are.
    """
    made = []
    for sums in keys[:, :-1].T:
        means, codes = np.unique(sums / keys[:, -1], return_inverse=True)
        made.append(Axis(means, codes.reshape(-1)))
    return tuple(made)
