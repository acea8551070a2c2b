"""One point of a comparison: what a setting costs, and how well it protects."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Self

from shoal.engines import pipeline
from shoal.errors import ShoalError
from shoal.plan import Plan
from shoal.release import Release
from shoal.release.cost import Cost
from shoal.release.promise import cells_stated
from shoal.steward.comparison.setting import Setting

MODEL, SAMPLE = "random-forest", 10_000
"""The model that predicts a label, and the largest number of rows it uses."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What was measured of a plan; all of it is private."""

    loss: float = 0.0
    """What the release cost: `shoal.release.cost.Cost`, with all its digits."""
    lost: str = "of the information"
    """Of what it is a share, as the form of publication states it."""
    cells: str = ""
    added: str = ""
    """What becomes of the cells of quasi-identifiers, and what is published that nobody holds, as
    the form states it."""
    rows: int = 0
    suppressed: int = 0
    """Published and suppressed rows."""
    highest: float = 0.0
    average: float = 0.0
    """How likely a person is found who is known to be in the table: at most, and on average."""
    seconds: float = 0.0
    failed: str = ""
    """Why there is no such release; empty if there is one."""


@dataclass(frozen=True)
class Point(Figures):
    """What was measured of a setting."""

    setting: Setting
    learnt: float | None = None
    """How well the label is predicted by who learns from the release (accuracy, or R²)."""

    def to_dict(self) -> dict[str, Any]:
        """Give it to a program, or to a file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read it back."""
        return cls(**{**data, "setting": Setting(**data["setting"])})


def measure_point(plan: Plan, data: Any, setting: Setting, label: str | None = None) -> Point:
    """Make a release and measure it; nothing is written.

    What cannot be made gives a point that says why.
    """

    def learn(made: Any) -> dict[str, Any]:
        if label is None:
            return {}
        from shoal.judging.utility import utility  # only where a label is named

        options: dict[str, Any] = {"models": [MODEL], "train_on": ("release",), "sample": SAMPLE}
        scores = utility(made.source, made, None, label, **options)
        return {"learnt": next(each.mean for each in scores if each.trained_on == "release")}

    return Point(setting, **measured(lambda: setting.plan(plan), data, learn))


def measured(
    plan: Callable[[], Plan], data: Any, more: Callable[[Release], dict[str, Any]]
) -> dict[str, Any]:
    """Make the release of a plan, and give its `Figures` by name; or why there is none.

    `plan`: makes the plan; what is wrong with it is a reason, too.
    `more`: what else is measured of the release.
    """
    began = time.perf_counter()
    try:
        made = pipeline.anonymize(data, plan())
        figures = figures_of(made) | more(made)
    except ShoalError as error:
        return {"failed": f"{error.problem} {error.hint}"}
    return figures | {"seconds": round(time.perf_counter() - began, 3)}


def figures_of(made: Release) -> dict[str, Any]:
    """Measure a release: its `Figures` by name."""
    from shoal.judging.risk.identity.records import records
    from shoal.judging.risk.identity.reidentification import RiskFigures  # only for those who ask

    people = records(made)
    found = RiskFigures.of(people.per_person(1 / people.sizes), ())
    cost = Cost.of(made)
    return {
        "loss": cost.share or 0.0,
        "lost": cost.whole,
        "cells": cells_stated(made.publication, made.suppressed_columns),
        "added": made.added,
        "rows": made.published.coded.height,
        "suppressed": made.n_suppressed + made.n_dropped,
        "highest": found.highest,
        "average": found.average,
    }
