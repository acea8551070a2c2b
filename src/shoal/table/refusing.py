"""What is refused of columns that are not quasi-identifiers: rows of nobody, and bare values."""

from __future__ import annotations

from shoal.base.plural import counted
from shoal.errors import InputError, SchemaError
from shoal.io.frames import Coded
from shoal.table.schema import Schema, is_missing, known_texts


def require_entity(table: Coded, schema: Schema) -> None:
    """Refuse rows that belong to nobody, where people are counted."""
    if schema.entity is None:
        return
    found = table[schema.entity]
    missing = is_missing(found.values, schema.missing_of(schema.entity)).to_numpy()
    require_people(schema.entity, int(found.counts[missing].sum()))


def require_people(entity: str, absent: int) -> None:
    """Refuse rows whose person is missing, if there are any."""
    if absent:
        raise InputError(
            f"The entity column '{entity}' is missing in {counted(absent, 'row')}.",
            "People cannot be counted without it: fill it, or remove those rows.",
        )


def require_levels(table: Coded, schema: Schema) -> None:
    """Refuse values of a sensitive column without a level, where it has levels."""
    for name in schema.sensitive:
        levels = schema[name].levels
        if levels is None:
            continue
        held = _distinct(table, schema, name)
        bare = held - set(levels)
        if not bare:
            continue
        unused = len(set(levels) - held)
        problem = f"The levels of column '{name}' miss {len(bare)} of {len(held)} values"
        problem += ", among them the missing one." if "" in bare else "."
        hint = (
            'Give the missing value a level under the empty name: "" = 3, or ;3 in a file.'
            if bare == {""}
            else 'Give each value a level from 1 (most sensitive) on; "" is the missing value.'
        )
        if unused:
            hint += (
                f" {counted(unused, 'level is', 'levels are')} of values that do not "
                "occur: check the spelling."
            )
        raise SchemaError(problem, hint)


def require_degrees(table: Coded, schema: Schema) -> None:
    """Refuse degrees of a sensitive column none of which is of a value that occurs."""
    for name in schema.sensitive:
        degrees = schema[name].degrees
        if degrees and not _distinct(table, schema, name) & set(degrees):
            raise SchemaError(
                f"None of the {len(degrees)} values with a degree occurs in column '{name}'.",
                "Check the spelling; of a column with a hierarchy, name its published nodes.",
            )


def _distinct(table: Coded, schema: Schema, name: str) -> set[str]:
    """List the texts of a column, with the empty one if a cell is missing."""
    known = known_texts(table[name].values, schema.missing_of(name))
    return {text or "" for text in known.unique()}
