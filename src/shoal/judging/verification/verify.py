"""Recount a published table from its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import one_of
from shoal.base.arrays import Bools, Ints
from shoal.base.plural import counted
from shoal.errors import ParameterError
from shoal.io.frames import Coded, to_coded
from shoal.judging.verification import counting
from shoal.judging.verification.against import compare, untouched
from shoal.judging.verification.centres import centred
from shoal.judging.verification.counting import PrivateCells, all_rows
from shoal.judging.verification.linked import verify_linked
from shoal.judging.verification.order import row_order
from shoal.judging.verification.population import fitting
from shoal.judging.verification.preparing import prepared_anew
from shoal.judging.verification.result import Finding, Verification
from shoal.judging.verification.spellings import spelling_remarks
from shoal.judging.verification.unordered import compare_counts
from shoal.models import GroupStatistics, Requirement, Requirements
from shoal.publications.published import Counterfeits, Published
from shoal.table.population import population_of
from shoal.table.schema import Schema, SchemaLike, as_schema
from shoal.table.sensitive import binned


def verify(
    table: Any,
    schema: SchemaLike,
    require: Requirements,
    *,
    original: Any = None,
    rows: npt.ArrayLike | Literal["unknown"] | None = None,
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
        stands for. Without it, row i stands for row i. ``"unknown"``: rows were shuffled, and
        nothing links them to the original. Then values are only counted, and what the original
        cannot tell stays open: the result has not passed, and names it under ``uncounted``.
    people
        A value per published row that identifies people. Needed only where the schema names an
        entity column and neither the table nor the original gives it.
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
        For two tables: the number of counterfeit values per class id, as in ``release.json``. For
        one table: which rows are counterfeits, as in the private folder; ``rows`` and
        ``people`` are of the others then. Only where the requirements allow them
        (m-invariance).
    population
        The people from whom the table was drawn: any frame with the quasi-identifiers, a row for
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
    given_schema = as_schema(schema)
    require = counting.bind_all(require, given_schema)
    _require_used(require, original, rows, centres, population)
    source, schema, whole, given = None, given_schema, None, rows
    if original is not None:
        whole = to_coded(original, exact=given_schema.other)
        shown, rows = _published_rows(whole, rows)
        source, schema = binned(*prepared_anew(shown, given_schema))
        require = counting.bind_all(require, schema)  # trees are built now
    if centres is not None:
        one_of("centres", centres, ("mean", "median"))
    published = Published.read(
        table, schema, class_column=class_column, centres=centres, counterfeits=counterfeits
    )
    _require_fitting(published, class_column, centres, as_written)
    if published.linked:
        if population is not None:
            raise ParameterError(
                "People of a population can only be counted for one published table.",
                "Leave the population out, or give one table.",
            )
        found = verify_linked(
            published,
            schema,
            require,
            source=source,
            rows=rows,
            people=people,
            given_schema=given_schema,
        )
        if not as_written:
            return found
        if source is None or rows is None or isinstance(rows, str):
            raise ParameterError(
                "Whether the order of tables links their rows cannot be checked without the "
                "original.",
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
    places = order if given is None or isinstance(given, str) else np.asarray(given)
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
        findings += untouched(table, source, schema, order, given_schema)
    if source is not None and order is None:
        findings += compare_counts(published, source, schema, given_schema)
    cells = PrivateCells(schema, whole, places, classes, persons)
    judged = []
    held = _count(table, schema, require, classes, persons)
    if population is not None:
        everybody, alone = prepared_anew(population_of(population, given_schema), given_schema)
        known = schema if source is not None else alone
        held = replace(held, **fitting(table, classes, known, everybody)._asdict())
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
        remarks=tuple(spelling_remarks(published, schema)),
    )


def _require_used(
    require: Sequence[Requirement], original: Any, rows: Any, centres: Any, population: Any
) -> None:
    """Refuse arguments that nothing would come of (raises `ParameterError`)."""
    for name, given in (("rows", rows), ("centres", centres)):
        if given is not None and original is None:
            raise ParameterError(
                f"{name} has no effect without an original.",
                f"Give original, too, or leave {name} out.",
            )
    if population is not None and not any("population" in each.needs for each in require):
        raise ParameterError(
            "A population is given, but no requirement counts its people.",
            "Require k-map or delta-presence, or leave it out.",
        )


def _require_fitting(
    published: Published, class_column: str | None, centres: Any, as_written: bool
) -> None:
    """Refuse arguments that are for several tables where there is one, and the other way round."""
    several = {"class_column": class_column is not None, "as_written": as_written}
    for name, given in several.items():
        if given and not published.linked:
            raise ParameterError(
                f"{name} is for several tables that share a class id, but there is one table.",
                f"Leave {name} out{' (--class)' * (name == 'class_column')}, or give all tables.",
            )
    if centres is not None and published.linked:
        raise ParameterError(
            "centres is for one table, but there are several.", "Leave centres out."
        )


def _among_people(classes: Ints, nobody: Bools) -> Finding:
    """Look for counterfeits whose cells nobody shows."""
    alone = int((~np.isin(classes[nobody], classes[~nobody])).sum())
    problem = f"{counted(alone, 'row')} of them with cells that no person shows"
    return Finding.of("rows of counterfeits", alone, problem, "among people with the same cells")


def _published_rows(
    original: Coded, rows: npt.ArrayLike | Literal["unknown"] | None
) -> tuple[Coded, npt.ArrayLike | Literal["unknown"] | None]:
    """Take the rows that were published: removed ones have no part in trees that are built.

    Rows that cannot be a selection are left to be refused beside the published table.
    """
    own = np.asarray([] if rows is None or isinstance(rows, str) else rows)
    if not len(own) or len(own) >= original.height or own.dtype.kind not in "iu":
        return original, rows
    if own.ndim != 1 or own.min() < 0 or own.max() >= original.height:
        return original, rows
    kept = np.unique(own)
    return original.take(kept), kept.searchsorted(own)


def _count(
    published: Coded,
    schema: Schema,
    require: Sequence[Requirement],
    classes: Ints,
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
