"""Rows that are not published leave no trace in what is: nothing of theirs but their number.

What is public is a function of the published rows and the plan alone. So rows that are dropped for
a missing cell are changed in every column, and then rows that a method leaves out, in ways that
leave its groups as they are: every public cell and every public fact must stay the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.checks.contract import require
from shoal.engines.pipeline import anonymize
from shoal.errors import ShoalError
from shoal.measures import Measure, pair_of_release
from shoal.methods import Method
from shoal.models import AlphaK, KAnonymity, MultiLDiversity, PersonalK, Private, Requirement
from shoal.publications import Publication
from shoal.publications.groups.grouping import SUPPRESSED
from shoal.publications.groups.possible import rows_without_surplus
from shoal.release import Release
from shoal.table import Table
from shoal.table.hierarchies import Intervals, Prefixes
from shoal.table.schema import Schema, identifier, other, quasi, sensitive

WISH = "wish"
SCHEMA = Schema(
    {
        "income": quasi(kind="numeric"),
        "postcode": quasi(hierarchy=Prefixes()),
        "score": quasi(kind="numeric", hierarchy=Intervals(bins=4)),
        "sex": quasi(),
        "illness": sensitive(levels={"i0": 1, "i1": 2, "i2": 3, "i3": 3, "rare": 1}),
        WISH: identifier(),
        "note": other(),
    }
)
"""Numbers, prefixes and intervals, whose ranges, trees and decimals follow from the rows."""

CHANGES: dict[str, tuple[Any, ...]] = {
    "income": (30_000_000, 49_990),
    "postcode": ("99999999", "x"),
    "score": (0.1234, 1e6),
    "illness": ("rare", "i0"),
    "note": (77,),
}
"""What cells of removed rows become: far off, longer, or of more decimals than all others."""

GAPS: dict[str, tuple[Any, ...]] = dict.fromkeys(SCHEMA.quasi, (None,))
"""Cells that are missing in rows which a method leaves out."""

REQUIRED: tuple[tuple[Requirement, ...], ...] = (
    (KAnonymity(3), PersonalK(WISH)),
    (AlphaK("1/3", 3),),
    (KAnonymity(4),),
    (MultiLDiversity({"illness": 3}),),
)
"""What makes methods leave rows out: wishes that nobody can grant, frequent values, far rows."""


def people(n: int = 42) -> pl.DataFrame:
    """Make rows in small heaps; two lie far from all, and some wish for more than there is."""
    rng, heap = np.random.default_rng(0), np.arange(n) // 4
    far, shown = np.arange(n) >= n - 2, [f"i{i}" for i in range(4)]
    return pl.DataFrame(
        {
            "income": np.where(far, 90_000, 50_000 + heap % 5 * 1000) + rng.integers(0, 4, n) * 50,
            "postcode": [f"1{at % 3}0{rng.integers(4)}{rng.integers(3)}" for at in heap],
            "score": np.round(rng.normal(50 + 10 * (heap % 4), 1, n), 1),
            "sex": rng.choice(["f", "m"], n),
            "illness": rng.choice(shown, n, p=[0.4, 0.2, 0.2, 0.2]),
            WISH: ["1000" if row % 17 == 5 else "2" for row in range(n)],
            "note": rng.integers(0, 5, n),
        }
    )


def method_forgets_removed_rows(method: Method) -> None:
    """Rows that are dropped, or that it leaves out, change nothing public but their number."""
    tried = [needs for needs in REQUIRED if _publishable(method, needs)]
    if not tried:  # it carries something else alone
        return
    _forgets_dropped(method, tried[0])
    for needs in tried:
        _forgets_left_out(method, needs)
        _forgets_surplus(method, needs)


def form_forgets_removed_rows(form: Publication) -> None:
    """What it shows of rows does not depend on rows that are not published."""
    for method in ("mondrian", "mdav", "decomposition"):
        for needs in REQUIRED:
            if _publishable(method, needs, publication=form):
                _forgets_dropped(method, needs, publication=form)
                _forgets_left_out(method, needs, publication=form)


def measure_forgets_removed_rows(measure: Measure) -> None:
    """Of removed rows it knows how many there are."""
    frame = people()
    made = anonymize(frame, SCHEMA, require=[KAnonymity(3)], method="gaa-cp", seed=1)
    kept = np.arange(5, frame.height)
    values = set()
    for each in (frame, *_changed(frame, np.arange(5))):
        both = pair_of_release(each, made.frame[kept], SCHEMA, rows=kept)
        if not measure.applies(both):
            return
        values.add(measure.of(both))
    require(len(values) == 1, "cells of removed rows change it")


def _release(frame: pl.DataFrame, method: Method | str, needs: Any, **options: Any) -> Release:
    options = {"suppression_limit": 0.5, "seed": 7, **options}
    return anonymize(frame, SCHEMA, require=list(needs), method=method, **options)


def _publishable(method: Method | str, needs: Any, **options: Any) -> bool:
    """Say whether a method carries these requirements, with this form."""
    try:
        _release(people(), method, needs, missing="drop", **options)
    except ShoalError:
        return False
    return True


def _forgets_dropped(method: Method | str, needs: Any, **options: Any) -> None:
    """Change rows that miss a cell, and are dropped for it."""
    out = np.array([2, 9])
    frame = people()
    frame = frame.with_columns(frame["sex"].scatter(out, None))
    made = _release(frame, method, needs, missing="drop", **options)
    for each in _all_changed(frame, out):
        again = _release(each, method, needs, missing="drop", **options)
        same = np.array_equal(made.grouping.labels, again.grouping.labels)
        require(same, "rows that are dropped change its groups")
        require(_public(made) == _public(again), "rows that are dropped change what is public")


def _forgets_left_out(method: Method | str, needs: Any, **options: Any) -> None:
    """Change rows that it leaves out, where its groups stay as they are."""
    frame, policy = people(), "suppress-column"
    made = _release(frame, method, needs, missing=policy, **options)
    labels = made.grouping.labels
    out = np.flatnonzero(labels == SUPPRESSED)
    changed = (*_changed(frame, out[:2]), *_changed(frame, out[:2], GAPS))
    for each in changed if len(out) else ():
        try:
            again = _release(each, method, needs, missing=policy, **options)
        except ShoalError:  # too many rows would have to go: a decision of its own
            continue
        if np.array_equal(labels, again.grouping.labels):
            require(
                _public(made) == _public(again), "rows that it leaves out change what is public"
            )


def _forgets_surplus(method: Method | str, needs: Any) -> None:
    """Change rows that go before it groups: what moves its groups is gone with them."""
    frame = people()
    table = Table.encode(frame, SCHEMA)
    whole = [each.bind(table.schema) for each in needs if not isinstance(each, Private)]
    surplus = np.setdiff1d(np.arange(frame.height), rows_without_surplus(table, whole))
    made = _release(frame, method, needs)
    labels = made.grouping.labels
    if not len(surplus) or (labels[surplus] != SUPPRESSED).any():  # it found no groups without
        return
    others = {name: values for name, values in CHANGES.items() if name != "illness"}
    for each in _changed(frame, surplus, others):
        again = _release(each, method, needs)
        same = np.array_equal(labels, again.grouping.labels)
        require(same, "rows of values that are too frequent change its groups")
        require(_public(made) == _public(again), "such rows change what is public")


def _changed(
    frame: pl.DataFrame,
    rows: npt.NDArray[np.intp],
    changes: Mapping[str, Collection[Any]] = CHANGES,
) -> Iterator[pl.DataFrame]:
    """Change one column after the other in some rows."""
    for name, values in changes.items():
        for value in values:
            cells: list[Any] = frame[name].to_list()
            for row in rows.tolist():
                cells[row] = value
            yield frame.with_columns(pl.Series(name, cells))


def _all_changed(frame: pl.DataFrame, rows: npt.NDArray[np.intp]) -> Iterator[pl.DataFrame]:
    """Change all these columns at once, with each value."""
    for at in range(max(map(len, CHANGES.values()))):
        values = {name: (values[at % len(values)],) for name, values in CHANGES.items()}
        changed = frame
        for name, value in values.items():
            (changed,) = _changed(changed, rows, {name: value})
        yield changed


def _public(made: Release) -> tuple[Any, ...]:
    """Give all that files are written from: cells, and facts."""
    published = made.published
    tables = [
        published.frame,
        *(value_table.frame for value_table in published.value_tables.values()),
    ]
    return [table.to_dict(as_series=False) for table in tables], made.facts()
