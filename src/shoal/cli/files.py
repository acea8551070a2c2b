"""Published tables as people name them: a file, or the folder of a release."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal import io, models
from shoal.errors import InputError, ParameterError
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.release import FACTS, PLAN, private_folder, read_manifest, read_released
from shoal.schema import Column, Role, Schema
from shoal.verification import Finding

__all__ = ["Published", "claim", "flags", "open_published", "public_facts"]


@dataclass(frozen=True)
class Published:
    """A published table, and what lies beside it."""

    path: Path
    frame: pl.DataFrame
    facts: dict[str, Any] | None
    private: Path | None
    manifest: pl.DataFrame | None

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
        """Say whether the file is still the one that was released."""
        if self.facts is None or self.path.name not in self.facts["files"]:
            return []
        same = _digest(self.path) == self.facts["files"][self.path.name]
        detail = "the same bytes as when it was released" if same else "changed since its release"
        return [Finding("file unchanged", same, detail)]


def open_published(path: Path, manifest: Path | None = None) -> Published:
    """Open a published file or a release's folder, with its private folder if it is there."""
    folder = path if path.is_dir() else path.parent
    facts = public_facts(folder) if (folder / FACTS).is_file() else None
    if path.is_dir():
        if facts is None:
            raise InputError(f"'{path}' is not a release: it has no {FACTS}.", "Name the file.")
        path = folder / next(iter(facts["files"]))
    private = manifest
    if private is None and facts is not None and private_folder(folder).is_dir():
        private = private_folder(folder)
    links = None if private is None else read_manifest(private)
    return Published(path, _read(path, facts), facts, private, links)


def _read(path: Path, facts: dict[str, Any] | None) -> pl.DataFrame:
    """Read a file of ours in the form we write, and anyone else's as it comes."""
    if facts is not None and path.name in facts["files"]:
        return read_released(path)
    return io.read(path).frame


def public_facts(folder: Path) -> dict[str, Any]:
    """Read what a release says of itself."""
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        facts["columns"], facts["require"], facts["files"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"'{folder / FACTS}' is damaged.", "Give a plan or flags.") from None
    return facts


def claim(facts: dict[str, Any]) -> tuple[Schema, list[Requirement]]:
    """Make the schema and the requirements that a release claims for itself."""
    try:
        roles = {name: Column(Role(role)) for name, role in facts["columns"].items()}
    except ValueError:
        raise InputError("The release's roles are damaged.", "Give a plan or flags.") from None
    schema = Schema(roles, entity=facts.get("entity"))
    return schema, [models.from_spec(spec) for spec in facts["require"]]


def flags(
    quasi: str, sensitive: str, k: int | None, columns: list[str]
) -> tuple[Schema, list[Requirement]]:
    """Make a schema and a requirement from flags; all other columns are ``other``."""
    if k is None:
        raise ParameterError("Nothing is required.", "Give --plan, or --quasi with --k.")
    named = dict.fromkeys(_names(quasi), Column(Role.QUASI))
    named |= dict.fromkeys(_names(sensitive), Column(Role.SENSITIVE))
    rest = {name: Column(Role.OTHER) for name in columns if name not in named}
    return Schema({**named, **rest}), [models.KAnonymity(k)]


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
