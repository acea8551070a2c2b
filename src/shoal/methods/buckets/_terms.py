"""Requirements on one sensitive column as plain numbers: what limits a class, term by term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.base.arrays import Ints
from shoal.errors import ParameterError
from shoal.models import LeveledAlphaK, Requirement, ShareBounds
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.share_limits import required_size, share_limits
from shoal.table import Table


@dataclass(frozen=True, eq=False)
class Terms:
    """The sensitive column, and the shares that its values, or sets of them, may have.

    - ``column``: its name.
    - ``codes``: its value in each row, as a code.
    - ``k``: how many people a class must hold.
    - ``level``: the level of each value, 1 being the most sensitive; ``None`` if levels do not
      matter.
    - ``terms``: values × terms: what a row of a value counts for. First the value itself, then its
      level if levels matter, then the sets of values that are bounded together.
    - ``shares``: the largest share of each term, exact for classes of up to as many rows as there
      are.
    """

    column: str
    codes: Ints
    k: int
    level: Ints | None
    terms: Ints
    shares: tuple[Fraction, ...]


def terms_of(
    table: Table, require: Sequence[Requirement], *, leveled: bool = False, method: str = ""
) -> Terms:
    """Read what the requirements ask of one sensitive column.

    ``leveled``: whether values need levels: those of a requirement that tells, or else of the
    schema. ``method``: what to call the method in a message.
    """
    limits = share_limits(table, require)
    names = list(dict.fromkeys(each.column for each in limits))
    if not names and not leveled:
        raise ParameterError(
            f"The method '{method}' needs a limit on the shares of sensitive values.",
            "Require AlphaK, or use a method that needs only k: gaa-cp.",
        )
    if len(names) > 1:
        raise ParameterError(
            f"The method '{method}' groups by one sensitive column, but the requirements "
            f"limit {', '.join(repr(name) for name in names)}.",
            "Limit one of them, or use a method that carries any requirement: gaa-cp.",
        )
    graded = next((each for each in limits if each.levels is not None), None)
    if leveled and graded is None:
        graded = _of_schema(table, names, method)
        names = names or [graded.column]
    (name,) = names
    column = table.sensitive[name]
    shares = [Fraction(1)] * column.size
    columns = [np.arange(column.size)]
    level = None
    if leveled and graded is not None and graded.levels is not None:
        level = graded.levels
        _add(columns, shares, level - 1, [Fraction(1)] * int(level.max()))
    for each in limits:
        if len(np.unique(each.sets)) == column.size:  # every value by itself
            for v, which in enumerate(each.sets.tolist()):
                shares[v] = min(shares[v], each.largest[which])
        else:
            _add(columns, shares, each.sets, each.largest)
    return Terms(
        name,
        column.codes,
        required_size(require),
        level,
        np.stack(columns, axis=1).astype(np.int64),
        tuple(shares),
    )


def _of_schema(table: Table, named: list[str], method: str) -> ShareBounds:
    """Take the levels of the schema, as limits that limit nothing."""
    names = [n for n in named or table.schema.sensitive if table.schema[n].levels]
    if len(names) != 1:
        problem = "has none" if not names else "has several columns with levels"
        raise ParameterError(
            f"The method '{method}' needs levels of sensitivity, and the schema {problem}.",
            "Require LeveledAlphaK with levels, or give one sensitive column levels; if all "
            "values are equally sensitive, use the method gca.",
        )
    levels = dict(table.schema[names[0]].levels or {})
    graded = LeveledAlphaK(levels, [1] * max(levels.values()), 2, column=names[0])
    return graded.shares(one_group(table, [graded]))[0]


def _add(
    columns: list[Ints], shares: list[Fraction], sets: Ints, limits: Sequence[Fraction]
) -> None:
    """Add a term per set of values; sets that are there already get the smaller share."""
    for column in columns[1:]:
        if np.array_equal(column - column.min(), sets - sets.min()):
            begin = int(column[0] - sets[0])
            for each in np.unique(sets).tolist():
                shares[begin + each] = min(shares[begin + each], limits[each])
            return
    columns.append(sets + len(shares))
    shares += limits
