"""Compare a published table with its original, cell by cell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import STAR, parse_interval, shown, texts
from shoal.hierarchies import Hierarchy
from shoal.plural import counted
from shoal.schema import Kind, Schema, is_missing
from shoal.table.table import resolve, to_numbers
from shoal.verification.result import Finding

__all__ = ["compare"]

_SHOWN, _TRUE = "shown", "true"


def compare(
    published: pl.DataFrame, original: pl.DataFrame, schema: Schema, rows: npt.NDArray[np.int64]
) -> list[Finding]:
    """Check, row by row, that cells cover their originals and that other columns are untouched."""
    schema = resolve(original, schema)
    uncovered = {
        name: _uncovered(published[name], original[name], schema, rows) for name in schema.quasi
    }
    bad = {name: count for name, count in uncovered.items() if count}
    listed = ", ".join(f"'{name}' in {counted(count, 'row')}" for name, count in bad.items())
    findings = [
        Finding(
            "cells cover their originals",
            not bad,
            f"not in column {listed}" if bad else "all of them",
        )
    ]
    for name in schema.untouched:
        if name in published.columns:
            findings.append(_same_values(published[name], original[name].gather(rows)))
    return findings


def _uncovered(
    published: pl.Series, original: pl.Series, schema: Schema, rows: npt.NDArray[np.int64]
) -> int:
    """Count the rows whose published cell does not cover the original one."""
    name = original.name
    mask = is_missing(original, schema.missing_of(name))
    numeric = schema[name].kind is Kind.NUMERIC
    true = to_numbers(original, mask) if numeric else texts(original).set(mask, None)
    pairs = pl.DataFrame({_SHOWN: shown(published), _TRUE: true.gather(rows)})
    counted = pairs.group_by(_SHOWN, _TRUE).len()
    counted = counted.filter(pl.col(_SHOWN) != STAR)  # * covers everything
    missing = counted[_TRUE].is_null()  # a missing cell may only be published as *
    uncovered = int(counted.filter(missing)["len"].sum())
    known = counted.filter(~missing)
    inside = _in_intervals(known) if numeric else _under_nodes(known, schema[name].hierarchy)
    return uncovered + int(known.filter(~pl.Series(inside, dtype=pl.Boolean))["len"].sum())


def _in_intervals(pairs: pl.DataFrame) -> list[bool]:
    read = {text: parse_interval(text) for text in pairs[_SHOWN].unique()}
    inside = []
    for text, value in zip(pairs[_SHOWN], pairs[_TRUE], strict=True):
        interval = read[text]
        if interval is None:
            inside.append(False)
            continue
        lo, hi = interval.lo, interval.hi
        if isinstance(value, float):  # its shortest text need not be its exact value
            lo, hi = float(lo), float(hi)
        inside.append(lo <= value and (value < hi or (value == hi and not interval.open_end)))
    return inside


def _under_nodes(pairs: pl.DataFrame, hierarchy: object) -> list[bool]:
    """Walk up from each value: is the published label on its way to the root?"""
    assert isinstance(hierarchy, Hierarchy)
    numbers = {label: node for node, label in enumerate(hierarchy.labels)}
    ways: dict[str, set[str]] = {}
    for leaf in pairs[_TRUE].unique():
        node = numbers.get(leaf, -1)
        way = {leaf}
        while node >= 0:
            way.add(hierarchy.labels[node])
            node = int(hierarchy.parent[node])
        ways[leaf] = way
    return [shown in ways[true] for shown, true in zip(pairs[_SHOWN], pairs[_TRUE], strict=True)]


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
