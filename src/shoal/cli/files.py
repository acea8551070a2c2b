"""Published tables as people name them: a file, or the folder of a release."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal import io, models
from shoal.errors import InputError, ParameterError
from shoal.models import Requirement
from shoal.release import FACTS, private_folder, read_manifest
from shoal.schema import Column, Role, Schema

__all__ = ["Published", "open_published", "public_facts"]


@dataclass(frozen=True)
class Published:
    """A published table, and what lies beside it."""

    frame: pl.DataFrame
    facts: dict[str, Any] | None
    manifest: pl.DataFrame | None


def open_published(path: Path, manifest: Path | None = None) -> Published:
    """Open a published file or a release's folder, with its private manifest if it is there."""
    folder = path if path.is_dir() else path.parent
    facts = None
    if (folder / FACTS).is_file():
        facts = public_facts(folder)
    if path.is_dir():
        if facts is None:
            raise InputError(f"'{path}' is not a release: it has no {FACTS}.", "Name the file.")
        path = folder / next(iter(facts["files"]))
    links = None
    beside = private_folder(folder)
    if manifest is not None:
        links = read_manifest(manifest)
    elif facts is not None and beside.is_dir():
        links = read_manifest(beside)
    return Published(io.read(path).frame, facts, links)


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
    return Schema(roles), [models.from_spec(spec) for spec in facts["require"]]


def flags(
    quasi: str, sensitive: str, k: int | None, columns: list[str]
) -> tuple[Schema, list[Requirement]]:
    """Make a schema and a requirement from flags; all other columns are ``other``."""
    if k is None:
        raise ParameterError("Nothing is required.", "Give --plan, or --quasi with --k.")
    named = {name.strip(): Column(Role.QUASI) for name in quasi.split(",") if name.strip()}
    named |= {name.strip(): Column(Role.SENSITIVE) for name in sensitive.split(",") if name.strip()}
    rest = {name: Column(Role.OTHER) for name in columns if name not in named}
    return Schema({**named, **rest}), [models.KAnonymity(k)]
