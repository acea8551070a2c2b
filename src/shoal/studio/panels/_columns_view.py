"""What the page of columns shows: a card for each, and questions that only a person can answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.judging.remarks.same_information import find_same_information
from shoal.plan import Plan
from shoal.plan.column import ColumnPlan
from shoal.plan.plan import UNANSWERED
from shoal.steward.proposal import ColumnProfile, Distribution, Offer, TokenWarning
from shoal.studio.loaded import LoadedTable, Uniqueness
from shoal.studio.panels._columns_changes import KEPT
from shoal.studio.studio import Studio
from shoal.table.schema import Role


@dataclass(frozen=True)
class Doubt:
    """A text that could mean missing, and what the plan takes it for."""

    warning: TokenWarning
    means_missing: bool


@dataclass(frozen=True)
class Card:
    """A column: what it is like, what the plan says of it, and what was proposed."""

    number: int
    """Its place in the plan."""
    name: str
    settings: ColumnPlan
    profile: ColumnProfile | None
    spread: Distribution | None
    reason: str
    """Why its role was proposed."""
    proposed: str
    """The proposed role, if another one was chosen; else nothing."""
    changed: bool
    """Whether anything differs from what was proposed."""
    missing: tuple[str, ...]
    """The texts that mean missing in it, besides those that always do."""
    own_missing: bool
    doubts: tuple[Doubt, ...]
    twins: tuple[str, ...]
    """Other quasi-identifiers that say the same."""
    offers: tuple[Offer, ...]
    is_entity: bool

    @property
    def role(self) -> str:
        """Its role in the plan."""
        return self.settings.role.value

    @property
    def kind(self) -> str:
        """Its kind, as the plan takes it."""
        if self.settings.age_at is not None:
            return "numeric"
        return "categorical" if self.settings.kind is None else self.settings.kind.value


@dataclass(frozen=True)
class View:
    """All cards, and what concerns several of them."""

    cards: tuple[Card, ...]
    missing: tuple[str, ...]
    """Texts that mean missing in every column, besides those that always do."""
    entity: str
    """The number of the column that tells people apart; ``"none"``, ``"?"`` or nothing."""
    doubted: Any
    same_information: tuple[str, ...]
    """Columns of different roles that say the same, in words."""
    unkept: tuple[str, ...]
    """Columns that the promise names, though they are sensitive no more."""
    uniqueness: Uniqueness | None
    """How many people are unique, where that is known already."""

    @property
    def quasi(self) -> int:
        """How many quasi-identifiers there are."""
        return sum(card.role == "quasi" for card in self.cards)

    @property
    def changed(self) -> bool:
        """Whether anything differs from what was proposed."""
        return any(card.changed for card in self.cards)

    @property
    def is_unanswered(self) -> bool:
        """Whether a run waits until somebody says who has several rows."""
        return self.entity == UNANSWERED


def view_of(studio: Studio) -> View:
    """Look at the plan as it is now."""
    plan, table = studio.plan, studio.table
    names = list(plan.columns)
    entity = plan.entity or ""
    if entity in names:
        entity = str(names.index(entity))
    roles = {name: column.role for name, column in plan.columns.items()}
    same = {name: found.twins for name, found in table.profiles.items()}
    return View(
        cards=tuple(_card(table, plan, number, name) for number, name in enumerate(names)),
        missing=tuple(each for each in plan.input.missing if each not in KEPT),
        entity=entity,
        doubted=table.proposal.doubted,
        same_information=tuple(found.sentence for found in find_same_information(roles, same)),
        unkept=_unkept(plan),
        uniqueness=table.uniqueness(plan) if table.knows_uniqueness(plan) else None,
    )


def _card(table: LoadedTable, plan: Plan, number: int, name: str) -> Card:
    settings = plan.columns[name]
    proposed = table.proposal.plan.columns.get(name)
    profile = table.profiles.get(name)
    tokens = plan.missing_of(name)
    quasi = {other for other, each in plan.columns.items() if each.role is Role.QUASI}
    twins = tuple(each for each in (profile.twins if profile else ()) if each in quasi)
    return Card(
        number=number,
        name=name,
        settings=settings,
        profile=profile,
        spread=table.distributions.get(name),
        reason=table.reasons.get(name, ""),
        proposed="" if proposed is None or proposed.role is settings.role else proposed.role.value,
        changed=proposed is not None and proposed != settings,
        missing=tuple(each for each in tokens if each not in KEPT),
        own_missing=settings.missing is not None,
        doubts=tuple(
            Doubt(each, each.doubt.token in tokens)
            for each in table.proposal.warnings
            if each.column == name
        ),
        twins=twins if settings.role is Role.QUASI else (),
        offers=tuple(
            each
            for each in table.proposal.offers
            if each.column == name
            and each.key != "age_at"
            and getattr(settings, each.key) is None
            and (settings.kind == "numeric" or settings.role is Role.SENSITIVE)
        ),
        is_entity=plan.entity == name,
    )


def _unkept(plan: Plan) -> tuple[str, ...]:
    """Find columns of requirements about sensitive values that are not sensitive any more."""
    gone: list[str] = []
    for spec, requirement in zip(plan.require, plan.requirements(), strict=True):
        several = spec.get("l")
        named = [spec.get("column"), *(several if isinstance(several, dict) else ())]
        gone += [
            name
            for name in named
            if name in plan.columns
            and name not in requirement.private_columns
            and plan.columns[name].role is not Role.SENSITIVE
        ]
    return tuple(dict.fromkeys(gone))
