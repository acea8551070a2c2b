"""Columns published unchanged that differ from row to row, so that a value identifies a row."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.io.frames import Coded
from shoal.judging.remarks.seen import Seen, numbers_in
from shoal.table.schema import Role, Schema

NEAR_UNIQUE = 0.4
"""Different values per row from which a column points at single rows."""

SMALL_TABLE_ROWS = 20
"""In a shorter table only a column without any repeat is near-unique."""

_CATEGORY_VALUES = 8


def is_near_unique(rows: int, known: int, distinct: int) -> bool:
    """Say whether nearly every row has a value of its own."""
    if rows < SMALL_TABLE_ROWS:
        return distinct == known >= 3
    return known > 0 and distinct / known > NEAR_UNIQUE and distinct > _CATEGORY_VALUES


def near_unique(table: Coded, schema: Schema, seen: Mapping[str, Seen]) -> list[str]:
    """Remark on ``other`` columns of any kind, and on sensitive numbers."""
    made = []
    for name in schema.untouched:
        found, role = seen[name], schema[name].role
        if not is_near_unique(found.rows, found.known, found.distinct):
            continue
        if role is Role.OTHER:
            made.append(
                f"Column '{name}' (other) is published unchanged, and nearly every row has "
                "its own value: an attacker who knows a person's value finds the row. Make "
                "it a quasi-identifier or an identifier."
            )
        elif found.rows >= SMALL_TABLE_ROWS and numbers_in(
            table.cells(name), schema.missing_of(name)
        ):
            made.append(
                f"Column '{name}' (sensitive) holds numbers, and nearly every row has its "
                "own: an attacker who knows a person's number finds the row, and shares of "
                "values mean little. Give the column a hierarchy, so that it is published in "
                "ranges."
            )
    return made
