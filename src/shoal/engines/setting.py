"""What the engines share: a run's setting, which no step changes, its steps and its clock."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, TypeVar

from shoal.methods import Method
from shoal.plan import Plan
from shoal.publications import Publication
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import Recoded
from shoal.table import QuasiColumn, Table

Report: TypeAlias = Callable[[str, int, int], None]
"""Called with the step's name, the work done and the work in all."""

State = TypeVar("State", contravariant=True)
Made = TypeVar("Made", covariant=True)


class Engine(Protocol[State, Made]):
    """A module with a function for each step of a table to its release, on one state.

    Each reads what the steps before it found and adds its own. `shoal.engines.steps` works in this
    process, as a whole or in blocks; `shoal.engines.spark.running` works in Spark.
    """

    def read(self, state: State, /) -> None:
        """Read the table."""

    def encode(self, state: State, /) -> None:
        """Encode its rows; refuse what cannot hold."""

    def group(self, state: State, /) -> None:
        """Find groups that hold as they will be published."""

    def improve(self, state: State, /) -> None:
        """Refine the groups, and bound what any lose."""

    def publish(self, state: State, /) -> None:
        """Make the published tables."""

    def verify(self, state: State, /) -> None:
        """Recount them with code that shares nothing with what made them."""

    def measure(self, state: State, /) -> Made:
        """Measure what was lost, and put the release together."""


def take_steps(engine: Engine[State, Made], state: State) -> Made:
    """Take a table all the way to its release."""
    engine.read(state)
    engine.encode(state)
    engine.group(state)
    engine.improve(state)
    engine.publish(state)
    engine.verify(state)
    return engine.measure(state)


@dataclass
class Clock:
    """Reports each step of a run, and notes how long it takes."""

    report: Report
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Report the start and the end of a step."""
        self.report(name, 0, 1)
        began = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - began, 4)
        self.report(name, 1, 1)


@dataclass(frozen=True)
class Setting:
    """How the groups of a run are found and published."""

    method: Method
    publication: Publication
    seed: int
    blocks: int | Literal["auto"] | None = None
    """In how many blocks the table is grouped; ``None``: as a whole."""
    suppression_limit: float = 0.05

    @classmethod
    def of(cls, plan: Plan, method: Method) -> Setting:
        """Take it from a plan; without a seed, one is drawn."""
        form = plan.publication
        seed = form.seed if method.seed is None else method.seed
        seed = secrets.randbits(53) if seed is None else seed
        return cls(method, form.build(method), seed, plan.blocks, form.suppression_limit)

    def columns(self, table: Table) -> tuple[QuasiColumn, ...]:
        """Give the quasi-identifiers as the method publishes them: some take numbers as leaves."""
        return table.trees if self.method.numbers == "tree" else table.quasi

    def show(self, table: Table, groups: Grouping) -> Recoded:
        """Give the cells that groups of the table show."""
        return self.publication.recode(table, groups, numbers=self.method.numbers)
