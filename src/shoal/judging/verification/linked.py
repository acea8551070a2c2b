"""Recount published tables that share a class id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import texts_beside
from shoal.base.plural import counted
from shoal.errors import ParameterError
from shoal.io.frames import Coded, Dictionary
from shoal.judging.verification import counting
from shoal.judging.verification.against import compare, untouched
from shoal.judging.verification.counting import CLASS, PrivateCells, all_rows
from shoal.judging.verification.result import Finding, Verification
from shoal.judging.verification.spellings import spelling_remarks
from shoal.judging.verification.unordered import compare_counts
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.publications.published import Published, ValueTable
from shoal.table.schema import Schema


def verify_linked(
    published: Published,
    schema: Schema,
    require: Sequence[Requirement],
    *,
    source: Coded | None,
    rows: npt.ArrayLike | Literal["unknown"] | None,
    people: npt.ArrayLike | None,
    given_schema: Schema,
) -> Verification:
    """Count classes by their ids, and the values of each column from its table alone.

    ``given_schema`` is that of the cells that come in; ``source`` is prepared already.
    """
    published.require_columns(schema.quasi, "Verification needs every quasi-identifier.")
    counting.require_columns(published.coded, source, (*schema.quasi, *schema.untouched))
    for sensitive_column, table in published.value_tables.items():
        counting.require_columns(Coded(table.frame), source, [sensitive_column])
    order = counting.order_of(published.coded, source, rows)
    persons = counting.persons_of(published.coded, schema, source, order, people)
    ids = published.ids.fill_null("")
    classes = _numbers(ids, ids).to_numpy()
    sizes, persons_in = counting.sizes(classes, persons)
    own: dict[str, pl.Series] = {}
    if source is not None and order is not None:
        own = {name: source[name].take(order).cells() for name in published.value_tables}
    cells = PrivateCells(schema, source, order, classes, persons)
    judged = []
    for requirement in require:
        histograms = {}
        if "histograms" in requirement.needs:
            histograms = {
                name: _histogram(published, name, schema, requirement, classes, persons, own)
                for name in published.value_tables
            }
        groups = GroupStatistics(sizes, persons_in, histograms)
        judged.append(cells.judge(requirement, groups))
    findings = [*_apart(published, schema), *_same_classes(published)]
    findings += all_rows(schema, require, classes, persons)
    if published.counterfeits:
        findings.append(counting.allowed_counterfeits(require))
    if source is not None and order is None:
        findings += compare_counts(published, source, schema, given_schema)
    if source is not None and order is not None:
        findings.append(compare(published.coded, source, schema, order))
        findings += untouched(published.coded, source, schema, order, given_schema)
        for name, values in own.items():
            table = published.value_tables[name]
            if published.by_column and table.once:
                findings += _held_values(published, table, values, schema)
            else:
                findings.append(_same_values(published, table, values))
    return Verification(
        rows=published.coded.height,
        classes=len(sizes),
        counted="rows" if persons is None else "people",
        judgements=tuple(judged),
        findings=tuple(findings),
        remarks=tuple(spelling_remarks(published, schema)),
    )


def _histogram(
    published: Published,
    sensitive_column: str,
    schema: Schema,
    requirement: Requirement,
    classes: Ints,
    persons: npt.NDArray[np.integer[Any]] | None,
    own: Mapping[str, pl.Series],
) -> Histogram:
    """Count a column's values per class: from its table, or, for people, from the original."""
    if requirement.counts_matter and not requirement.across_releases:
        if not published.counted(sensitive_column):
            raise ParameterError(
                f"'{requirement.name}' counts how often a value of '{sensitive_column}' occurs in "
                "a class, but the tables do not have one value per row.",
                "It needs tables with one value per record; for others, require distinct "
                "values (multi-l-diversity, or distinct l-diversity).",
            )
        if persons is not None:
            held = _held(sensitive_column, schema, own)
            return counting.histogram(classes, Dictionary.of(held), persons=persons)
    table = published.value_tables[sensitive_column]
    where = _numbers(table.ids, published.ids.fill_null(""))
    inside = where.is_not_null()
    return counting.histogram(
        where.filter(inside).to_numpy(),
        Dictionary.of(counting.values_of(table.values, schema, sensitive_column).filter(inside)),
        counts=table.counts.filter(inside).to_numpy(),
    )


def _numbers(ids: pl.Series, known: pl.Series) -> pl.Series:
    """Number class ids; null where the id is not among the known ones."""
    distinct = known.unique().sort()
    numbers = pl.Series(range(len(distinct)), dtype=pl.Int64)
    return ids.fill_null("").replace_strict(distinct, numbers, default=None, return_dtype=pl.Int64)


def _held(sensitive_column: str, schema: Schema, own: Mapping[str, pl.Series]) -> pl.Series:
    """Give each row of the quasi table its value; only the original knows it."""
    if sensitive_column not in own:
        raise ParameterError(
            "People are counted, but the table of values does not say to whom each value belongs.",
            "Give the original table and the private manifest, so that Shoal can count people.",
        )
    return counting.values_of(own[sensitive_column], schema, sensitive_column)


