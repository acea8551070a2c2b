"""How sensitive each value of a column is, for a person to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.errors import ParameterError, ShoalError
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.steward.proposal.rarity import MOST_LEVELS, WARNING
from shoal.studio.loaded import LoadedTable
from shoal.studio.panels._promise_feasible import whole_table

MOST_SHOWN = 100
"""The number of values that are shown for grading by hand."""


@dataclass(frozen=True)
class Graded:
    """A value: its number, its level (0: none), and the share of those who hold it."""

    code: int
    label: str
    level: int
    share: float


@dataclass(frozen=True)
class Levels:
    """The values of a column with their levels."""

    column: str
    given: dict[str, int]
    """The level of each value, as the plan has it."""
    shown: tuple[Graded, ...]
    """The most frequent values, the most sensitive first."""
    count: int
    warning: str = WARNING
    most: int = MOST_LEVELS


def levels_of(table: LoadedTable, plan: Plan, requirement: Requirement) -> Levels | None:
    """List the values of the column that a requirement grades; ``None`` if it grades none."""
    if not requirement.tells_levels or getattr(requirement, "levels", None) is not None:
        return None
    sensitive = [n for n, column in plan.columns.items() if column.role.value == "sensitive"]
    graded = [name for name in sensitive if plan.columns[name].levels]
    name = getattr(requirement, "column", None) or next(iter([*graded, *sensitive]), None)
    if name not in sensitive:
        return None
    try:
        given = dict(plan.schema_()[name].levels or {})
        bare = plan.columns[name].model_copy(update={"levels": None})
        whole, _ = whole_table(
            table, plan.model_copy(update={"columns": {**plan.columns, name: bare}})
        )
    except ShoalError:
        return None
    found = whole.group.histograms[name]
    total = max(int(whole.group.counts.sum()), 1)
    counts = found.totals.tolist()
    often = sorted(range(len(counts)), key=lambda code: -counts[code])[:MOST_SHOWN]
    shown = [
        Graded(code, label, given.get(label, 0), counts[code] / total)
        for code in often
        for label in [found.labels[code] or ""]
    ]
    shown.sort(key=lambda each: (each.level, each.share, each.label))
    return Levels(name, given, tuple(shown), len(counts))


def with_level(
    levels: Levels, requirement: Requirement, code: int, level: int
) -> tuple[dict[str, int], list[Any]]:
    """Give a value another level; a level that is new has the share of the one before it."""
    found = next((each for each in levels.shown if each.code == code), None)
    if found is None or not 1 <= level <= MOST_LEVELS:
        raise ParameterError("There is no such value or level.", "Load the page again.")
    given = {**levels.given, found.label: level}
    alphas = list(getattr(requirement, "alphas", [])) or [1.0]
    most = max(given.values())
    return given, [*alphas, *[alphas[-1]] * most][: max(most, len(alphas))]
