"""What every recount needs: whose rows they are, what they hold, how that is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import texts
from shoal.errors import ParameterError, SchemaError
from shoal.io.frames import Coded, Dictionary, count_pairs
from shoal.judging.verification.result import UNCOUNTED, Finding, Judgement
from shoal.models import GroupStatistics, Histogram, Requirement, Requirements, requirements
from shoal.publications.published import original_rows
from shoal.table.schema import Schema, is_missing

CLASS = "class"


def bind_all(require: Requirements, schema: Schema) -> list[Requirement]:
    """Fill in what the schema says, and refuse requirements that make no sense."""
    made = [requirement.bind(schema) for requirement in requirements(require)]
    for requirement in made:
        requirement.validate()
    return made


def require_columns(published: Coded, source: Coded | None, names: Sequence[str]) -> None:
    """Refuse an original that lacks one of the columns, where the publication has it."""
    if source is None:
        return
    lacking = [n for n in names if n in published.columns and n not in source.columns]
    if lacking:
        raise SchemaError(
            f"The original table has no column '{lacking[0]}'.",
            "Give the table that the publication was made from.",
        )


def order_of(
    published: Coded, source: Coded | None, rows: npt.ArrayLike | Literal["unknown"] | None
) -> Ints | None:
    """Find the original row of each published row, where there is an original and it is known."""
    if source is None or (isinstance(rows, str) and rows == "unknown"):
        return None
    return original_rows(rows, published=published.height, original=source.height)


def persons_of(
    published: Coded,
    schema: Schema,
    source: Coded | None,
    order: Ints | None,
    people: npt.ArrayLike | None,
) -> npt.NDArray[np.integer[Any]] | None:
    """Number people, where the schema says that k counts them."""
    if people is not None:
        named = pl.Series(np.asarray(people))
        if len(named) != published.height:
            raise ParameterError(
                f"people names {len(named)} rows, but the table has {published.height}.",
                "Give a value for each published row.",
            )
        return Dictionary.of(named).codes
    if schema.entity is None:
        return None
    if schema.entity in published.columns:
        return published[schema.entity].codes
    if source is not None and order is not None and schema.entity in source.columns:
        return source[schema.entity].codes[order]
    raise ParameterError(
        f"'{schema.entity}' identifies people, but the published table does not hold it.",
        "Give the private manifest or the original table, so that Shoal can count people.",
    )


def values_of(values: pl.Series, schema: Schema, name: str) -> pl.Series:
    """Read a sensitive column as texts; a missing one is null."""
    return texts(values).set(is_missing(values, schema.missing_of(name)), None)


def sizes(classes: Ints, persons: npt.NDArray[np.integer[Any]] | None) -> tuple[Ints, Ints | None]:
    """Count the rows, and the people, of each class; classes are numbered from 0."""
    rows = np.bincount(classes).astype(np.int64)
    if persons is None:
        return rows, None
    each, _, _ = count_pairs(classes, persons, int(persons.max()) + 1)
    return rows, np.bincount(each, minlength=len(rows)).astype(np.int64)


def histogram(
    classes: Ints,
    values: Dictionary,
    *,
    persons: npt.NDArray[np.integer[Any]] | None = None,
    counts: Ints | None = None,
) -> Histogram:
    """Count each value per class; a missing one is null, and a value, too.

    ``persons`` tells people apart, row by row: then those who hold a value are counted. ``counts``
    says how many rows each row stands for.
    """
    held = values.values[np.flatnonzero(values.counts)]
    labels = held.sort(nulls_last=True)
    places = {label: code for code, label in enumerate(labels)}
    codes = np.array([places.get(label, 0) for label in values.values], dtype=np.int64)
    value = codes[values.codes]
    size = max(len(labels), 1)
    if counts is not None:
        keys, which = np.unique(classes * size + value, return_inverse=True)
        group, code = keys // size, keys % size
        count = np.bincount(which.reshape(-1), counts, minlength=len(keys)).astype(np.int64)
    elif persons is not None:
        pair, _, _ = count_pairs(classes * size + value, persons, int(persons.max()) + 1)
        keys, count = np.unique(pair, return_counts=True)
        group, code = keys // size, keys % size
    else:
        group, code, count = count_pairs(classes, value, size)
    return Histogram(group, code, count.astype(np.int64), tuple(labels))


def judge(requirement: Requirement, groups: GroupStatistics) -> Judgement:
    """Judge the counted classes; what counts a population is open without one."""
    if "population" in requirement.needs and groups.population is None:
        return unrecounted(requirement, UNCOUNTED)
    outcome = requirement.judge(groups)
    name, words, fails = requirement.name, requirement.describe(), ~outcome.holds
    failing = int(fails.sum()), int(groups.sizes[fails].sum())
    return Judgement(name, words, outcome.passed, outcome.achieved, *failing)


def unrecounted(requirement: Requirement, why: str) -> Judgement:
    """Say that nobody can tell whether a requirement holds."""
    return Judgement(requirement.name, requirement.describe(), None, {}, unrecounted=why)


def allowed_counterfeits(require: Sequence[Requirement]) -> Finding:
    """Ask whether what is required allows for values that nobody holds."""
    allowed = any(each.across_releases for each in require)
    detail = "the requirements allow them" if allowed else "no requirement needs them"
    return Finding("counterfeits", allowed, detail)


def identifiers_removed(columns: Sequence[str], schema: Schema) -> Finding:
    """Look for identifiers among the published columns."""
    left = [name for name in schema.identifiers if name in columns]
    detail = f"published: {', '.join(left)}" if left else "none is published"
    return Finding("identifiers removed", not left, detail)


def roles_known(columns: Sequence[str], schema: Schema) -> Finding:
    """Look for published columns that nobody gave a role."""
    strange = [name for name in columns if name not in schema]
    detail = f"without a role: {', '.join(strange)}" if strange else "every column has one"
    return Finding("roles known", not strange, detail)