def _apart(published: Published, schema: Schema) -> list[Finding]:
    """Look for columns that are where they do not belong."""
    first = published.columns
    further = [name for table in published.value_tables.values() for name in table.further]
    wrong = [name for name in first if name in published.value_tables]
    wrong += [name for name in further if name in schema]
    problem = f"the link is published: {', '.join(wrong)}"
    return [
        counting.identifiers_removed([*first, *further], schema),
        counting.roles_known([*first, *further], schema),
        Finding.of("tables apart", wrong, problem, "they share only the class id"),
    ]


def _same_classes(published: Published) -> list[Finding]:
    """Compare the classes of all tables: the ids, and how many records each has."""
    rows = _sums(published.ids, pl.repeat(1, len(published.ids), eager=True))
    added = published.counterfeits or {}
    nameless = published.ids.null_count()
    wrong, uneven = [], []
    if strange := sum(each not in rows for each in added):
        wrong.append(f"{strange} classes with counterfeits have no rows")
    for name, table in published.value_tables.items():
        nameless += table.ids.null_count()
        shown = _sums(table.ids, table.counts)
        of = f" of '{name}'" if published.by_column else ""
        if lacking := len(rows.keys() - shown.keys()):
            wrong.append(f"{lacking} classes have no values{of}")
        if lacking := len(shown.keys() - rows.keys()):
            wrong.append(f"{lacking} classes{of} have no rows")
        if published.by_column and table.once:
            continue
        known = rows.keys() & shown.keys()
        if odd := sum(rows[each] + added.get(each, 0) != shown[each] for each in known):
            uneven.append(
                f"{odd} of {len(known)} classes have more or fewer values{of} than rows"
                + " and counterfeits" * bool(added)
            )
    if nameless:
        wrong.insert(0, counted(nameless, "row has no id", "rows have no id"))
    ids = "the same in all tables" if published.by_column else "the same in both tables"
    each = "as many as rows"
    if published.by_column and any(table.once for table in published.value_tables.values()):
        each = "each once"
    if added:
        each = f"as many as rows, and {counted(sum(added.values()), 'counterfeit')}"
    return [
        Finding("class ids", not wrong, "; ".join(wrong) or ids),
        Finding("values per class", not uneven, "; ".join(uneven) or each),
    ]


def _sums(ids: pl.Series, counts: pl.Series) -> dict[Any, int]:
    """Sum counts by class."""
    sums = pl.DataFrame({CLASS: ids, "n": counts}).group_by(CLASS).agg(pl.col("n").sum())
    return dict(sums.iter_rows())


def _same_values(published: Published, table: ValueTable, own: pl.Series) -> Finding:
    """Compare the values of each class, as multisets, with those of the original rows."""
    values = texts_beside(table.values, own.dtype).fill_null("")
    shown = pl.DataFrame({CLASS: table.ids, "value": values, "n": table.counts})
    mine = texts_beside(own, table.values.dtype).fill_null("")
    wanted = pl.DataFrame({CLASS: published.ids, "value": mine})
    both = (
        shown.group_by(CLASS, "value")
        .agg(pl.col("n").sum().cast(pl.Int64))
        .join(
            wanted.group_by(CLASS, "value").agg(pl.len().cast(pl.Int64).alias("wanted")),
            on=[CLASS, "value"],
            how="full",
            coalesce=True,
            nulls_equal=True,
        )
        .with_columns(pl.col("n", "wanted").fill_null(0))
    )
    if published.counterfeits:  # how many values are added is counted elsewhere
        both = both.with_columns(pl.min_horizontal("n", "wanted").alias("n"))
    moved = int((both["n"] - both["wanted"]).abs().sum() + 1) // 2
    problem = counted(moved, "value differs", "values differ")
    check = f"values of '{table.sensitive_column}' per class"
    return Finding.of(check, moved, problem, "the same as in the rows of the class")


def _held_values(
    published: Published, table: ValueTable, own: pl.Series, schema: Schema
) -> list[Finding]:
    """Ask whether each class shows all values of its rows, and whether each value is a real one.

    How many values were added is nobody's business, so it is not said.
    """
    name = table.sensitive_column
    values = counting.values_of(table.values, schema, name)
    shown = pl.DataFrame({CLASS: table.ids, "value": values})
    wanted = pl.DataFrame({CLASS: published.ids, "value": counting.values_of(own, schema, name)})
    lost = wanted.unique().join(shown, on=[CLASS, "value"], how="anti", nulls_equal=True).height
    known = wanted.select("value").unique()
    invented = shown.join(known, on="value", how="anti", nulls_equal=True).height
    hidden = f"{counted(lost, 'value of a row is', 'values of rows are')} not shown in their class"
    strange = f"{counted(invented, 'value is', 'values are')} of no published row"
    return [
        Finding.of(f"values of '{name}' per class", lost, hidden, "with those of rows"),
        Finding.of(f"values of '{name}' occur", invented, strange, "in the original"),
    ]
