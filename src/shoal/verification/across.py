"""Does everyone stand among the same values in two releases? Recounted from published tables."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from shoal.cells import texts
from shoal.plural import counted
from shoal.published import Published
from shoal.schema import Schema
from shoal.verification.counting import values_of
from shoal.verification.result import Finding

__all__ = ["Signature", "same_signatures", "signatures"]

Signature = frozenset[str | None]
"""The different values that a class shows; ``None`` is the missing one."""


def signatures(
    published: Published, people: pl.Series, schema: Schema, column: str
) -> dict[str, Signature]:
    """Say among which values of a sensitive column each person stands.

    Parameters
    ----------
    people
        The name of the person of each published row (of several tables: of ``quasi``).

    Examples
    --------
    >>> quasi = pl.DataFrame({"age": [30, 41, 50], "class": [1, 1, 2]})
    >>> ill = pl.DataFrame({"class": [1, 1, 2, 2], "ill": ["flu", "HIV", "flu", "cold"]})
    >>> made = Published.read({"quasi": quasi, "sensitive": ill})
    >>> names = pl.Series(["ann", "bob", "eve"])
    >>> sorted(signatures(made, names, Schema({"age": "quasi", "ill": "sensitive"}), "ill")["eve"])
    ['cold', 'flu']
    """
    if published.linked:
        table = published.secrets[column]
        ids, classes, values = published.ids, table.ids, table.values
    else:
        classes = ids = texts(published.equal_cells(schema.quasi))
        values = published.frame[column]
    shown: dict[str | None, set[str | None]] = {}
    for each, value in zip(classes, values_of(values, schema, column), strict=True):
        shown.setdefault(each, set()).add(value)
    frozen = {each: frozenset(found) for each, found in shown.items()}
    return {name: frozen.get(each, frozenset()) for name, each in zip(people, ids, strict=True)}


def same_signatures(now: Mapping[str, Signature], before: Mapping[str, Signature]) -> Finding:
    """Compare the values around everyone who is in both; how many these are is not public."""
    both = [name for name in now if name in before]
    strange = sum(now[name] != before[name] for name in both)
    rest = sum(len(now[name] & before[name]) < len(before[name]) for name in both)
    detail = "the same as in earlier releases for everyone who was in one"
    if strange:
        detail = (
            f"other than in an earlier release for {counted(strange, 'person', 'people')}, with "
            f"fewer that both show for {rest}"
        )
    return Finding("values around people", not strange, detail)
