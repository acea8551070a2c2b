"""Runs as cards, and all of them as points of risk and loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shoal.errors import ParameterError
from shoal.plan import Plan
from shoal.steward.comparison.frontier import frontier, recommended
from shoal.steward.comparison.plot import Plot, plot
from shoal.studio.jobs import Job, State
from shoal.studio.panels._runs_settings import KIND, TIMES
from shoal.studio.studio import Studio
from shoal.table.schema import Role

COMPARABLE = "iloss_rate"
"""The measure whose values lie on the axis of losses; centres have another one."""

WIDE, HIGH = 320.0, 90.0

NEAR = 0.6
"""A bound below this share of the loss would make the fall too flat to be seen."""


@dataclass(frozen=True, eq=False)
class Run:
    """A run: the job that makes it, and what people are told of it."""

    number: int
    """Its place among all runs, from 1 on."""
    job: Job

    @cached_property
    def plan(self) -> Plan:
        """What was asked for."""
        return Plan.from_dict(self.job.request["plan"], folder=self.job.request["folder"])

    @property
    def asked(self) -> dict[str, Any]:
        """The plan as somebody asked for it, before its budget was written into it."""
        made: dict[str, Any] = self.job.request.get("before") or self.job.request["plan"]
        return made

    @property
    def required(self) -> list[str]:
        """What must hold, in words."""
        return [each.describe() for each in self.plan.requirements()]

    @property
    def method(self) -> str:
        """The name of its method."""
        return str(self.plan.method["name"])

    @property
    def times(self) -> float | None:
        """How many times as long as usual it refines; ``None``: as its plan says."""
        return self.job.request.get("times")

    @property
    def further(self) -> float | None:
        """The next longer budget; ``None`` if there is none, or nothing can be refined."""
        if self.times is None or not self.job.request.get("can_be_refined"):
            return None
        return next((each for each in TIMES if each > self.times), None)

    @property
    def weighed(self) -> list[tuple[str, float]]:
        """Which columns count more or less than others."""
        columns = self.plan.columns.items()
        return [(n, c.weight) for n, c in columns if c.role is Role.QUASI and c.weight != 1]

    @property
    def is_done(self) -> bool:
        """Whether there is a release."""
        return self.job.state is State.DONE and self.job.result is not None

    @property
    def result(self) -> dict[str, Any]:
        """What came of it (raises `ParameterError` unless it is done)."""
        if not self.is_done or self.job.result is None:
            raise ParameterError("This run has no release.", "Choose one that is done.")
        return self.job.result

    @property
    def loss(self) -> float:
        """The share of the information that is lost."""
        return float(self.result["figures"]["loss"])

    @property
    def highest(self) -> float:
        """How likely a person is found, at most."""
        return float(self.result["figures"]["highest"])

    @property
    def is_comparable(self) -> bool:
        """Whether it has a place in the picture of risk and loss."""
        return self.is_done and self.result.get("measure", COMPARABLE) == COMPARABLE


@dataclass(frozen=True, eq=False)
class Board:
    """All runs, which are open, and where they lie between risk and loss."""

    runs: Sequence[Run]
    open: Sequence[Job]

    @property
    def points(self) -> list[Run]:
        """The runs that have a place in the picture."""
        return [run for run in self.runs if run.is_comparable]

    @cached_property
    def best(self) -> tuple[Run, ...]:
        """The runs that no other beats, the safest last."""
        return frontier(self.points)

    @cached_property
    def recommended(self) -> Run | None:
        """The run to begin with; of a single one nothing is said."""
        return recommended(self.best) if len(self.points) > 1 else None

    @property
    def methods(self) -> list[str]:
        """The methods in the picture, in the order of their shapes."""
        return list(dict.fromkeys(run.method for run in self.points))

    def picture(self, texts: Sequence[str]) -> Plot:
        """Place the points, each with its text."""
        shapes = [self.methods.index(run.method) for run in self.points]
        return plot(self.points, texts, shapes)


def runs_of(studio: Studio) -> list[Run]:
    """List the runs that are still there, the first one first."""
    jobs = [job for job in studio.queue.jobs if job.kind == KIND]
    return [Run(number, job) for number, job in enumerate(jobs, 1) if not job.removed]


def run_of(studio: Studio, number: int) -> Run:
    """Find a run by the number of its job (raises `ParameterError` if there is none)."""
    for run in runs_of(studio):
        if run.job.number == number:
            return run
    raise ParameterError("There is no such run.", "Load the page again.")


def curve(job: Job) -> dict[str, Any] | None:
    """Draw how the loss of a job fell, and the bound that it cannot fall below.

    ``None`` while too little is known to draw.
    """
    seen = list(job.losses)
    if len(seen) < 2 or seen[-1][0] <= seen[0][0]:
        return None
    first, last = seen[0], seen[-1]
    least = job.least or None
    low, top = min(each[1] for each in seen), max(each[1] for each in seen)
    shows_bound = least is not None and least >= NEAR * low
    if shows_bound and least is not None:
        low = least
    span = (top - low) or 1.0

    def y(loss: float) -> float:
        return round(4 + (HIGH - 8) * (top - loss) / span, 1)

    wide = last[0] - first[0]
    places = [f"{WIDE * (at - first[0]) / wide:.1f},{y(loss)}" for at, loss in seen]
    return {
        "width": WIDE,
        "height": HIGH,
        "line": " ".join(places),
        "bound": y(least) if shows_bound and least is not None else None,
        "gained": 1 - last[1] / first[1] if first[1] else 0.0,
        "least": None if least is None or not last[1] else least / last[1],
    }
