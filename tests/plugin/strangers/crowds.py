"""A form of publication: two tables by other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.publications import TwoTable, option


@dataclass(frozen=True)
class Crowds(TwoTable):
    """Publish people and their secrets apart; whoever stands together is called a crowd."""

    word: str = option("crowd", "What a group is called.")

    name: ClassVar[str] = "crowds"
    files: ClassVar[tuple[str, ...]] = ("people", "secrets")

    @property
    def class_column(self) -> str:  # type: ignore[override]
        """What the group id is called."""
        return self.word

    def file_names(self, sensitive: Sequence[str]) -> dict[str | None, str]:
        """Name the two files."""
        return {None: "people", sensitive[0]: "secrets"}

    @classmethod
    def sentences(cls, facts: Mapping[str, Any]) -> list[str]:
        """Say it in words."""
        return [f"Crowds are numbered in the column {facts[cls.key()]['class_column']}."]
