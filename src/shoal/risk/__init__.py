"""Attacks on a publication: what an adversary who finds a person's class learns.

The answers are for the steward and stay in the house: they say how many people a publication
fails, and counts of fewer than k people must not be made public (see `shoal.release.guard`).
One file per attack, in `attacking/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.members import lazily
from shoal.risk.base import AttackFunction as AttackFunction, attack as attack
from shoal.risk.joining import two_releases as two_releases
from shoal.risk.linking import Linkage as Linkage, linkage as linkage
from shoal.risk.registry import ATTACKS as ATTACKS, attacks as attacks
from shoal.risk.result import PRIVATE_NOTE as PRIVATE_NOTE, Attack as Attack
from shoal.risk.sight import Sight as Sight, sight as sight

if TYPE_CHECKING:
    from shoal.risk._names import *  # noqa: F403

_OWN = [
    "ATTACKS",
    "PRIVATE_NOTE",
    "Attack",
    "AttackFunction",
    "Linkage",
    "Sight",
    "attack",
    "attacks",
    "linkage",
    "sight",
    "two_releases",
]

__getattr__, __dir__ = lazily(__name__, ATTACKS, _OWN, {})
