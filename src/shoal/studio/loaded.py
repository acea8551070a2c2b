"""What is known of the table that the studio works on, found once and kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from shoal import pipeline
from shoal.frames import Coded
from shoal.io import SQL
from shoal.plan import Plan
from shoal.proposal import Proposal, propose

__all__ = ["LoadedTable"]

T = TypeVar("T")

MOST_KEPT = 500
"""So many things that were found are kept; then all are found again."""


@dataclass(frozen=True, eq=False)
class LoadedTable:
    """A table, how it was read, and what is proposed for it.

    Parameters
    ----------
    name
        What people call it: the name of the file, or of the database.
    source
        Where it is read from.
    plan
        The plan that it is read by; before somebody decides, the proposed one.
    proposal
        Roles with reasons, hierarchies and more, whatever the plan says.
    reading
        How the file is read, where somebody said so.
    """

    name: str
    source: Path | SQL
    plan: Plan
    proposal: Proposal
    reading: Mapping[str, str | int] = field(default_factory=dict)
    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(
        cls,
        source: Path | SQL,
        *,
        plan: Plan | None = None,
        name: str | None = None,
        reading: Mapping[str, str | int] | None = None,
    ) -> LoadedTable:
        """Read a table, and propose what it lacks.

        Parameters
        ----------
        plan
            A plan that says what the columns are; without it the proposed one.
        reading
            How the file is read, where that should not be detected: see `shoal.propose`.
        """
        said = dict(reading or {})
        made = propose(source, **said)  # type: ignore[arg-type]  # names are checked there
        called = name or (source.name if isinstance(source, Path) else source.describe())
        return cls(called, source, plan or made.plan, made, said)

    @cached_property
    def table(self) -> Coded:
        """The table itself (private), as the plan reads it."""
        return pipeline.read(self.source, self.plan, whole=True)[0]

    def keep(self, key: Hashable, find: Callable[[], T]) -> T:
        """Find something, and know it from now on under a key that says all it depends on."""
        if key in self._kept:
            found: T = self._kept[key]
            return found
        made = find()
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[key] = made
        return made

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self.proposal.rows

    @property
    def read_as(self) -> str:
        """How it was read, in words."""
        return self.proposal.read_as
