"""Published tables as people name them: a file, or the folder of a release."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal import io, models
from shoal.cells import texts
from shoal.errors import InputError, OutputError, ParameterError
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.release import (
    FACTS,
    PLAN,
    private_folder,
    read_manifest,
    read_released,
    recover,
    require_same_release,
)
from shoal.schema import Column, Role, Schema
from shoal.verification import Finding, find_class_column

__all__ = ["Published", "claim", "flags", "named", "open_published", "public_facts"]


@dataclass(frozen=True)
class Published:
    """A published table or several, and what lies beside."""

    path: Path
    frame: pl.DataFrame
    """The table, or of several the one of quasi-identifiers."""
    facts: dict[str, Any] | None
    private: Path | None
    manifest: pl.DataFrame | None
    secrets: Mapping[Path, pl.DataFrame] = field(default_factory=dict)
    """The tables of sensitive values, by file."""
    class_column: str | None = None
    by_column: Mapping[str, Path] | None = None
    """The file of each sensitive column, where each has a table of its own."""

    @property
    def tables(self) -> Any:
        """What `shoal.verify` and `shoal.query` read."""
        if not self.secrets:
            return self.frame
        if self.by_column is None:
            return {"quasi": self.frame, "sensitive": next(iter(self.secrets.values()))}
        apart = {name: self.secrets[path] for name, path in self.by_column.items()}
        return {"quasi": self.frame, "sensitive": apart}

    @property
    def exact(self) -> bool | None:
        """Whether quasi-identifiers are published as they are; ``None`` if nobody said."""
        linked = _linked(self.facts)
        return None if linked is None else bool(linked["quasi"] == "exact")

    def groups(self, known: Collection[str]) -> npt.NDArray[Any] | None:
        """Give the class of each row, where sensitive values are published apart."""
        if not self.secrets:
            return None
        return texts(self.frame[self.class_of(known)]).to_numpy()

    def values(self, known: Collection[str]) -> dict[str, pl.DataFrame] | None:
        """Give the classes and values of each sensitive column, where each value is shown once."""
        linked = _linked(self.facts)
        if self.by_column is None or (linked is not None and linked["sensitive"] != "values"):
            return None
        ids = self.class_of(known)
        return {name: self.secrets[path][[ids, name]] for name, path in self.by_column.items()}

    def class_of(self, known: Collection[str]) -> str:
        """Name the column of class ids; ``known`` are the columns that have a role."""
        return self.class_column or find_class_column(
            self.frame, list(self.secrets.values()), known
        )

    @property
    def rows(self) -> npt.NDArray[np.int64] | None:
        """For each published row, the original one; ``None`` if nobody knows."""
        return None if self.manifest is None else self.manifest["original_row"].to_numpy()

    @property
    def people(self) -> npt.NDArray[np.int64] | None:
        """A number per published row that tells people apart; ``None`` if nobody knows."""
        if self.manifest is None or "person" not in self.manifest.columns:
            return None
        return self.manifest["person"].to_numpy()

    def private_plan(self) -> Plan | None:
        """The plan in the private folder, if there is one."""
        if self.private is None or not (self.private / PLAN).is_file():
            return None
        return Plan.read(self.private / PLAN)

    def unchanged(self) -> list[Finding]:
        """Say whether the files are still the ones that were released."""
        paths = [self.path, *self.secrets]
        files = {} if self.facts is None else self.facts["files"]
        ours = [path for path in paths if path.name in files]
        if not ours:
            return []
        same = all(_digest(path) == files[path.name] for path in ours)
        detail = "the same bytes as when it was released" if same else "changed since its release"
        check = "file unchanged" if len(ours) == 1 else "files unchanged"
        return [Finding(check, same, detail)]


def open_published(
    path: Path,
    manifest: Path | None = None,
    *,
    sensitive_tables: Sequence[Path] = (),
    class_column: str | None = None,
) -> Published:
    """Open a published file or a release's folder, with its private folder if it is there.

    Parameters
    ----------
    sensitive_tables
        The tables of values, where it is no release that says so itself.
    class_column
        The column of class ids.
    """
    for place in (path, path.parent):
        # Where it cannot be done, the ids still tell whether the folders belong together.
        with contextlib.suppress(OutputError):
            recover(place)
    folder = path if path.is_dir() else path.parent
    facts = public_facts(folder) if (folder / FACTS).is_file() else None
    if path.is_dir():
        if facts is None:
            raise InputError(f"'{path}' is not a release: it has no {FACTS}.", "Name the file.")
        path = folder / next(iter(facts["files"]))
    linked = _linked(facts)
    by_column: Mapping[str, Path] | None = None
    if facts is not None and linked is not None and not sensitive_tables:
        path, sensitive_tables, by_column = _files_of(path, facts, linked)
        class_column = class_column or linked["class_column"]
    private = manifest
    if private is None and facts is not None and private_folder(folder).is_dir():
        private = private_folder(folder)
    if private is not None and facts is not None and path.name in facts["files"]:
        require_same_release(facts, private)
    links = None if private is None else read_manifest(private)
    secrets = {each: _read(each, facts) for each in sensitive_tables}
    if by_column is None and len(secrets) > 1:
        by_column = _columns_of(secrets)
    frame = _read(path, facts)
    return Published(path, frame, facts, private, links, secrets, class_column, by_column)


def _linked(facts: dict[str, Any] | None) -> dict[str, Any] | None:
    """Find what a release says of tables that share a class id."""
    said = facts or {}
    return said.get("two_table") or said.get("sensitive_groups")


def _files_of(
    path: Path, facts: dict[str, Any], linked: dict[str, Any]
) -> tuple[Path, list[Path], dict[str, Path] | None]:
    """Find all files of a release, whichever was named; another file stands alone."""
    if path.name not in facts["files"]:
        return path, [], None
    named = {Path(name).stem: path.with_name(name) for name in facts["files"]}
    by_column = {name: path.with_name(file) for name, file in linked.get("files", {}).items()}
    wanted = {each.stem for each in by_column.values()} or {"sensitive"}
    if not {"quasi", *wanted} <= set(named):
        raise InputError(f"'{path.with_name(FACTS)}' is damaged.", "Give a plan or flags.")
    if by_column:
        return named["quasi"], list(by_column.values()), by_column
    return named["quasi"], [named["sensitive"]], None


def _columns_of(secrets: Mapping[Path, pl.DataFrame]) -> dict[str, Path]:
    """Find the sensitive column of each of several tables: the one that the others lack."""
    made: dict[str, Path] = {}
    for path, frame in secrets.items():
        others = [each.columns for place, each in secrets.items() if place != path]
        own = [name for name in frame.columns if not any(name in other for other in others)]
        if len(own) != 1:
            raise InputError(
                f"'{path}' has {len(own)} columns that no other table of values has, not one.",
                "Each table of values needs a class id and a sensitive column of its own.",
            )
        made[own[0]] = path
    return made


def _read(path: Path, facts: dict[str, Any] | None) -> pl.DataFrame:
    """Read a file of ours in the form we write, and anyone else's as it comes."""
    if facts is not None and path.name in facts["files"]:
        return read_released(path, facts.get("formulas", "keep"))
    return io.read(path).frame


