"""Recount a published table from its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import shown, texts
from shoal.errors import InputError, ParameterError, SchemaError
from shoal.frames import to_polars
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.schema import Schema, is_missing
from shoal.verification.against import compare
from shoal.verification.result import Finding, Judgement, Verification

__all__ = ["verify"]

_CLASS = "class"
_PERSON = "person"


def verify(
    table: Any,
    schema: Schema,
    require: Sequence[Requirement],
    *,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    people: npt.ArrayLike | None = None,
) -> Verification:
    """Say whether anyone's published table holds its requirements.

    Parameters
    ----------
    table
        The published table, from Shoal or elsewhere.
    schema
        The roles of the columns. Identifiers must not be in the table.
    require
        What must hold.
    original
        The table it was made from. Then also: every published cell covers the original
        one, and the sensitive values are those of the published rows.
    rows
        For each published row, the original row it stands for. Without it, row i stands
        for row i.
    people
        A value per published row that tells people apart. Needed only where the schema
        names an entity column and neither the table nor the original gives it.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]", "[30, 42]", "*"], "disease": ["a", "b", "b"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> result = shoal.verify(table, schema, [shoal.KAnonymity(2)])
    >>> result.passed, result.achieved, result.reasons()
    (False, {'k': 1},
     ['2-anonymity (every group holds at least 2) does not hold in 1 of 2 classes (1 of 3 rows)'])
    """
    if not require:
        raise ParameterError("Nothing is required.", "Name at least one requirement, such as k.")
    require = [requirement.bind(schema) for requirement in require]
    for requirement in require:
        requirement.validate()
    published = to_polars(table)
    if published.height == 0:
        raise InputError("The published table has no rows.", "Check the file.")
    absent = [name for name in (*schema.quasi, *schema.sensitive) if name not in published.columns]
    if absent or not schema.quasi:
        raise SchemaError(
            f"The published table has no column '{absent[0]}'."
            if absent
            else "No column has the role quasi.",
            "Verification needs every quasi-identifier and every sensitive column.",
        )
    source = None if original is None else to_polars(original)
    if source is not None:
        lacking = [n for n in (*schema.quasi, *schema.untouched) if n not in source.columns]
        lacking = [n for n in lacking if n in published.columns]
        if lacking:
            raise SchemaError(
                f"The original table has no column '{lacking[0]}'.",
                "Give the table that the publication was made from.",
            )
    order = _order(published, source, rows)
    classes = _classes(published, schema)
    persons = _persons(published, schema, source, order, people)
    groups = _count(classes, persons, _secrets(published, schema, require))
    findings = [_identifiers(published, schema), _known_roles(published, schema)]
    if source is not None and order is not None:
        findings += compare(published, source, schema, order)
    return Verification(
        rows=published.height,
        classes=len(groups.sizes),
        counted="rows" if persons is None else "people",
        judgements=tuple(_judge(requirement, groups) for requirement in require),
        findings=tuple(findings),
    )


def _order(
    published: pl.DataFrame, source: pl.DataFrame | None, rows: npt.ArrayLike | None
) -> npt.NDArray[np.int64] | None:
    """Find the original row of each published row; refuse what cannot be a selection."""
    if source is None:
        return None
    if rows is None:
        if source.height != published.height:
            raise ParameterError(
                f"The published table has {published.height} rows, the original {source.height}.",
                "Say which original row each published row stands for (rows=…, or the release's "
                "private manifest).",
            )
        return np.arange(source.height)
    order = np.asarray(rows)
    inside = (
        order.dtype.kind in "iu"  # a mask or floats would be read as other rows
        and order.shape == (published.height,)
        and bool(((order >= 0) & (order < source.height)).all())
    )
    if not inside or len(np.unique(order)) != len(order):
        raise ParameterError(
            "rows must name, for each published row, a different row of the original.",
            "Use the private manifest that was written with this release.",
        )
    return order.astype(np.int64)


def _classes(published: pl.DataFrame, schema: Schema) -> pl.Series:
    """Number the rows by equal published cells; a null or NaN is a ``*``."""
    cells = pl.DataFrame(
        # Numbered names: a column of the table may have any name, ours included.
        {str(i): shown(published[name]) for i, name in enumerate(schema.quasi)}
    )
    keys = cells.unique().with_row_index(_CLASS)
    return cells.join(keys, on=cells.columns, how="left", maintain_order="left")[_CLASS]


def _persons(
    published: pl.DataFrame,
    schema: Schema,
    source: pl.DataFrame | None,
    order: npt.NDArray[np.int64] | None,
    people: npt.ArrayLike | None,
) -> pl.Series | None:
    """Tell people apart, where the schema says that k counts people."""
    if people is not None:
        named = pl.Series(_PERSON, np.asarray(people))
        if len(named) != published.height:
            raise ParameterError(
                f"people names {len(named)} rows, but the table has {published.height}."
            )
        return named
    if schema.entity is None:
        return None
    if schema.entity in published.columns:
        return published[schema.entity].alias(_PERSON)
    if source is not None and order is not None and schema.entity in source.columns:
        return source[schema.entity].gather(order).alias(_PERSON)
    raise ParameterError(
        f"People are told apart by '{schema.entity}', which the published table does not hold.",
        "Give the private manifest or the original table, so that people can be counted.",
    )


def _secrets(
    published: pl.DataFrame, schema: Schema, require: Sequence[Requirement]
) -> dict[str, pl.Series]:
    """Read the sensitive columns, where a requirement counts their values; missing is null."""
    if not any("histograms" in requirement.needs for requirement in require):
        return {}
    return {
        name: texts(published[name]).set(is_missing(published[name], schema.missing_of(name)), None)
        for name in schema.sensitive
    }


def _count(
    classes: pl.Series, persons: pl.Series | None, secrets: dict[str, pl.Series]
) -> GroupStatistics:
    frame = pl.DataFrame([classes] if persons is None else [classes, persons])
    counts = [pl.len().alias("rows")]
    if persons is not None:
        counts.append(pl.col(_PERSON).n_unique().alias("people"))
    counted = frame.group_by(_CLASS).agg(counts).sort(_CLASS)
    return GroupStatistics(
        counted["rows"].cast(pl.Int64).to_numpy(),
        None if persons is None else counted["people"].cast(pl.Int64).to_numpy(),
        {name: _histogram(classes, persons, values) for name, values in secrets.items()},
    )


def _histogram(classes: pl.Series, persons: pl.Series | None, values: pl.Series) -> Histogram:
    """Count each value per class: rows, or people who hold it; a missing one is a value, too."""
    labels = values.unique().sort(nulls_last=True)
    cells = {_CLASS: classes, "value": values}
    frame = pl.DataFrame(cells if persons is None else {**cells, _PERSON: persons})
    how = pl.len() if persons is None else pl.col(_PERSON).n_unique()
    numbers = pl.DataFrame({"value": labels}).with_row_index("code")
    counted = (
        frame.group_by(_CLASS, "value")
        .agg(how.alias("count"))
        .join(numbers, on="value", how="left", nulls_equal=True)
        .sort(_CLASS, "code")
    )
    group, code, count = (
        counted[name].cast(pl.Int64).to_numpy() for name in (_CLASS, "code", "count")
    )
    return Histogram(group, code, count, tuple(labels))


def _judge(requirement: Requirement, groups: GroupStatistics) -> Judgement:
    outcome = requirement.judge(groups)
    return Judgement(
        requirement=requirement.name,
        description=requirement.describe(),
        passed=outcome.passed,
        achieved=outcome.achieved,
        failing_classes=int((~outcome.holds).sum()),
        failing_rows=int(groups.sizes[~outcome.holds].sum()),
    )


def _identifiers(published: pl.DataFrame, schema: Schema) -> Finding:
    left = [name for name in schema.identifiers if name in published.columns]
    detail = f"published: {', '.join(left)}" if left else "none is published"
    return Finding("identifiers removed", not left, detail)


def _known_roles(published: pl.DataFrame, schema: Schema) -> Finding:
    strange = [name for name in published.columns if name not in schema]
    detail = f"without a role: {', '.join(strange)}" if strange else "every column has one"
    return Finding("roles known", not strange, detail)
