"""Published tables as people name them: files, or the folder of a release."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import polars as pl

from shoal.base.arrays import Ints
from shoal.errors import InputError
from shoal.io.frames import Coded
from shoal.publications.published.folder import (
    FACTS,
    NAME,
    Layout,
    private_folder,
    read_facts,
    read_manifest,
    read_people,
    read_rows,
    read_table,
)
from shoal.publications.published.tables import Counterfeits, Published, find_class_column
from shoal.table.schema import Schema

ROW = "original_row"
"""The column of links that numbers the original rows."""


@dataclass(frozen=True, eq=False)
class PublishedFiles:
    """A published table or several, as files, and what lies beside them.

    ``paths``: the files: the table, or of several the one of quasi-identifiers first.
    ``tables``: what they hold, as `Published.read` takes it.
    ``facts``: what the release says of itself; ``None`` where the files are no release.
    ``private``: the private folder that belongs to it, if it is there.
    ``manifest``: what is known in private: the seed, measures of all digits, …
    ``links``: whose row each published row is, as the private folder says.
    """

    paths: Sequence[Path]
    tables: Any
    facts: Mapping[str, Any] | None = None
    private: Path | None = None
    manifest: Mapping[str, Any] | None = None
    links: pl.DataFrame | None = None
    class_column: str | None = None
    exact: bool | None = None
    centres: Literal["mean", "median"] | None = None
    counterfeits: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        private: Path | None = None,
        sensitive_tables: Sequence[Path] = (),
        class_column: str | None = None,
    ) -> PublishedFiles:
        """Open a published file or a release's folder, with its private folder if it is there.

        ``private``: the private folder, where it does not lie beside the release.
        ``sensitive_tables``: the tables of values, where it is no release that says so itself.
        """
        folder = path if path.is_dir() else path.parent
        facts = read_facts(folder) if (folder / FACTS).is_file() else None
        if path.is_dir():
            if facts is None:
                raise InputError(f"'{path}' is not a release: it has no {FACTS}.", "Name the file.")
            path = folder / Layout.of(facts).table
        ours = facts is not None and path.name in facts["files"]
        layout = Layout.of(facts) if facts is not None and ours else None
        wanted: dict[str | None, Path] = dict(zip([None], sensitive_tables, strict=False))
        if layout is not None and not sensitive_tables:
            path = folder / layout.table
            wanted = {name: folder / file for name, file in layout.value_files.items()}
            class_column = class_column or layout.class_column
        frames = {each: read_table(each, facts) for each in sensitive_tables or wanted.values()}
        if len(sensitive_tables) > 1:
            wanted = _columns_of(frames)
        if private is None and facts is not None and private_folder(folder).is_dir():
            private = private_folder(folder)
        manifest = None
        if private is not None and facts is not None and ours:
            manifest = read_manifest(private, facts)
        links = None if private is None else read_rows(private)
        tables: Any = read_table(path, facts)
        if private is not None and links is None and manifest is not None and facts is not None:
            entity = facts.get("entity")  # Spark wrote it
            links = None if entity is None else read_people(private, tables, entity)
        if wanted:
            apart = {name: frames[each] for name, each in wanted.items()}
            tables = {"quasi": tables, "sensitive": apart.get(None, apart)}
        return cls(
            (path, *wanted.values()),
            tables,
            facts,
            private,
            manifest,
            links,
            class_column,
            None if layout is None else layout.exact,
            None if layout is None else layout.centres,
            {} if layout is None else layout.counterfeits,
        )

    def columns(self, known: Collection[str]) -> list[str]:
        """List the columns of the first table but the class id; ``known`` ones have a role."""
        if not isinstance(self.tables, Mapping):
            return list(self.tables.columns)
        quasi, apart = self.tables["quasi"], self.tables["sensitive"]
        others = list(apart.values()) if isinstance(apart, Mapping) else [apart]
        ids = self.class_column or find_class_column(quasi, others, known)
        return [name for name in quasi.columns if name != ids]

    def read(self, schema: Schema | None = None) -> Published:
        """Read the tables; roles help to find class ids."""
        return Published.read(
            self.tables,
            schema,
            class_column=self.class_column,
            exact=self.exact,
            centres=self.centres,
            counterfeits=self.known_counterfeits,
        )

    @property
    def known_counterfeits(self) -> Counterfeits:
        """How many values nobody holds, by class; or which rows, if the private folder says it."""
        if self.links is None or not self._numbered or not self.links[ROW].null_count():
            return self.counterfeits
        return self.links[ROW].is_null().to_numpy()

    @property
    def rows(self) -> Ints | None:
        """For each published row that somebody holds, the original one; ``None`` if unknown."""
        found = self._linked(ROW)
        return None if found is None else found.to_numpy()

    @property
    def persons(self) -> Ints | None:
        """A number per such row that tells people apart; ``None`` if nobody knows."""
        found = self._linked("person")
        return None if found is None else found.to_numpy()

    @property
    def names(self) -> pl.Series | None:
        """The name of the person of each such row; ``None`` if nobody knows."""
        return self._linked(NAME)

    @property
    def groups(self) -> Ints | None:
        """The class of every published row, as those know who made it; ``None`` if unknown."""
        if self.links is None or "group" not in self.links.columns:
            return None
        return self.links["group"].to_numpy()

    def _linked(self, what: str) -> pl.Series | None:
        """Say something of each published row that stands for an original one."""
        if self.links is None or what not in self.links.columns:
            return None
        held = self.links[what]
        return held.filter(self.links[ROW].is_not_null()) if self._numbered else held

    @property
    def _numbered(self) -> bool:
        """Whether original rows have numbers: Spark's have none."""
        return self.links is not None and ROW in self.links.columns

    @property
    def is_release(self) -> bool:
        """Whether they are the tables of a release, with what it says of itself."""
        return self.facts is not None and self.paths[0].name in self.facts["files"]

    @property
    def changed(self) -> list[tuple[str, bool]]:
        """The files that a release names, and whether each changed since it was released."""
        files = {} if self.facts is None else self.facts["files"]
        ours = [path for path in self.paths if path.name in files]
        return [(path.name, digest(path) != files[path.name]) for path in ours]


def _columns_of(value_tables: Mapping[Path, Coded]) -> dict[str | None, Path]:
    """Find the sensitive column of each of several tables: the one that the others lack."""
    made: dict[str | None, Path] = {}
    for path, frame in value_tables.items():
        others = [each.columns for place, each in value_tables.items() if place != path]
        own = [name for name in frame.columns if not any(name in other for other in others)]
        if len(own) != 1:
            raise InputError(
                f"'{path}' has {len(own)} columns that no other table of values has, instead "
                "of one.",
                "Each table of values needs a class id and one sensitive column.",
            )
        made[own[0]] = path
    return made


def digest(path: Path) -> str:
    """Give the SHA-256 of a file, by which a release knows its own; of a folder, of all in it."""
    if path.is_dir():
        each = [f"{digest(part)}  {part.name}\n" for part in sorted(path.iterdir())]
        return hashlib.sha256("".join(each).encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
