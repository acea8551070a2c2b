"""Compare a published table with its original, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import STAR, parse_interval, parse_set, shown, texts
from shoal.hierarchies import Hierarchy
from shoal.plural import counted
from shoal.schema import Kind, Schema, is_missing
from shoal.table.table import resolve, to_numbers
from shoal.verification.result import Finding

__all__ = ["compare", "untouched"]

_SHOWN, _TRUE = "shown", "true"


def compare(
    published: pl.DataFrame, original: pl.DataFrame, schema: Schema, rows: npt.NDArray[np.int64]
) -> Finding:
    """Check, row by row, that cells cover their originals."""
    schema = resolve(original, schema)
    uncovered = {
        name: _uncovered(published[name], original[name], schema, rows) for name in schema.quasi
    }
    bad = {name: count for name, count in uncovered.items() if count}
    listed = ", ".join(f"'{name}' in {counted(count, 'row')}" for name, count in bad.items())
    return Finding(
        "cells cover their originals", not bad, f"not in column {listed}" if bad else "all of them"
    )


def untouched(
    published: pl.DataFrame, original: pl.DataFrame, schema: Schema, rows: npt.NDArray[np.int64]
) -> list[Finding]:
    """Check, row by row, that columns besides the quasi-identifiers are as they were."""
    return [
        _same_values(published[name], original[name].gather(rows))
        for name in schema.untouched
        if name in published.columns
    ]


def _uncovered(
    published: pl.Series, original: pl.Series, schema: Schema, rows: npt.NDArray[np.int64]
) -> int:
    """Count the rows whose published cell does not cover the original one."""
    name = original.name
    mask = is_missing(original, schema.missing_of(name))
    numeric = schema[name].kind is Kind.NUMERIC
    true = to_numbers(original, mask) if numeric else texts(original).set(mask, None)
    pairs = pl.DataFrame({_SHOWN: shown(published), _TRUE: true.gather(rows)})
    covers = _in_interval() if numeric else _under_node(schema[name].hierarchy)
    return sum(
        alike
        for cell, value, alike in pairs.group_by(_SHOWN, _TRUE).len().iter_rows()
        # * covers everything, and a missing cell may only be published as *
        if cell != STAR and (value is None or not covers(cell, value))
    )


def _in_interval() -> Callable[[str, Any], bool]:
    read = cache(parse_interval)

    def covers(text: str, value: float) -> bool:
        interval = read(text)
        if interval is None:
            return False
        lo, hi = interval.lo, interval.hi
        if isinstance(value, float):  # its shortest text need not be its exact value
            lo, hi = float(lo), float(hi)
        return lo <= value and (value < hi or (value == hi and not interval.open_end))

    return covers


def _under_node(hierarchy: object) -> Callable[[str, Any], bool]:
    """Walk up from each value: is the published label on its way to the root?

    A label that the tree does not have may be a set of values, with the value among them.
    """
    assert isinstance(hierarchy, Hierarchy)
    numbers = {label: node for node, label in enumerate(hierarchy.labels)}

    @cache
    def way(leaf: str) -> set[str]:
        node, passed = numbers.get(leaf, -1), {leaf}
        while node >= 0:
            passed.add(hierarchy.labels[node])
            node = int(hierarchy.parent[node])
        return passed

    @cache
    def values(text: str) -> frozenset[str]:
        return frozenset() if text in numbers else frozenset(parse_set(text) or ())

    return lambda label, value: label in way(value) or value in values(label)


def _same_values(published: pl.Series, expected: pl.Series) -> Finding:
    """Compare an untouched column row by row; a missing cell may be a null or an empty text."""
    shown, wanted = texts(published).fill_null(""), texts(expected).fill_null("")
    wrong = int((shown != wanted).sum())
    detail = (
        counted(wrong, "value differs", "values differ")
        if wrong
        else "unchanged but for rows not published"
    )
    return Finding(f"values of '{published.name}'", wrong == 0, detail)
