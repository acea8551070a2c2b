"""What must hold: requirements that judge the groups of a release, one file each."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shoal import options
from shoal.members import Members, lazily
from shoal.models._cases import HandCase as HandCase, written as written
from shoal.models._holding import holding as holding
from shoal.models.base import (
    GroupStatistics as GroupStatistics,
    Histogram as Histogram,
    Outcome as Outcome,
    Requirement as Requirement,
)
from shoal.models.exact.shares import ShareBounds as ShareBounds

if TYPE_CHECKING:
    from shoal.models._names import *  # noqa: F403

_OWN = [
    "MODELS",
    "GroupStatistics",
    "HandCase",
    "Histogram",
    "Outcome",
    "Requirement",
    "ShareBounds",
    "from_spec",
    "holding",
    "written",
]


def _is_requirement(thing: object) -> bool:
    known = inspect.isclass(thing) and issubclass(thing, Requirement)
    return known and not inspect.isabstract(thing)


MODELS: Members[type[Requirement]] = Members(
    "shoal.models", noun="requirement", fits=_is_requirement
)
"""Every requirement by its name in plans."""


def from_spec(spec: Mapping[str, Any]) -> Requirement:
    """Make a requirement from a plan's table.

    Examples
    --------
    >>> from_spec({"model": "k-anonymity", "k": 5})
    KAnonymity(k=5)
    """
    return options.from_spec(MODELS, "model", spec, noun="requirement")


__getattr__, __dir__ = lazily(__name__, MODELS, _OWN, {})
