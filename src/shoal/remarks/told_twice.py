"""Columns that say the same under different roles, such as a wage and its logarithm."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import polars as pl

from shoal.frames import Coded
from shoal.remarks.numbers import as_numbers
from shoal.remarks.seen import Seen
from shoal.remarks.twins import find_twins
from shoal.schema import Schema

__all__ = ["rise_together", "told_twice"]

_SAMPLE = 2_000
_FEWEST = 20  # different numbers; fewer may rise together by chance


def told_twice(table: Coded, schema: Schema, seen: Mapping[str, Seen]) -> list[str]:
    """Remark on pairs of columns of which one would undo what is done to the other."""
    missing = {name: schema.missing_of(name) for name in schema}
    twins = find_twins(table, {name: seen[name].distinct for name in schema}, missing)
    open_ = set(schema.untouched)
    made = []
    for a, b in combinations(schema, 2):
        if schema[a].role is schema[b].role or not {a, b} & open_:
            continue
        if b in twins.get(a, ()) or _same_numbers(table, a, b, schema, seen):
            shown = [name for name in (a, b) if name in open_]
            tells = (
                f"'{shown[0]}' is published as it is, which undoes what is done to the other"
                if len(shown) == 1
                else "both are published, so that what protects the one is undone by the other"
            )
            made.append(
                f"Columns '{a}' ({schema[a].role}) and '{b}' ({schema[b].role}) say the same in "
                f"other words, and {tells}. Give both one role, or make one an identifier."
            )
    return made


def _same_numbers(table: Coded, a: str, b: str, schema: Schema, seen: Mapping[str, Seen]) -> bool:
    few, many = sorted((seen[a].distinct, seen[b].distinct))
    if few < _FEWEST or 2 * few < many:
        return False
    for rows in (_SAMPLE, table.height):
        read = [as_numbers(table.cells(n).head(rows), schema.missing_of(n)) for n in (a, b)]
        if read[0] is None or read[1] is None or not rise_together(read[0], read[1]):
            return False
    return True


def rise_together(a: pl.Series, b: pl.Series) -> bool:
    """Say whether numbers are in the same order, or in the opposite one, wherever both are known.

    Examples
    --------
    >>> wage = pl.Series(range(1, 100)).cast(pl.Float64)
    >>> rise_together(wage, wage.log()), rise_together(wage, -wage)
    (True, True)
    >>> rise_together(wage, wage.shuffle(seed=1))
    False
    """
    both = pl.DataFrame([a.alias("a"), b.alias("b")]).drop_nulls()
    if 2 * both.height < len(a) or min(both["a"].n_unique(), both["b"].n_unique()) < _FEWEST:
        return False
    return any(
        bool(both.select("a", b=sign * pl.col("b")).sort("a", "b")["b"].is_sorted())
        for sign in (1, -1)
    )
