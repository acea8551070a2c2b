"""Does everyone stand among the same values in two releases? Recounted from published tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from shoal.base.arrays import Ints
from shoal.base.plural import counted
from shoal.judging.verification.counting import values_of
from shoal.judging.verification.result import Finding
from shoal.publications.published import Published
from shoal.table.schema import Schema

Signature = frozenset[str | None]
"""The different values that a class shows; ``None`` is the missing one."""


def signatures(
    published: Published,
    people: pl.Series,
    schema: Schema,
    column: str,
    *,
    groups: Ints | None = None,
) -> dict[str, Signature]:
    """Say among which values of a sensitive column each person stands.

    ``people`` names the person of each published row but counterfeits (of several tables: of
    ``quasi``). Of one table, ``groups`` is the class of each row, as the private folder says; rows
    that show other cells are of another class, whatever it says. Without it, rows of equal cells
    are a class.
    """
    shown: dict[Any, set[str | None]] = {}
    classes, ids, values = _classes(published, schema, column, groups)
    for each, value in zip(classes, values, strict=True):
        shown.setdefault(each, set()).add(value)
    frozen = {each: frozenset(found) for each, found in shown.items()}
    return {name: frozen.get(each, frozenset()) for name, each in zip(people, ids, strict=True)}


def _classes(
    published: Published, schema: Schema, column: str, groups: Ints | None
) -> tuple[Sequence[Any], Sequence[Any], pl.Series]:
    """Give the class of each value, that of each person, and the values."""
    if published.linked:
        table = published.value_tables[column]
        return table.ids, published.ids, values_of(table.values, schema, column)  # type: ignore[return-value]
    cells = published.equal_cells(schema.quasi).to_list()
    own = cells if groups is None else groups.tolist()
    classes = list(zip(cells, own, strict=True))
    added = published.counterfeit_rows
    held = classes
    if added is not None:
        held = [each for each, nobody in zip(classes, added, strict=True) if not nobody]
    return classes, held, values_of(published.frame[column], schema, column)


def hidden_classes(
    published: Published, schema: Schema, column: str, groups: Ints, *, m: int
) -> Finding:
    """Ask whether the classes of one table, which readers are not told, show m values, each once.

    ``groups`` is the class of each row, as the private folder says.

    Examples
    --------
    >>> import numpy as np
    >>> frame = pl.DataFrame({"age": ["30"] * 4, "ill": ["flu", "HIV", "flu", "HIV"]})
    >>> schema = Schema({"age": "quasi", "ill": "sensitive"})
    >>> made, classes = Published.read(frame), np.array([[0, 0, 1, 1], [0, 1, 0, 1]])
    >>> [hidden_classes(made, schema, "ill", each, m=2).passed for each in classes]
    [True, False]
    """
    held: dict[Any, list[str | None]] = {}
    classes, _, values = _classes(published, schema, column, groups)
    for each, value in zip(classes, values, strict=True):
        held.setdefault(each, []).append(value)
    wrong = sum(len(found) < m or len(set(found)) < len(found) for found in held.values())
    problem = f"{wrong} of {len(held)} show fewer than {m} values or repeat one"
    fine = f"each shows {m} or more values, each value once"
    return Finding.of("classes that are not named", wrong, problem, fine)


def same_signatures(now: Mapping[str, Signature], before: Mapping[str, Signature]) -> Finding:
    """Compare the values around everyone who is in both; how many these are is not public."""
    both = [name for name in now if name in before]
    strange = sum(now[name] != before[name] for name in both)
    rest = sum(len(now[name] & before[name]) < len(before[name]) for name in both)
    problem = (
        f"different from an earlier release for {counted(strange, 'person', 'people')}, "
        f"with fewer values in common for {rest}"
    )
    fine = "the same as in earlier releases for everyone in them"
    return Finding.of("values around people", strange, problem, fine)
