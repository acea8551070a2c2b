"""Recount a published table from its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.arguments import one_of
from shoal.errors import ParameterError
from shoal.frames import Coded, to_coded
from shoal.models import GroupStatistics, Requirement, Requirements
from shoal.plural import counted
from shoal.published import Counterfeits, Published
from shoal.schema import Schema, SchemaLike, as_schema
from shoal.table.population import population_of
from shoal.table.sensitive import binned
from shoal.verification import counting
from shoal.verification.against import compare, untouched
from shoal.verification.all_rows import all_rows
from shoal.verification.centres import centred
from shoal.verification.linked import verify_linked
from shoal.verification.order import row_order
from shoal.verification.population import fitting
from shoal.verification.preparing import prepared_anew
from shoal.verification.private import PrivateCells
from shoal.verification.result import Finding, Verification

__all__ = ["verify"]


def verify(
    table: Any,
    schema: SchemaLike,
    require: Requirements,
    *,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    people: npt.ArrayLike | None = None,
    class_column: str | None = None,
    as_written: bool = False,
    centres: Literal["mean", "median"] | None = None,
    counterfeits: Counterfeits | None = None,
    population: Any = None,
) -> Verification:
    """Say whether anyone's published table holds its requirements.

    Parameters
    ----------
    table
        The published table, from Shoal or elsewhere; a release; or tables that share a class id:
        ``{"quasi": …, "sensitive": …}``, or ``{"quasi": …, "sensitive": {column: …}}`` where
        each sensitive column has a table of its own.
    schema
        The roles of the columns, such as ``{"age": "quasi", "disease": "sensitive"}``.
        Identifiers must not be in the table.
    require
        What must hold: 10 for 10-anonymity, a requirement, or a list of them.
    original
        The table it was made from. Then also, row by row: every published cell covers the
        original one, and sensitive and other columns show the row's own values. Where the schema
        asks for ages, ends or rounding, the original is what they make of its cells. A table of
        values by class shows those of the class's rows; where each value of a class is shown
        once: those of its rows are among them, and all occur in the original.
    rows
        For each published row (of several tables: each row of ``quasi``), the original row it
        stands for. Without it, row i stands for row i.
    people
        A value per published row that tells people apart. Needed only where the schema
        names an entity column and neither the table nor the original gives it.
    class_column
        Of several tables: the column of class ids; found by itself if it is the only column
        that all have and that has no role.
    as_written
        Of several tables, with the original: they are in the order in which they go out. Then
        also: that order links no value to its row, and no two sensitive columns to each other,
        better than chance (`row_order`).
    centres
        Of one table whose cells are centres of their classes (``microaggregated``): what numbers
        show. With the original it is then checked that each cell is the centre of its class,
        instead of covering what its row holds. A release says it by itself.
    counterfeits
        Of two tables: how many values of a class nobody holds, by its id, as ``release.json``
        says it. Of one table: which rows nobody holds, as the private folder says it; ``rows`` and
        ``people`` are of the others then. Only where what is required allows for them
        (m-invariance).
    population
        The people whom the table was drawn from: any frame with the quasi-identifiers, a row for
        each. Requirements that count them (`KMap` without ``fraction``, `DeltaPresence`) cannot be
        judged without it: the result names them under ``uncounted``, and has not passed.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]", "[30, 42]", "*"], "disease": ["a", "b", "b"]})
    >>> result = shoal.verify(table, {"age": "quasi", "disease": "sensitive"}, 2)
    >>> result
    Verification(FAILED, k = 1, 3 rows in 2 classes)
    >>> result.reasons()
    ['2-anonymity (every group holds at least 2) does not hold in 1 of 2 classes (1 of 3 rows)']
    """
    asked = as_schema(schema)
    require = counting.bound(require, asked)
    source, schema = None, asked
    if original is not None:
        source, schema = binned(*prepared_anew(to_coded(original), asked))
        require = counting.bound(require, schema)  # trees are built now
    if centres is not None:
        one_of("centres", centres, ("mean", "median"))
    published = Published.read(
        table, schema, class_column=class_column, centres=centres, counterfeits=counterfeits
    )
    if published.linked:
        if population is not None:
            raise ParameterError(
                "People of a population can only be counted for one published table.",
                "Leave the population out, or give one table.",
            )
        found = verify_linked(
            published, schema, require, source=source, rows=rows, people=people, asked=asked
        )
        if not as_written:
            return found
        if source is None or rows is None:
            raise ParameterError(
                "Whether the order of tables links them cannot be told without the original.",
                "Give original and rows, or leave as_written out.",
            )
        order_tells = row_order(published, schema, source, rows)
        return replace(found, findings=(*found.findings, order_tells))
    published.require_columns(
        schema.quasi and (*schema.quasi, *schema.sensitive),
        "Verification needs every quasi-identifier and every sensitive column.",
    )
    table, names = published.held, published.coded.columns
    counting.require_columns(table, source, (*schema.quasi, *schema.untouched))
    order = counting.order_of(table, source, rows)
    every = published.equal_cells(schema.quasi).to_numpy()
    nobody = published.counterfeit_rows
    classes = every if nobody is None else every[~nobody]
    persons = counting.persons_of(table, schema, source, order, people)
    findings = [
        counting.identifiers_removed(names, schema),
        counting.roles_known(names, schema),
        *all_rows(schema, require, classes, persons),
    ]
    if nobody is not None:
        findings += [counting.allowed_counterfeits(require), _among_people(every, nobody)]
    if source is not None and order is not None:
        centre = published.centres
        if centre is None:
            findings.append(compare(table, source, schema, order))
        else:
            findings.append(centred(table.frame, source, schema, order, classes, centre))
        findings += untouched(table, source, schema, order, asked)
    cells = PrivateCells(schema, source, order, classes, persons)
    judged = []
    held = _count(table, schema, require, classes, persons)
    if population is not None:
        whole, alone = prepared_anew(population_of(population, asked), asked)
        known = schema if source is not None else alone
        held = replace(held, **fitting(table, classes, known, whole)._asdict())
    for each in require:
        # Of several releases, values that are shown are counted, whoever holds them.
        groups = _count(published.coded, schema, [each], every) if each.across_releases else held
        judged.append(cells.judge(each.of_equal_cells(), groups))
    return Verification(
        rows=published.coded.height,
        classes=int(every.max()) + 1,
        counted="rows" if persons is None else "people",
        judgements=tuple(judged),
        findings=tuple(findings),
    )


def _among_people(classes: npt.NDArray[np.int64], nobody: npt.NDArray[np.bool_]) -> Finding:
    """Look for counterfeits whose cells nobody shows."""
    alone = int((~np.isin(classes[nobody], classes[~nobody])).sum())
    detail = "among people of the same cells"
    if alone:
        detail = f"{counted(alone, 'row')} of them with cells that nobody shows"
    return Finding("rows of counterfeits", not alone, detail)


def _count(
    published: Coded,
    schema: Schema,
    require: Sequence[Requirement],
    classes: npt.NDArray[np.int64],
    persons: npt.NDArray[np.integer[Any]] | None = None,
) -> GroupStatistics:
    """Count the classes, and their sensitive values where a requirement asks for them."""
    rows, people = counting.sizes(classes, persons)
    wanted = any("histograms" in requirement.needs for requirement in require)
    return GroupStatistics(
        rows,
        people,
        {
            name: counting.histogram(
                classes,
                published[name].map(partial(counting.values_of, schema=schema, name=name)),
                persons=persons,
            )
            for name in (schema.sensitive if wanted else ())
        },
    )
