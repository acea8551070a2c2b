"""A trial: a plan run with a lever, and what became of each column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shoal.measures import MEASURES, coarseness
from shoal.plan import Plan
from shoal.release import Release
from shoal.steward.advice.levers import Lever
from shoal.steward.comparison.point import Figures, figures_of, measured


@dataclass(frozen=True)
class ColumnFigures:
    """What became of a column."""

    typical: str
    """The median cell in words: see `shoal.measures.Coarseness.typical`."""
    starred: float
    kept: float
    """The shares of its known cells that are ``*``, and that are as they were."""
    loss: float
    """The share of its information that is lost: its part of `iloss_rate`."""


@dataclass(frozen=True)
class Trial(Figures):
    """What was measured of a plan with a lever."""

    lever: Lever
    columns: Mapping[str, ColumnFigures] = field(default_factory=dict)
    """What became of each quasi-identifier that is published."""


def measure_trial(plan: Plan, data: Any, lever: Lever) -> Trial:
    """Run a plan with a lever, and measure it; nothing is written.

    What cannot be made gives a trial that says why.
    """
    return Trial(lever, **measured(lambda: lever.plan(plan), data, _columns))


def trial_of(made: Release, lever: Lever) -> Trial:
    """Measure a release that is there already."""
    return Trial(lever, **figures_of(made), **_columns(made))


def _columns(made: Release) -> dict[str, Any]:
    losses = MEASURES["iloss_rate"].by_column_of(made.pair)
    columns = {
        name: ColumnFigures(each.typical, each.starred, each.kept, losses[name])
        for name, each in coarseness(made.pair).items()
    }
    return {"columns": columns}
