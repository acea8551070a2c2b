"""The folder of a release, and the private one beside it: what lies where, and reading it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import polars as pl

from shoal import io
from shoal.errors import InputError, OutputError
from shoal.io.frames import Coded

FACTS = "release.json"
RELEASE_SIGNATURE = "release.sig"
"""In the public folder of a signed release."""
MANIFEST = "manifest.json"
ROWS = "rows.parquet"
NAME = "name"
"""The column of `ROWS` that names the person of each published row, where releases go on."""
PLAN = "plan.toml"
SIGNATURES = "signatures.parquet"
"""Of a table that is to be published again: who was shown among which values."""
PRIVATE = ".private"
"""How the name of the private folder ends."""
_MOST = 5


@dataclass(frozen=True)
class Layout:
    """How the tables of a release belong together, as its public facts say.

    ``table``: the file of the only table, or of the one of quasi-identifiers.
    ``value_files``: the files of values, by sensitive column; by ``None`` where one file holds the
        only one.
    ``class_column``: the class id, where there are several tables.
    ``quasi_cells``, ``sensitive_cells``: how cells and values are shown there, in the words of the
        publication's options.
    ``centres``: what numbers show, where cells are centres of their class.
    ``counterfeits``: how many values of a class nobody holds, by class id.
    """

    table: str
    value_files: Mapping[str | None, str]
    class_column: str | None = None
    quasi_cells: str | None = None
    sensitive_cells: str | None = None
    centres: Literal["mean", "median"] | None = None
    counterfeits: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Layout:
        """Find it in public facts (raises `KeyError` or `TypeError` where they are damaged).

        What a form of publication says of its tables stands under its name, so that any form
        can be read without knowing it.

        >>> facts = {"publication": "two-table", "files": {"quasi.csv": "", "sensitive.csv": ""},
        ...     "two_table": {"class_column": "class", "quasi_cells": "exact",
        ...                   "sensitive_cells": "rows"}}
        >>> Layout.of(facts).value_files
        {None: 'sensitive.csv'}
        """
        table, *others = facts["files"]
        if any(Path(name).name != name for name in facts["files"]):
            raise KeyError("files")  # a release does not point out of its folder
        layout_facts: Any = facts.get(str(facts["publication"]).replace("-", "_"))
        if not others and (layout_facts is None or "class_column" not in layout_facts):
            centre = None if layout_facts is None else layout_facts.get("centre")
            if centre not in (None, "mean", "median"):
                raise KeyError("centre")
            return cls(table, {}, centres=centre)
        value_files = (
            layout_facts["files"]
            if "files" in layout_facts
            else dict(zip([None], others, strict=True))
        )
        if set(value_files.values()) != set(others):
            raise KeyError("files")
        # Older releases say `quasi` and `sensitive`.
        quasi, sensitive = (
            layout_facts[f"{role}_cells"] if f"{role}_cells" in layout_facts else layout_facts[role]
            for role in ("quasi", "sensitive")
        )
        counterfeits = layout_facts.get("counterfeits", {})
        if not all(isinstance(n, int) and n > 0 for n in counterfeits.values()):
            raise KeyError("counterfeits")
        ids = layout_facts["class_column"]
        return cls(table, value_files, ids, quasi, sensitive, counterfeits=counterfeits)

    @property
    def exact(self) -> bool | None:
        """Whether quasi-identifiers are published unchanged; ``None`` if unknown."""
        return None if self.quasi_cells is None else self.quasi_cells == "exact"


def read_facts(folder: Path) -> dict[str, Any]:
    """Read what a release says of itself."""
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        facts["columns"], facts["require"]
        Layout.of(facts)
        io.Style.of(facts)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"'{folder / FACTS}' is damaged.", "Give a plan or flags.") from None
    return facts


def read_table(path: Path, facts: Mapping[str, Any] | None) -> Coded:
    """Read a table of a release in the form we write, and anyone else's as it comes.

    There is no guess about ours, as a column may be named ``;``. Formulas that were escaped are
    as they were again. A table may be a folder of Parquet files.
    """
    if path.is_dir():
        return Coded(pl.read_parquet(path / "*.parquet"))
    if facts is None or path.name not in facts["files"] or path.suffix != ".csv":
        return io.read(path, categories=None).table
    style = io.Style.of(facts)
    found = io.read(
        path, separator=style.separator, encoding=style.encoding, quote='"', categories=None
    ).table
    found = style.read(found)
    if facts.get("formulas") != "escape":
        return found
    names = io.unescape(pl.Series(found.columns, dtype=pl.String)).to_list()
    cells = [found[name].map(io.unescape) for name in found.columns]
    return Coded(dict(zip(names, cells, strict=True)))


def private_folder(folder: Path) -> Path:
    """Name the private folder beside a release."""
    try:
        place = folder.resolve()
        return place.with_name(f"{place.name}{PRIVATE}")
    except (OSError, RuntimeError, ValueError):  # NUL, a ring of links, the root of the disk
        raise OutputError(
            f"'{folder}' cannot hold a release with a private folder beside it.",
            "Name another folder.",
        ) from None


def read_manifest(private: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Read the private manifest of the release with these public facts; refuse any other."""
    if private.is_symlink():
        problem = f"The private folder '{private}' is a link, which is not followed."
        raise InputError(problem, "Name the folder itself with --manifest, or remove the link.")
    try:
        manifest: dict[str, Any] = json.loads((private / MANIFEST).read_text(encoding="utf-8"))
        other, kept = manifest.get("id"), manifest.get("public", {"files": {}, "claims": {}})
        _ = {**kept["files"], **kept["claims"]}
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        problem = f"'{private / MANIFEST}' is missing or damaged."
        raise InputError(problem, f"Move '{private}' away, or restore it completely.") from None
    if other != facts.get("id"):
        before = {name: claim for name, claim in kept["claims"].items() if name != "id"}
        changed = [f"'{name}'" for name, claim in before.items() if facts.get(name) != claim]
        listed = ", ".join(changed[:_MOST]) + " and others" * (len(changed) > _MOST)
        raise InputError(
            f"The private folder '{private}' belongs to another release, or {FACTS} was changed: "
            f"their ids differ{f', and so does what they state of {listed}' if listed else ''}.",
            "Bring back the two folders that belong together, or move the private one away to "
            "judge the published files alone.",
        )
    return manifest


