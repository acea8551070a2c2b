"""Compare a published table with its original where nobody knows which row is whose.

Releases are shuffled. Without the private folder their rows cannot be set beside the original
ones; values can still be counted. What is found here can refute a release, never prove it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from shoal.base.cells import STAR, shown, texts_beside
from shoal.base.plural import counted
from shoal.io.frames import Coded
from shoal.judging.verification.against import by_column, covering, known_values
from shoal.judging.verification.result import UNORDERED, Finding
from shoal.publications.published import Published, ValueTable
from shoal.table.hierarchies import CsvFile, Flat, Hierarchy, Tree
from shoal.table.schema import Schema
from shoal.table.table import resolve


def compare_counts(
    published: Published, source: Coded, schema: Schema, given_schema: Schema
) -> list[Finding]:
    """Count cells and values of both tables; the last finding says what stays open.

    ``source`` and ``schema`` are the original, prepared, and the schema of what it is now;
    ``given_schema`` is that of the cells that come in.
    """
    table = published.held
    findings = []
    # What a program built from the original need not be what it built from the published rows.
    exact = [name for name in schema.untouched if _given(given_schema[name].hierarchy)]
    beside = [name for name in exact if name in table.columns]
    for name in beside:
        found = _too_often(_counted(table, [name], source), _counted(source, [name], table))
        findings.append(_values(f"values of '{name}'", found))
    if len(beside) > 1 and all(each.passed for each in findings):
        found = _too_often(_counted(table, beside, source), _counted(source, beside, table))
        listed = ", ".join(f"'{name}'" for name in beside)
        findings.append(_values(f"values of {listed} together", found))
    for name, sensitive_column in published.value_tables.items():
        if name in exact:
            held = _counted(source, [name], Coded({name: sensitive_column.values}))
            findings.append(_apart(published, sensitive_column, held, source.cells(name).dtype))
    if published.centres is None:
        findings += _cells(table, source, schema, given_schema)
    return [*findings, Finding("cell by cell", None, UNORDERED)]


def _given(hierarchy: object) -> bool:
    """Say whether a tree comes from the plan, whatever values the table holds."""
    return hierarchy is None or isinstance(hierarchy, Hierarchy | CsvFile | Flat | Tree)


def _counted(table: Coded, names: list[str], other: Coded) -> pl.DataFrame:
    """Count rows that hold the same; a missing cell may be a null or an empty text."""
    cells = [
        texts_beside(table.cells(name), other.cells(name, slice(0)).dtype).fill_null("")
        for name in names
    ]
    named = [each.alias(f"{at}") for at, each in enumerate(cells)]
    return pl.DataFrame(named).group_by(pl.all()).len("n").cast({"n": pl.Int64})


def _too_often(shown: pl.DataFrame, held: pl.DataFrame) -> int:
    """Count what is published more often than the original has it."""
    keys = [name for name in shown.columns if name != "n"]
    both = shown.join(held.rename({"n": "held"}), on=keys, how="left")
    return int((both["n"] - both["held"].fill_null(0)).clip(0).sum())


def _values(check: str, wrong: int) -> Finding:
    text = f"{counted(wrong, 'value is', 'values are')} published more often than in the original"
    return Finding.of(check, wrong, text, "no value occurs more often than in the original")


def _apart(
    published: Published, table: ValueTable, held: pl.DataFrame, like: pl.DataType
) -> Finding:
    """Count the values of a table of their own; those that were added must still occur."""
    cells = {"0": texts_beside(table.values, like).fill_null(""), "n": table.counts.cast(pl.Int64)}
    shown = pl.DataFrame(cells).group_by("0").agg(pl.col("n").sum())
    check = f"values of '{table.sensitive_column}'"
    if published.counterfeits or (published.by_column and table.once):
        strange = shown.join(held, on="0", how="anti").height
        text = f"{counted(strange, 'value does', 'values do')} not occur in the original"
        return Finding.of(check, strange, text, "all occur in the original")
    return _values(check, _too_often(shown, held))


def _cells(table: Coded, source: Coded, schema: Schema, given_schema: Schema) -> list[Finding]:
    """Ask whether the original has enough rows for each published cell, where a plan says how."""
    with_hierarchy = [name for name in schema.quasi if _given(given_schema[name].hierarchy)]
    if not with_hierarchy:
        return []
    built = resolve(source, schema)
    lacking = {name: _uncoverable(table, source, built, name) for name in with_hierarchy}
    problem = "no row of the original matches"
    return [by_column("cells of quasi-identifiers", lacking, problem, "rows that fit")]


def _uncoverable(table: Coded, source: Coded, schema: Schema, name: str) -> int:
    """Count the rows whose cell covers fewer original rows than show it."""
    values, counts = known_values(source, schema, name), source[name].counts.tolist()
    covers: Callable[[str, Any], bool] = covering(schema, name)
    published, lacking = table[name], 0
    for cell, rows in zip(shown(published.values), published.counts.tolist(), strict=True):
        if cell == STAR or not rows:
            continue
        left = rows
        for value, held in zip(values, counts, strict=True):
            if left <= 0:
                break
            if value is not None and covers(cell, value):
                left -= held
        lacking += max(left, 0)
    return lacking
