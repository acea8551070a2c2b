"""The population that a table was drawn from: its quasi-identifiers, a row for each person."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.plural import counted
from shoal.errors import HierarchyError, InputError, SchemaError, ShoalError, did_you_mean
from shoal.io.frames import Coded, smallest, to_coded
from shoal.table.hierarchies import Hierarchy
from shoal.table.numbers import column_texts
from shoal.table.schema import Schema


@dataclass(frozen=True, eq=False)
class Population:
    """People as leaves of the trees of a table's quasi-identifiers.

    ``codes``: per quasi-identifier the leaf of each person; as in the tree of the table's own
        column, the number of leaves means missing.
    ``n_rows``: how many people there are.

    >>> import shoal
    >>> people = Coded(pl.DataFrame({"sex": ["f", "m", None]}))
    >>> schema = shoal.Schema({"sex": shoal.quasi(hierarchy=Hierarchy.flat(["f", "m"]))})
    >>> Population.encode(people, schema).codes["sex"].tolist()
    [0, 1, 2]
    """

    codes: Mapping[str, npt.NDArray[np.integer[Any]]]
    n_rows: int

    @classmethod
    def encode(cls, people: Coded, schema: Schema) -> Population:
        """Encode the quasi-identifiers by the schema's trees; refuse values that these miss."""
        return cls({name: _leaves(people, schema, name) for name in schema.quasi}, people.height)

    def without(self, names: Collection[str]) -> Population:
        """Forget some columns."""
        kept = {name: codes for name, codes in self.codes.items() if name not in names}
        return Population(kept, self.n_rows)


def population_of(data: Any, schema: Schema) -> Coded:
    """Take the quasi-identifiers of a population from any frame.

    Raises `InputError` or `SchemaError` if it has no rows, or lacks a quasi-identifier.
    """
    try:
        people = to_coded(data)
    except ShoalError as error:
        raise error.about("The population") from None
    lacking = [name for name in schema.quasi if name not in people.columns]
    if lacking:
        others = len(lacking) - 1
        more = f", nor {counted(others, 'other quasi-identifier')}" if others else ""
        raise SchemaError(
            f"The population has no column '{lacking[0]}'{more}.",
            f"{did_you_mean(lacking[0], people.columns)} The population's columns must have "
            "the same names as in the table.",
        )
    if people.height == 0:
        raise InputError("The population has no rows.", "Give a row for each person.")
    return people.only(schema.quasi)


def people_texts(people: Coded, schema: Schema, name: str) -> pl.Series:
    """Give the different values of a column of the population as texts: see `column_texts`."""
    try:
        return column_texts(people, schema, name)
    except ShoalError as error:
        raise error.about("The population") from None


def _leaves(people: Coded, schema: Schema, name: str) -> npt.NDArray[np.integer[Any]]:
    found, tree = people[name], schema[name].hierarchy
    assert isinstance(tree, Hierarchy)
    known = people_texts(people, schema, name)
    leaves = pl.Series(tree.leaves, dtype=pl.String).implode()
    strange = (known.is_not_null() & ~known.is_in(leaves)).to_numpy()
    if strange.any():
        rows = int(found.counts[strange].sum())
        raise HierarchyError(
            f"The hierarchy of column '{name}' misses {int(strange.sum())} of "
            f"{known.drop_nulls().n_unique()} values of the population, in {counted(rows, 'row')}.",
            "Add them to the hierarchy as leaves, or let a builder make it.",
        )
    codes = tree.codes(known)
    codes[codes < 0] = tree.n_leaves
    return codes.astype(smallest(tree.n_leaves))[found.codes]
