"""What every recount needs: whose rows they are, what they hold, how that is judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import texts
from shoal.errors import ParameterError, SchemaError
from shoal.models import GroupStatistics, Histogram, Requirement, Requirements, requirements
from shoal.published import original_rows
from shoal.schema import Schema, is_missing
from shoal.verification.result import Finding, Judgement

__all__ = [
    "CLASS",
    "PERSON",
    "bound",
    "histogram",
    "identifiers_removed",
    "judge",
    "order_of",
    "persons_of",
    "require_columns",
    "roles_known",
    "sizes",
    "values_of",
]

CLASS = "class"
PERSON = "person"


def bound(require: Requirements, schema: Schema) -> list[Requirement]:
    """Fill in what the schema says, and refuse requirements that make no sense."""
    made = [requirement.bind(schema) for requirement in requirements(require)]
    for requirement in made:
        requirement.validate()
    return made


def require_columns(
    published: pl.DataFrame, source: pl.DataFrame | None, names: Sequence[str]
) -> None:
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
    published: pl.DataFrame, source: pl.DataFrame | None, rows: npt.ArrayLike | None
) -> npt.NDArray[np.int64] | None:
    """Find the original row of each published row, where there is an original."""
    if source is None:
        return None
    return original_rows(rows, published=published.height, original=source.height)


def persons_of(
    published: pl.DataFrame,
    schema: Schema,
    source: pl.DataFrame | None,
    order: npt.NDArray[np.int64] | None,
    people: npt.ArrayLike | None,
) -> pl.Series | None:
    """Tell people apart, where the schema says that k counts people."""
    if people is not None:
        named = pl.Series(PERSON, np.asarray(people))
        if len(named) != published.height:
            raise ParameterError(
                f"people names {len(named)} rows, but the table has {published.height}.",
                "Give a value for each published row.",
            )
        return named
    if schema.entity is None:
        return None
    if schema.entity in published.columns:
        return published[schema.entity].alias(PERSON)
    if source is not None and order is not None and schema.entity in source.columns:
        return source[schema.entity].gather(order).alias(PERSON)
    raise ParameterError(
        f"People are told apart by '{schema.entity}', which the published table does not hold.",
        "Give the private manifest or the original table, so that people can be counted.",
    )


def values_of(values: pl.Series, schema: Schema, name: str) -> pl.Series:
    """Read a sensitive column as texts; a missing one is null."""
    return texts(values).set(is_missing(values, schema.missing_of(name)), None)


def sizes(
    classes: pl.Series, persons: pl.Series | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64] | None]:
    """Count the rows, and the people, of each class; classes are numbered from 0."""
    frame = pl.DataFrame({CLASS: classes} if persons is None else {CLASS: classes, PERSON: persons})
    counts = [pl.len().alias("rows")]
    if persons is not None:
        counts.append(pl.col(PERSON).n_unique().alias("people"))
    counted = frame.group_by(CLASS).agg(counts).sort(CLASS)
    return (
        counted["rows"].cast(pl.Int64).to_numpy(),
        None if persons is None else counted["people"].cast(pl.Int64).to_numpy(),
    )


def histogram(
    classes: pl.Series,
    values: pl.Series,
    *,
    persons: pl.Series | None = None,
    counts: pl.Series | None = None,
) -> Histogram:
    """Count each value per class; a missing one is a value, too.

    Parameters
    ----------
    persons
        Tells people apart, row by row: then those who hold a value are counted.
    counts
        How many rows each row stands for.
    """
    labels = values.unique().sort(nulls_last=True)
    cells = {CLASS: classes, "value": values}
    how = pl.len()
    if persons is not None:
        cells["by"], how = persons, pl.col("by").n_unique()
    elif counts is not None:
        cells["by"], how = counts, pl.col("by").sum()
    numbers = pl.DataFrame({"value": labels}).with_row_index("code")
    counted = (
        pl.DataFrame(cells)
        .group_by(CLASS, "value")
        .agg(how.alias("count"))
        .join(numbers, on="value", how="left", nulls_equal=True)
        .sort(CLASS, "code")
    )
    group, code, count = (
        counted[name].cast(pl.Int64).to_numpy() for name in (CLASS, "code", "count")
    )
    return Histogram(group, code, count, tuple(labels))


def judge(requirement: Requirement, groups: GroupStatistics) -> Judgement:
    """Judge the counted classes."""
    outcome = requirement.judge(groups)
    return Judgement(
        requirement=requirement.name,
        description=requirement.describe(),
        passed=outcome.passed,
        achieved=outcome.achieved,
        failing_classes=int((~outcome.holds).sum()),
        failing_rows=int(groups.sizes[~outcome.holds].sum()),
    )


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
