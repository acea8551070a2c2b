"""Recount two published tables that share a class id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import texts
from shoal.errors import ParameterError, SchemaError
from shoal.frames import to_polars
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.schema import Schema
from shoal.verification import counting
from shoal.verification.against import compare
from shoal.verification.counting import CLASS
from shoal.verification.pair import PublishedPair
from shoal.verification.result import Finding, Verification

__all__ = ["row_order", "verify_pair"]

_BEYOND_CHANCE = 8.0
"""Standard deviations; honest shuffles go so far less than once in a million releases."""


def verify_pair(
    tables: Mapping[str, Any],
    schema: Schema,
    require: Sequence[Requirement],
    *,
    source: pl.DataFrame | None,
    rows: npt.ArrayLike | None,
    people: npt.ArrayLike | None,
    class_column: str | None,
) -> Verification:
    """Count the classes of two tables by their ids, and the values from the second alone."""
    pair = _read(tables, schema, class_column)
    absent = [name for name in schema.quasi if name not in pair.quasi.columns]
    if absent or not schema.quasi:
        raise SchemaError(
            f"The published table 'quasi' has no column '{absent[0]}'."
            if absent
            else "No column has the role quasi.",
            "Verification needs every quasi-identifier.",
        )
    counting.require_columns(pair.quasi, source, (*schema.quasi, *schema.untouched))
    counting.require_columns(pair.sensitive, source, [pair.secret])
    order = counting.order_of(pair.quasi, source, rows)
    persons = counting.persons_of(pair.quasi, schema, source, order, people)
    ids = pair.ids("quasi").fill_null("")
    classes = _numbers(ids, ids)
    sizes, persons_in = counting.sizes(classes, persons)
    histograms: dict[str, Histogram] = {}
    if any("histograms" in requirement.needs for requirement in require):
        own = None if source is None or order is None else source[pair.secret].gather(order)
        found = _values(pair, schema) if persons is None else _held(pair, schema, own)
        where = classes if persons is not None else _numbers(pair.ids("sensitive"), ids)
        counts = pair.counts if persons is None else None
        inside = where.is_not_null()
        histograms[pair.secret] = counting.histogram(
            where.filter(inside),
            found.filter(inside),
            persons=None if persons is None else persons.filter(inside),
            counts=None if counts is None else counts.filter(inside),
        )
    groups = GroupStatistics(sizes, persons_in, histograms)
    findings = [*_apart(pair, schema), *_same_classes(pair)]
    if source is not None and order is not None:
        findings += compare(pair.quasi.drop(pair.class_column), source, schema, order)
        findings.append(_same_values(pair, source[pair.secret].gather(order)))
    return Verification(
        rows=pair.quasi.height,
        classes=len(sizes),
        counted="rows" if persons is None else "people",
        judgements=tuple(counting.judge(requirement, groups) for requirement in require),
        findings=tuple(findings),
    )


def row_order(
    tables: Mapping[str, Any],
    schema: Schema,
    original: Any,
    rows: npt.ArrayLike,
    *,
    class_column: str | None = None,
) -> Finding:
    """Ask whether the order of two tables tells which value belongs to which row.

    Only the original can tell. The j-th row of a class is set beside the j-th value of the
    class, and right guesses are counted. Where they are more than 8 standard deviations above
    what orders that know nothing of each other give, the tables were not shuffled apart. So
    few rows may hide a link: a shuffle must be made, it cannot be proved.

    Parameters
    ----------
    rows
        For each row of the quasi table, the original row it stands for.
    """
    pair = _read(tables, schema, class_column)
    check = "row order"
    if pair.count_column is not None:
        return Finding(check, True, "values are counted, so no order links them to rows")
    own = texts(to_polars(original)[pair.secret].gather(np.asarray(rows))).fill_null("")
    shown = texts(pair.sensitive[pair.secret]).fill_null("")
    left = pl.DataFrame({CLASS: pair.ids("quasi"), "own": own}).sort(CLASS, maintain_order=True)
    right = pl.DataFrame({CLASS: pair.ids("sensitive"), "shown": shown})
    right = right.sort(CLASS, maintain_order=True)
    if not left[CLASS].equals(right[CLASS], null_equal=True):
        return Finding(check, False, "the two tables do not hold the same classes")
    hits = int((left["own"] == right["shown"]).sum())
    expected, deviation = _chance(right)
    linked = hits > expected + _BEYOND_CHANCE * deviation and deviation > 0
    detail = (
        f"the order of the tables links {hits} of {left.height} values to their rows, where "
        f"chance gives about {expected:.0f}"
        if linked
        else "tells no more than chance which value belongs to which row"
    )
    return Finding(check, not linked, detail)


def _chance(values: pl.DataFrame) -> tuple[float, float]:
    """Say how many guesses a random order gets right, and how far it strays from that."""
    held = values.group_by(CLASS, "shown").len().with_columns(pl.col("len").cast(pl.Float64))
    by_class = held.group_by(CLASS).agg(
        pl.col("len").sum().alias("n"),
        (pl.col("len") ** 2).sum().alias("squares"),
        (pl.col("len") ** 3).sum().alias("cubes"),
    )
    n, squares, cubes = (by_class[name].to_numpy() for name in ("n", "squares", "cubes"))
    spread = squares - 2 * cubes / n + squares**2 / n**2
    variance = np.where(n > 1, spread / np.maximum(n - 1, 1), 0.0)
    return float((squares / n).sum()), float(np.sqrt(np.maximum(variance, 0.0).sum()))


def _read(tables: Mapping[str, Any], schema: Schema, class_column: str | None) -> PublishedPair:
    if len(schema.sensitive) != 1:
        raise SchemaError(
            f"Two tables need exactly one sensitive column, not {len(schema.sensitive)}.",
            "Give one column the role sensitive.",
        )
    return PublishedPair.read(
        tables, secret=schema.sensitive[0], known=list(schema), class_column=class_column
    )


def _numbers(ids: pl.Series, known: pl.Series) -> pl.Series:
    """Number class ids; null where the id is not among the known ones."""
    distinct = known.unique().sort()
    numbers = pl.Series(range(len(distinct)), dtype=pl.Int64)
    return ids.fill_null("").replace_strict(distinct, numbers, default=None, return_dtype=pl.Int64)


def _values(pair: PublishedPair, schema: Schema) -> pl.Series:
    return counting.values_of(pair.sensitive[pair.secret], schema, pair.secret)


def _held(pair: PublishedPair, schema: Schema, own: pl.Series | None) -> pl.Series:
    """Give each row of the quasi table its value; only the original knows it."""
    if own is None:
        raise ParameterError(
            "People are counted, but the table of values does not say whose they are.",
            "Give the original table and the private manifest, so that people can be counted.",
        )
    return counting.values_of(own, schema, pair.secret)


def _apart(pair: PublishedPair, schema: Schema) -> list[Finding]:
    """Look for columns that are where they do not belong."""
    first = [name for name in pair.quasi.columns if name != pair.class_column]
    ours = (pair.class_column, pair.secret, pair.count_column)
    second = [name for name in pair.sensitive.columns if name not in ours]
    wrong = [name for name in first if name == pair.secret]
    wrong += [name for name in second if name in schema]
    detail = "the link is published" if wrong else "they share only the class id"
    return [
        counting.identifiers_removed([*first, *second], schema),
        counting.roles_known([*first, *second], schema),
        Finding(
            "tables apart",
            not wrong,
            f"{detail}: {', '.join(wrong)}" if wrong else detail,
        ),
    ]


def _same_classes(pair: PublishedPair) -> list[Finding]:
    """Compare the classes of both tables: the ids, and how many records each has."""
    nameless = sum(pair.ids(table).null_count() for table in ("quasi", "sensitive"))
    left = pl.DataFrame({CLASS: pair.ids("quasi")}).group_by(CLASS).agg(pl.len().alias("rows"))
    right = (
        pl.DataFrame({CLASS: pair.ids("sensitive"), "n": pair.counts})
        .group_by(CLASS)
        .agg(pl.col("n").sum().alias("values"))
    )
    both = left.join(right, on=CLASS, how="full", coalesce=True, nulls_equal=True)
    valueless, rowless = both["values"].null_count(), both["rows"].null_count()
    known = both.drop_nulls(["rows", "values"])
    uneven = int((known["rows"].cast(pl.Int64) != known["values"].cast(pl.Int64)).sum())
    wrong = [
        f"{count} {what}"
        for count, what in (
            (nameless, "rows have no id"),
            (valueless, "classes have no values"),
            (rowless, "classes have no rows"),
        )
        if count
    ]
    return [
        Finding("class ids", not wrong, "; ".join(wrong) or "the same in both tables"),
        Finding(
            "values per class",
            not uneven,
            f"in {uneven} of {len(known)} classes there are not as many values as rows"
            if uneven
            else "as many as rows",
        ),
    ]


def _same_values(pair: PublishedPair, own: pl.Series) -> Finding:
    """Compare the values of each class, as multisets, with those of the original rows."""
    shown = pl.DataFrame(
        {
            CLASS: pair.ids("sensitive"),
            "value": texts(pair.sensitive[pair.secret]).fill_null(""),
            "n": pair.counts,
        }
    )
    wanted = pl.DataFrame({CLASS: pair.ids("quasi"), "value": texts(own).fill_null("")})
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
    moved = int((both["n"] - both["wanted"]).abs().sum() + 1) // 2
    return Finding(
        f"values of '{pair.secret}' per class",
        moved == 0,
        f"{moved} values differ" if moved else "those of the rows of the class",
    )
