"""A form of publication: one table whose file is called a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.publications import Generalized


@dataclass(frozen=True)
class OneSheet(Generalized):
    """Publish one table, as a sheet."""

    name: ClassVar[str] = "one-sheet"
    files: ClassVar[tuple[str, ...]] = ("sheet",)

    def file_names(self, sensitive: Sequence[str]) -> dict[str | None, str]:
        """Name the one file."""
        return {None: "sheet"}