def read_rows(private: Path) -> pl.DataFrame | None:
    """Read from a private folder which original row each published row stands for.

    ``None`` where Spark wrote it: rows have no numbers there (see `read_people`).
    """
    path = private / ROWS
    if path.is_dir():
        return None
    if not path.is_file():
        raise InputError(f"There is no private manifest in '{private}'.", f"It holds {ROWS}.")
    try:
        return pl.read_parquet(path)  # ours: loading pyarrow would take longer than reading it
    except (OSError, pl.exceptions.PolarsError):
        return io.read(path).frame


def read_people(private: Path, table: Coded, entity: str) -> pl.DataFrame:
    """Number the people of a table that Spark published, by the rows of its private folder.

    They hold what is published beside whose it is, in another order. Rows that show the same are
    not told apart, and need not be: they are in one class.
    """
    names = table.columns
    beside = pl.read_parquet(private / ROWS / "*.parquet").select(
        *(pl.col("published").struct.field(name) for name in names),
        pl.col("original").struct.field(entity).rank("dense").cast(pl.Int64).alias("\0person"),
    )
    shown = table.frame.with_row_index("\0row").sort(names)
    beside = beside.sort(names)
    if not shown.select(names).equals(beside.select(names)):
        raise InputError(
            f"The rows of '{private / ROWS}' are not the published rows.",
            "Restore the folder that belongs to the release.",
        )
    person = shown.select("\0row", beside["\0person"]).sort("\0row")["\0person"]
    return pl.DataFrame({"person": person - 1})
