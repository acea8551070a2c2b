"""One piece of long work: what was asked, how far it is, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from shoal.errors import ShoalError, of_memory, out_of_memory

MOST_SEEN = 400
"""The number of losses that are kept during a run; of more, every second one."""


def reason_of(error: BaseException) -> tuple[str, str]:
    """Say what to show of an error, and what to do: no trace and no cell."""
    if isinstance(error, ShoalError):
        return error.problem, error.hint
    if of_memory(error):
        lack = out_of_memory()
        return lack.problem, lack.hint
    return f"Shoal failed ({type(error).__name__}); this is a defect in Shoal.", ""


class State(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(eq=False)
class Job:
    """A piece of work and its answer."""

    number: int
    """Its place in the order in which jobs were asked for, from 1 on."""
    kind: str
    """The file in `shoal.studio.jobs` that does it."""
    request: Mapping[str, Any]
    """What the work is given: plain values, which go to another process."""
    folder: Path
    """Where it may write; what is there is gone if it fails or is stopped."""
    state: State = State.WAITING
    step: str = ""
    share: float = 0.0
    """How much of the step is done."""
    losses: list[tuple[float, float]] = field(default_factory=list)
    """While groups are refined: seconds since the start, and the loss then."""
    least: float | None = None
    """What any table loses at least, once it is known."""
    began: float | None = None
    seconds: float = 0.0
    result: dict[str, Any] | None = None
    problem: str = ""
    hint: str = ""
    removed: bool = False
    """Whether nobody wants to see it any more."""

    @property
    def is_open(self) -> bool:
        """Whether something may still come of it."""
        return self.state in (State.WAITING, State.WORKING)

    @property
    def seconds_so_far(self) -> float:
        """How long it has been worked on."""
        if self.state is State.WORKING and self.began is not None:
            return time.monotonic() - self.began
        return self.seconds

    def begin(self) -> None:
        """Note that the work has begun."""
        self.state, self.began = State.WORKING, time.monotonic()

    def end(self, state: State, problem: str = "", hint: str = "") -> None:
        """Note how the work has ended."""
        if self.began is not None:
            self.seconds = time.monotonic() - self.began
        self.problem, self.hint = problem, hint
        self.state = state  # last: whoever looks now sees the rest

    def see(self, step: str, done: int, total: int) -> None:
        """Note how far the work is."""
        self.step, self.share = step, min(done / total, 1.0) if total else 0.0

    def see_loss(self, loss: float, least: float | None) -> None:
        """Note what is lost so far, and what is lost at least."""
        if self.began is not None:
            self.losses.append((time.monotonic() - self.began, loss))
        if len(self.losses) > MOST_SEEN:
            del self.losses[1:-1:2]
        self.least = least
