"""Publishing a table again: what the next release must know, kept in the private folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import replace
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import texts
from shoal.base.plural import counted
from shoal.errors import InfeasibleError, OutputError
from shoal.judging.verification import Verification
from shoal.judging.verification.across import hidden_classes
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.publications.published import Published
from shoal.publications.published.folder import NAME
from shoal.table import Table
from shoal.table.schema import Schema

if TYPE_CHECKING:
    from shoal.release import Release
    from shoal.release.earlier import Earlier


def across(require: Collection[Requirement]) -> Requirement | None:
    """Find the requirement that speaks of several releases, if there is one."""
    return next((each for each in require if each.across_releases), None)


def require_one_row_each(table: Table) -> None:
    """Refuse people with several rows: their classes together would show fewer values."""
    if table.people is None:
        return
    several = int((np.bincount(table.people) > 1).sum())
    if several:
        raise InfeasibleError(
            f"{counted(several, 'person has', 'people have')} several rows, and m-invariance "
            "protects one row per person.",
            "Keep one row per person.",
        )


def require_apart(target: str | PathLike[str], previous: str | PathLike[str]) -> None:
    """Refuse to replace the release that the next one goes on from."""
    if Path(target).resolve() == Path(previous).resolve():
        raise OutputError(
            "The release would replace the one it continues.",
            "Write it to another folder (--output).",
        )


def names_of(table: Table) -> pl.Series:
    """Name the person of each row: by the entity column, or else by the row's number."""
    if table.schema.entity is None:
        return texts(pl.int_range(table.n_rows, eager=True))
    return texts(table.coded.cells(table.schema.entity))


def groups_of(published: Published, grouping: Grouping) -> Ints:
    """Give the group of each row of the first table, that of counterfeits among them."""
    held = grouping.labels[grouping.rows].astype(np.int64)
    if published.counterfeit_rows is None:
        return held
    (added,) = grouping.padding.values()
    return published.in_order(held, added.group)


def verify_across(
    found: Verification,
    require: Collection[Requirement],
    published: Published,
    schema: Schema,
    *,
    groups: Ints,
    names: pl.Series,
    earlier: Earlier | None,
) -> Verification:
    """Add what a requirement of several releases asks beside its classes; no method is asked.

    ``groups``: the group of each published row, which readers of one table are not told.
    ``names``: the name of the person of each row but counterfeits.
    ``earlier``: the release that this one goes on from, if any.
    """
    requirement = across(require)
    assert requirement is not None, "it was asked before"
    made, (column,) = list(found.findings), schema.sensitive
    if not published.linked:
        made.append(hidden_classes(published, schema, column, groups, m=requirement.least_size))
    if earlier is not None:
        made.append(earlier.verify(published, names, schema, groups))
    return replace(found, findings=tuple(made))


def state(release: Release) -> tuple[dict[str, Any], bytes]:
    """Give what the next release must know: facts for the manifest, and a file of signatures."""
    (column,) = release.schema.sensitive
    requirement = across(release.require)
    assert requirement is not None
    whole, earlier = release.whole, release.earlier
    shown = {} if earlier is None else dict(earlier.shown)
    names = names_of(whole)[release.rows]
    values = _values_of_rows(release.groups, release.pair.table, column)
    shown |= dict(zip(names, values, strict=True))
    file = BytesIO()
    data = {NAME: list(shown), "values": [sorted(each, key=str) for each in shown.values()]}
    made = pl.DataFrame(data, schema={NAME: pl.String, "values": pl.List(pl.String)})
    made.write_parquet(file, compression="lz4")
    recorded: dict[str, Any] = {
        "m": requirement.least_size,
        "column": column,
        "entity": release.schema.entity,
        "rows": whole.n_rows,
    }
    if release.schema.entity is None:
        recorded["digests"] = digests(whole)
    if earlier is not None:
        recorded |= {"previous": earlier.release.facts.get("id"), "people": dict(release.again)}
    return recorded, file.getvalue()


def _values_of_rows(grouping: Grouping, table: Table, column: str) -> list[frozenset[str | None]]:
    """Give the values of each published row's class, counterfeits included."""
    codes, labels = table.sensitive[column].codes, table.sensitive[column].labels
    groups, values = grouping.labels[grouping.rows], codes[grouping.rows]
    owners, added = groups, grouping.padding.get(column)
    if added is not None:
        owners, values = np.append(groups, added.group), np.append(values, added.value)
    held: list[set[str | None]] = [set() for _ in range(grouping.n_groups)]
    for group, value in zip(owners.tolist(), values.tolist(), strict=True):
        held[group].add(labels[value])
    frozen = [frozenset(each) for each in held]
    return [frozen[group] for group in groups.tolist()]


def digests(table: Table) -> dict[str, str]:
    """Hash the cells of each quasi-identifier and of the sensitive column, in their order."""
    names = (*table.schema.quasi, *table.schema.sensitive)
    cells = {name: json.dumps(texts(table.coded.cells(name)).to_list()) for name in names}
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in cells.items()}