def public_facts(folder: Path) -> dict[str, Any]:
    """Read what a release says of itself."""
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        facts["columns"], facts["require"], facts["files"]
        for form, needed in (("two_table", ()), ("sensitive_groups", ("files", "sensitive"))):
            for key in ("class_column", "quasi", *needed) if form in facts else ():
                facts[form][key]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"'{folder / FACTS}' is damaged.", "Give a plan or flags.") from None
    return facts


def claim(facts: dict[str, Any]) -> tuple[Schema, list[Requirement]]:
    """Make the schema and the requirements that a release claims for itself."""
    try:
        told = {name: tuple(meant) for name, meant in facts.get("missing_texts", {}).items()}
        roles = {
            name: Column(Role(role), missing=told.get(name))
            for name, role in facts["columns"].items()
        }
    except (ValueError, TypeError, AttributeError):
        raise InputError("The release's roles are damaged.", "Give a plan or flags.") from None
    schema = Schema(roles, entity=facts.get("entity"))
    return schema, [models.from_spec(spec) for spec in facts["require"]]


def flags(
    quasi: str, sensitive: str, k: int | None, columns: list[str]
) -> tuple[Schema, list[Requirement]]:
    """Make a schema and a requirement from flags; all other columns are ``other``."""
    if k is None:
        raise ParameterError("Nothing is required.", "Give --plan, or --quasi with --k.")
    roles = dict.fromkeys(named(quasi), Column(Role.QUASI))
    roles |= dict.fromkeys(named(sensitive), Column(Role.SENSITIVE))
    rest = {name: Column(Role.OTHER) for name in columns if name not in roles}
    return Schema({**roles, **rest}), [models.KAnonymity(k)]


def named(text: str) -> list[str]:
    """Read names with commas between."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
