"""The tables of a release in a database, long after: are they still what its files hold?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.base.cells import shortest, texts
from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.io.frames import Coded
from shoal.io.sql import RELEASES, SQL, Address, declared_types, read_sql
from shoal.judging.verification import Finding

if TYPE_CHECKING:
    from shoal.release.opened import OpenedRelease

_ROWS = "\0rows"


def compare_delivered(opened: OpenedRelease, address: Address) -> tuple[list[Finding], Any]:
    """Compare tables of a database with the files, rows in any order; also give the tables.

    Raises `InputError` if the database cannot be read, or holds no table of this release.
    """
    marks = _marks(opened, address)
    names = _names(opened, marks)
    tables: dict[str, Coded] = {}
    same = all(_read(text) == opened.facts for text in marks["facts"])
    detail = "the same as in the folder" if same else "not the claims in the folder"
    findings = [Finding("claims in the database", same, detail)]
    for file, name in names.items():
        source, held = SQL(address.given, table=name), _held(opened)[file]
        tables[file] = read_sql(source, categories=None).table
        numbers = [name for name, kind in declared_types(source).items() if kind == "numeric"]
        findings.append(_same_rows(_one_form(held, numbers), tables[file], name))
    first, *others = tables.values()
    if not others:
        return findings, first
    apart = opened.files.tables["sensitive"]
    columns = dict(zip(apart, others, strict=True)) if isinstance(apart, Mapping) else others[0]
    return findings, {"quasi": first, "sensitive": columns}


def _held(opened: OpenedRelease) -> dict[str, Coded]:
    """Give the tables of the files, by the names of these."""
    tables = opened.files.tables
    if not isinstance(tables, Mapping):
        return {opened.files.paths[0].name: tables}
    apart = tables["sensitive"]
    several = list(apart.values()) if isinstance(apart, Mapping) else [apart]
    files = [path.name for path in opened.files.paths]
    return dict(zip(files, [tables["quasi"], *several], strict=True))


def _marks(opened: OpenedRelease, address: Address) -> pl.DataFrame:
    """Read what the database notes of this release."""
    wanted = SQL(address.given, query=f"SELECT table_name, release_id, facts FROM {RELEASES}")
    try:
        marks = read_sql(wanted).table.frame
    except InputError as error:
        raise InputError(
            f"The table '{RELEASES}' is missing from the database or cannot be read.", error.hint
        ) from None
    return marks.filter(texts(marks["release_id"]) == str(opened.facts.get("id")))


def _read(text: object) -> object:
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError):
        return None


def _names(opened: OpenedRelease, marks: pl.DataFrame) -> dict[str, str]:
    """Find the table of each file, by what the database notes of releases."""
    files, known = list(_held(opened)), marks["table_name"].to_list()
    if len(files) == 1 and len(known) == 1:
        return {files[0]: known[0]}
    ends = {file: "_" + file.rpartition(".")[0].replace("-", "_") for file in files}
    made = {f: [n for n in known if n.endswith(end)] for f, end in ends.items()}
    if len(known) != len(files) or any(len(each) != 1 for each in made.values()):
        raise InputError(
            f"The database holds {counted(len(known), 'table')} of this release, but its "
            f"folder holds {counted(len(files), 'file')}.",
            "Check the address, or run the plan again with [output] sql.",
        )
    return {file: each[0] for file, each in made.items()}


def _one_form(held: Coded, names: list[str]) -> Coded:
    """Write numbers as they are read where each cell of the database has its own decimals."""
    made = {name: held[name] for name in held.columns}
    for name in {*names} & {*made}:
        if made[name].values.dtype == pl.String:
            made[name] = made[name].map(shortest)
    return Coded(made)


def _same_rows(held: Coded, found: Coded, name: str) -> Finding:
    """Compare rows as multisets, cell by cell as texts; a null may be an empty text."""
    check = f"table '{name}'"
    if sorted(held.columns) != sorted(found.columns):
        strange = sorted(set(found.columns) ^ set(held.columns))
        return Finding(
            check, False, f"columns that differ from those of the file: {', '.join(strange)}"
        )
    columns = list(held.columns)
    if _unlike(held, found, columns) == 0:
        return Finding(check, True, f"the {counted(found.height, 'row')} of the file, in any order")
    moved = [f"'{c}' in {n}" for c in columns if (n := _unlike(held, found, [c]))]
    rows = counted(_unlike(held, found, columns), "row")
    where = f" (cells of column {', '.join(moved)})" if moved else " (cells moved between rows)"
    return Finding(check, False, f"{rows} not found in the file{where}")


def _unlike(held: Coded, found: Coded, columns: list[str]) -> int:
    """Count the rows of either that the other lacks, the larger of the two counts."""
    left, right = (_counted(each, columns) for each in (held, found))
    both = left.join(right, on=columns, how="full", coalesce=True, suffix="\0other")
    more = both[_ROWS].fill_null(0).cast(pl.Int64)
    less = both[f"{_ROWS}\0other"].fill_null(0).cast(pl.Int64)
    return max(int((more - less).clip(0).sum()), int((less - more).clip(0).sum()))


def _counted(table: Coded, columns: list[str]) -> pl.DataFrame:
    cells = [texts(table.cells(name)).fill_null("").alias(name) for name in columns]
    return pl.DataFrame(cells).group_by(pl.all()).agg(pl.len().alias(_ROWS))
