"""What is known of the table that the studio works on, found once and kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from shoal.engines import pipeline
from shoal.io import SQL
from shoal.io.frames import Coded
from shoal.judging.risk.identity.records import records
from shoal.judging.risk.identity.separation import unique_share, unique_without
from shoal.plan import Plan
from shoal.steward.proposal import (
    Appearance,
    ColumnProfile,
    Distribution,
    Proposal,
    distribution,
    propose,
    propose_column,
)
from shoal.studio.trees import ColumnTrees
from shoal.table.preparing import prepared
from shoal.table.schema import Column, Role, Schema

CATEGORY_BARS = 6
"""The number of bars for categories, which have their names beside them."""


@dataclass(frozen=True)
class Uniqueness:
    """How many people are alone with their quasi-identifiers."""

    share: float
    """The share of people who are, with all of them."""
    without: Mapping[str, float]
    """The same without each column."""


T = TypeVar("T")

MOST_KEPT = 500
"""The number of cached results; beyond it, the cache is cleared."""


@dataclass(frozen=True, eq=False)
class LoadedTable:
    """A table, how it was read, and what is proposed for it."""

    name: str
    """What people call it: the name of the file, or of the database."""
    source: Path | SQL
    plan: Plan
    """The plan that it is read by; before somebody decides, the proposed one."""
    proposal: Proposal
    """Roles with reasons, hierarchies and more, whatever the plan says."""
    reading: Mapping[str, str | int] = field(default_factory=dict)
    counting: threading.Lock = field(default_factory=threading.Lock, repr=False)
    """Held while unique people are counted: once is enough for both cores."""
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

        `plan`: a plan that says what the columns are; without it the proposed one.
        `reading`: how the file is read, where that should not be detected: see `shoal.propose`.
        Without it, as the plan says.
        """
        if reading is None and plan is not None:
            said = plan.input.reading.items()
            reading = {key: value for key, value in said if value is not None and key != "format"}
        given = dict(reading or {})
        made = propose(source, **given)  # type: ignore[arg-type]  # names are checked there
        called = name or (source.name if isinstance(source, Path) else source.describe())
        loaded = cls(called, source, plan or made.plan, made, given)
        _ = loaded.distributions  # found while somebody waits for the table anyway
        return loaded

    @cached_property
    def table(self) -> Coded:
        """The table itself (private), as the plan reads it."""
        return pipeline.read(self.source, self.plan, whole=True)[0]

    @cached_property
    def trees(self) -> ColumnTrees:
        """The hierarchies of its columns (private)."""
        return ColumnTrees(self.table)

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

    @cached_property
    def profiles(self) -> dict[str, ColumnProfile]:
        """What each column is like."""
        return {column.name: column for column in self.proposal.profiles}

    @cached_property
    def distributions(self) -> dict[str, Distribution]:
        """How each column is spread, in a few bins (private)."""
        scaled = (Appearance.INTEGER, Appearance.DECIMAL, Appearance.DATE)
        return {
            name: distribution(
                self.table[name],
                found.appearance,
                (*self.proposal.missing, *found.missing_tokens),
                **({} if found.appearance in scaled else {"most": CATEGORY_BARS}),
            )
            for name, found in self.profiles.items()
        }

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why each role was proposed, without figures, which change with the roles."""
        return {
            made.name: made.reason.removesuffix(made.figures).strip()
            for made in self.proposal.columns
        }

    @cached_property
    def proposed(self) -> dict[str, Any]:
        """The proposed plan, as nested mappings."""
        return self.proposal.plan.to_dict()

    def column_as(
        self,
        name: str,
        role: str,
        *,
        missing: Sequence[str],
        own: Sequence[str] | None = None,
        kind: str | None = None,
    ) -> dict[str, Any]:
        """Say what a plan has for a column in a role: see `proposal.propose_column`."""
        if own is None and name in self.profiles:  # what was guessed once is known
            own = tuple(dict.fromkeys((*missing, *self.profiles[name].missing_tokens)))
        values = self.table.cells(name).alias(name)
        return propose_column(values, role, kind=kind, missing=missing, own=own)

    def knows_uniqueness(self, plan: Plan) -> bool:
        """Whether `uniqueness` answers at once."""
        return _key(_quasi(plan), plan) in self._kept

    def uniqueness(self, plan: Plan) -> Uniqueness:
        """Say how many people are unique by the quasi-identifiers of a plan, and without each.

        Cells are compared as the plan prepares them; people are told apart by its entity.
        """
        columns = _quasi(plan)
        return self.keep(_key(columns, plan), lambda: self._count_unique(plan, columns))

    def _count_unique(self, plan: Plan, columns: dict[str, Column]) -> Uniqueness:
        if not columns:
            return Uniqueness(0.0, {})
        entity = plan.entity if plan.entity in plan.columns else None
        if entity is not None:
            columns.setdefault(entity, Column(Role.IDENTIFIER))
        schema = Schema(columns, entity=entity, missing=plan.input.missing)
        found = records(*prepared(self.table.only(list(columns)), schema))
        return Uniqueness(unique_share(found), unique_without(found))


def _quasi(plan: Plan) -> dict[str, Column]:
    return {
        name: column.column(plan.folder)
        for name, column in plan.columns.items()
        if column.role is Role.QUASI
    }


def _key(columns: Mapping[str, Column], plan: Plan) -> Any:
    """Tell plans apart by all that says which people are alike."""
    quasi = tuple(
        (name, plan.missing_of(name), column.kind, column.preparation)
        for name, column in columns.items()
    )
    return quasi, plan.entity
