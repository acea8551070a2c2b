"""The sensitive column whose values have levels, for the measures that need one."""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Ints
from shoal.errors import ParameterError
from shoal.measures._pairs import Pair, require_pair
from shoal.table.levels import levels_of


class Graded(NamedTuple):
    """A sensitive column read as levels."""

    name: str
    levels: Ints
    """The level of each published row's value; 1 is the most sensitive."""
    n_levels: int
    """How many levels the column's domain has: the largest one in the schema."""


def graded(pair: Pair) -> Graded:
    """Find the one sensitive column with levels, and the level of each published row.

    Refused if no column or several have levels, or a value has none (raises `ParameterError`).
    """
    require_pair(pair)
    schema = pair.table.schema
    named = [name for name in schema.sensitive if schema[name].levels]
    if len(named) != 1:
        raise ParameterError(
            "No sensitive column has levels."
            if not named
            else f"{len(named)} sensitive columns have levels, and the measure reads one.",
            "Give the levels of one column: shoal.sensitive(levels={…}), 1 the most sensitive.",
        )
    name = named[0]
    levels = schema[name].levels or {}
    column = pair.table.sensitive[name]
    of_code = levels_of(column.labels, levels, f"values of '{name}'")
    return Graded(name, of_code[column.codes[pair.recoded.rows]], max(levels.values()))
