"""What every measurement of a grouping needs: its method, its k, its time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shoal.errors import ParameterError, VerificationError, did_you_mean
from shoal.methods import METHODS, Method
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table

__all__ = [
    "WARM_UP",
    "Series",
    "Timed",
    "listed",
    "require_held",
    "require_k",
    "require_methods",
    "timed",
]

TICK = 1e-6
"""The least time: some clocks stand still for a short grouping, and ratios need more than 0."""

SHORT = 0.1
"""Seconds: a grouping that takes less is timed again."""

WARM_UP = 403
"""Rows of the tables on which code is compiled before any time is taken; k leaves some over."""


@dataclass(frozen=True)
class Series:
    """A method with its options, and its name in figures."""

    shown: str
    method: str
    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    def build(self, seed: int) -> Method:
        """Make the method."""
        kind = METHODS[self.method]
        seeded = {"seed": seed} if kind.draws() else {}
        return kind(**seeded, **self.options)


@dataclass(frozen=True)
class Timed:
    """A grouping, and the seconds it took."""

    grouping: Grouping
    cpu_seconds: float
    wall_seconds: float


def timed(group: Callable[[], Grouping], *, times: int = 1) -> Timed:
    """Group, and take the time of that alone.

    Parameters
    ----------
    group
        Gives the same grouping whenever it is called.
    times
        How often at most; the least counts, for a busy machine adds to it. What takes more than
        `SHORT` is timed once.
    """
    least = (math.inf, math.inf)
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        grouping = group()
        least = min(least, (time.process_time() - cpu, time.perf_counter() - wall))
        if least[0] > SHORT:
            break
    return Timed(grouping, *(max(seconds, TICK) for seconds in least))


def require_methods(names: Iterable[str]) -> None:
    """Refuse an experiment whose methods are not there."""
    for name in names:
        if name not in METHODS:
            raise ParameterError(
                f"This experiment needs the method '{name}', which is not there.",
                did_you_mean(name, METHODS),
            )


def require_k(grouping: Grouping, k: int, method: str, *, dropped: int = 0) -> None:
    """Refuse to measure what is no k-anonymous grouping of all rows but the dropped ones."""
    if grouping.n_suppressed != dropped or grouping.sizes.min(initial=k) < k:
        raise VerificationError(
            f"The method '{method}' left rows out or made a group of fewer than {k} rows.",
            "Its loss and time mean nothing; this is a defect.",
        )


def require_held(
    table: Table, grouping: Grouping, require: Sequence[Requirement], method: str
) -> None:
    """Refuse to measure groups that fail a requirement, or none at all."""
    groups = grouping.statistics(table.people, table.sensitive)
    if not grouping.n_groups or not all(each.judge(groups).passed for each in require):
        raise VerificationError(
            f"The method '{method}' made no group, or one that fails what is required.",
            "Its loss and time mean nothing; this is a defect.",
        )


def listed(values: Sequence[float]) -> str:
    """Write numbers in a row.

    Examples
    --------
    >>> listed([5, 45222])
    '5, 45,222'
    """
    return ", ".join(f"{value:,}" for value in values)
