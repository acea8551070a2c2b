"""What the next run is asked for: the method, the weights of columns, and how long to refine."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shoal.base.members import first_line
from shoal.errors import ParameterError, ShoalError
from shoal.methods import METHODS
from shoal.plan import Plan
from shoal.plan.compatibility import refusals
from shoal.steward.comparison.budget import budgeted, can_be_refined, reweighed
from shoal.studio.jobs import Job
from shoal.studio.studio import Studio
from shoal.table.schema import Role, Schema

KIND = "release"
"""The kind of the jobs that are runs."""

TIMES = (0.0, 1.0, 2.0, 5.0, 20.0)
"""How many times as long as usual a run may refine; the first is a quick look."""

LEAST_WEIGHT, MOST_WEIGHT = 0.1, 10
"""What the ends of a slider mean: every column counts at least a little."""


@dataclass(frozen=True)
class Choice:
    """A method that can be chosen, or why not."""

    name: str
    family: str
    """The folder of its family."""
    about: str
    """What it does, in a sentence."""
    chosen: bool
    reason: str = ""


@dataclass(frozen=True)
class Weight:
    """How much a quasi-identifier counts; its number is its place among the plan's columns."""

    number: int
    name: str
    weight: float

    @property
    def at(self) -> int:
        """Where its slider stands."""
        return min(round(self.weight), MOST_WEIGHT)


def choices(plan: Plan) -> list[Choice]:
    """List the methods, and say of each that cannot carry the plan why."""
    try:
        schema: Schema | None = plan.schema_()
    except ShoalError:  # another panel says what is wrong with the columns
        schema = None
    own = plan.method["name"]
    bare = plan.model_copy(update={"refine": None, "bound": None})
    made = []
    for name in METHODS:
        kind = METHODS[name]
        try:
            found = refusals(bare.combination(kind()), schema)
            reason = found[0].problem if found else ""
        except ShoalError as error:
            reason = error.problem
        family = kind.__module__.rpartition(".")[0].rpartition(".")[2]
        made.append(Choice(name, family, first_line(kind), name == own, reason))
    return made


def weights(plan: Plan) -> Iterator[Weight]:
    """List how much each quasi-identifier counts."""
    for number, (name, column) in enumerate(plan.columns.items()):
        if column.role is Role.QUASI:
            yield Weight(number, name, column.weight)


def set_method(studio: Studio, name: str) -> None:
    """Group by another method; what was said to the old one is gone, but its seed stays."""
    if name not in METHODS:
        raise ParameterError("There is no such method.", "Load the page again.")

    def change(data: dict[str, Any]) -> None:
        old = data.get("method", {})
        if old.get("name") == name:
            return
        if "seed" in old:
            data.setdefault("publication", {}).setdefault("seed", old["seed"])
        data["method"] = {"name": name}
        for part in ("refine", "bound"):  # they were said of the old one's groups
            data.pop(part, None)
        _reweigh(data, studio, {})

    studio.change(change)


def set_weight(studio: Studio, number: int, at: float) -> None:
    """Let a column count more or less, by its number among the plan's columns."""
    known = {each.number: each.name for each in weights(studio.plan)}
    if number not in known or not 0 <= at <= MOST_WEIGHT:
        raise ParameterError("There is no such column to weigh.", "Load the page again.")
    settings = {known[number]: max(float(at), LEAST_WEIGHT)}

    studio.change(lambda data: _reweigh(data, studio, settings))


def budget_of(studio: Studio, plan: Plan) -> float | None:
    """Say how many times as long as usual the next run refines; ``None``: as the plan says."""
    if studio.budget is not None:
        return studio.budget
    return None if plan.refine is not None or plan.bound is not None else TIMES[0]


def add_run(studio: Studio, plan: Plan, times: float | None) -> Job:
    """Ask for a run of a plan.

    `times`: how many times as long as usual it refines; ``None``: as the plan says.
    """
    data = plan.to_dict()
    if "seed" not in data.get("method", {}):
        # The same plan is to give the same bytes wherever it is run again.
        data.setdefault("publication", {}).setdefault("seed", secrets.randbits(53))
    settings = Plan.from_dict(data, folder=studio.folder)
    budgeted_plan = settings if times is None else budgeted(settings, times)
    request = {
        "plan": budgeted_plan.to_dict(),
        "folder": str(studio.folder),
        "before": data,
        "times": times,
        "can_be_refined": can_be_refined(settings),
    }
    return studio.queue.add(KIND, request)


def _reweigh(data: dict[str, Any], studio: Studio, settings: dict[str, float]) -> None:
    made = reweighed(Plan.from_dict(data, folder=studio.folder), settings).to_dict()
    data.clear()
    data.update(made)
