"""Compare a published table with its original, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Any

import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import STAR, parse_interval, parse_set, shown, texts, texts_beside
from shoal.base.plural import counted
from shoal.errors import ShoalError
from shoal.io.frames import Coded, Dictionary, count_pairs
from shoal.judging.verification.dates import cell_days
from shoal.judging.verification.result import Finding
from shoal.table.hierarchies import Hierarchy
from shoal.table.numbers import to_numbers
from shoal.table.preparation import Preparation
from shoal.table.schema import Kind, Schema, is_missing
from shoal.table.table import resolve


def compare(published: Coded, original: Coded, schema: Schema, rows: Ints) -> Finding:
    """Check, row by row, that cells cover their originals."""
    schema = resolve(original, schema)
    uncovered = {
        name: _uncovered(published[name], original, schema, name, rows) for name in schema.quasi
    }
    return by_column("cells cover their originals", uncovered)


def by_column(
    check: str, wrong: Mapping[str, int], problem: str = "not in", fine: str = "all of them"
) -> Finding:
    """Say in how many rows of which columns cells are wrong."""
    listed = [f"'{name}' in {counted(count, 'row')}" for name, count in wrong.items() if count]
    return Finding.of(check, listed, f"{problem} column {', '.join(listed)}", fine)


def untouched(
    published: Coded, original: Coded, schema: Schema, rows: Ints, given_schema: Schema
) -> list[Finding]:
    """Check, row by row, that columns besides the quasi-identifiers are as they were.

    Where ``asked`` wants ends or rounding, they are what these make of the original.
    """
    return [
        _same_values(name, published[name], original[name], rows, given_schema[name].preparation)
        for name in schema.untouched
        if name in published.columns
    ]


def _uncovered(
    published: Dictionary, original: Coded, schema: Schema, name: str, rows: Ints
) -> int:
    """Count the rows whose published cell does not cover the original one."""
    held = original[name]
    cells, values = shown(published.values).to_list(), known_values(original, schema, name)
    covers = covering(schema, name)
    pairs = count_pairs(published.codes, held.codes[rows], len(held))
    return sum(
        alike
        for at, of, alike in zip(*(each.tolist() for each in pairs), strict=True)
        # * covers everything, and a missing cell may only be published as *
        if cells[at] != STAR and (values[of] is None or not covers(cells[at], values[of]))
    )


def known_values(original: Coded, schema: Schema, name: str) -> list[Any]:
    """List the different values of a quasi-identifier, as `covering` takes them; null: missing."""
    held = original[name]
    mask = is_missing(held.values, schema.missing_of(name))
    if schema[name].kind is Kind.DATE:
        return held.values.to_list()
    if schema[name].kind is not Kind.NUMERIC:
        return texts(held.values).set(mask, None).to_list()
    try:
        return to_numbers(held.values, mask).to_list()
    except ShoalError:  # said of cells, not of values
        to_numbers(original.cells(name), mask[held.codes])
        raise


def covering(schema: Schema, name: str) -> Callable[[str, Any], bool]:
    """Say whether a published cell of a column covers a value."""
    if schema[name].kind is Kind.DATE:
        return _in_dates()
    if schema[name].kind is Kind.NUMERIC:
        return _in_interval()
    return _under_node(schema[name].hierarchy)


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


def _in_dates() -> Callable[[str, Any], bool]:
    read = cache(cell_days)

    def covers(text: str, value: date) -> bool:
        days = read(text)
        return days is not None and days[0] <= value <= days[1]

    return covers


def _under_node(hierarchy: object) -> Callable[[str, Any], bool]:
    """Walk up from each value: is the published label on its way to the root?

    A label that the tree does not have may be a set of values, with the value among them.
    """
    assert isinstance(hierarchy, Hierarchy)
    numbers = {label: node for node, label in enumerate(hierarchy.labels)}

    @cache
    def path(leaf: str) -> set[str]:
        node, passed = numbers.get(leaf, -1), {leaf}
        while node >= 0:
            passed.add(hierarchy.labels[node])
            node = int(hierarchy.parent[node])
        return passed

    @cache
    def values(text: str) -> frozenset[str]:
        return frozenset() if text in numbers else frozenset(parse_set(text) or ())

    return lambda label, value: label in path(value) or value in values(label)


def _same_values(
    name: str, published: Dictionary, original: Dictionary, rows: Ints, prepared: Preparation
) -> Finding:
    """Compare an untouched column row by row; a missing cell may be a null or an empty text."""
    pairs = ((published.values, original.values), (original.values, published.values))
    both = [texts_beside(one, other.dtype).fill_null("") for one, other in pairs]
    numbers = Dictionary.of(pl.concat(both)).codes
    shown, wanted = numbers[: len(published)], numbers[len(published) :]
    wrong = int((shown[published.codes] != wanted[original.codes[rows]]).sum())
    problem = counted(wrong, "value differs", "values differ")
    fine = f"{'prepared as planned' if prepared else 'unchanged'}, apart from unpublished rows"
    return Finding.of(f"values of '{name}'", wrong, problem, fine)
