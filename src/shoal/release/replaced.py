"""A release that another one replaces in its folder: who has both can join them."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import ShoalError
from shoal.publications.published import FACTS, PLAN, private_folder, read_facts
from shoal.publications.published.folder import MANIFEST

if TYPE_CHECKING:
    from shoal.release import Release


@dataclass(frozen=True)
class ReplacedRelease:
    """The release that a folder holds, before another one replaces it.

    ``folder``: where it lies.
    ``files``, ``columns``: its files with their hashes, and its columns.
    ``input_rows``, ``input_path``: how many rows its table had, and where that lay; ``None`` if
        nobody knows any more.
    """

    folder: Path
    files: Mapping[str, str]
    columns: frozenset[str]
    input_rows: int | None = None
    input_path: str | None = None

    @classmethod
    def find(cls, folder: str | os.PathLike[str]) -> ReplacedRelease | None:
        """Read it; ``None`` where there is none, or one that cannot be read."""
        place = Path(folder)
        try:
            if not (place / FACTS).is_file():
                return None
            facts = read_facts(place)
            private = private_folder(place)
        except (OSError, ShoalError):
            return None
        recorded: dict[str, Any] = {}
        rows = path = None
        try:
            recorded = json.loads((private / MANIFEST).read_text(encoding="utf-8"))
            if recorded["id"] == facts.get("id"):
                rows = recorded["rows"]["input"]
                plan = tomllib.loads((private / PLAN).read_text(encoding="utf-8"))
                path = plan["input"].get("path")
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass  # the columns alone must tell
        return cls(place, dict(facts["files"]), frozenset(facts["columns"]), rows, path)

    def same_table(self, release: Release) -> bool:
        """Say whether a release seems to be of the same table.

        It is if it was read from the same file, or has the same columns and as many rows.
        """
        is_file = isinstance(release.original, str | os.PathLike)
        if is_file and str(Path(release.original).resolve()) == self.input_path:
            return True
        same = self.columns == frozenset(release.facts()["columns"])
        return same and self.input_rows in (None, release.input_rows)

    def warning(self, release: Release) -> str:
        """Say what must be known where another release of the same table took its place.

        Empty if it is of another table, or if the files are the same, byte by byte.
        """
        if not self.same_table(release) or read_facts(self.folder)["files"] == self.files:
            return ""
        return (
            f"'{self.folder}' held another release of this table, which is replaced. An "
            "attacker who has both can join them, and fewer people may match than either "
            "release promises. If you have handed out the old one, write the new one to a "
            "separate folder and run `shoal risk OLD NEW` to see what both reveal together."
        )
