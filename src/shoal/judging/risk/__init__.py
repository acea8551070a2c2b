"""Risks of a table: how likely people are found, and what who finds a person's class learns.

`identity/` asks who is found, in any table, raw or published, with `uniqueness/` for the population
that a table is a sample of; `attacking/` asks what is learned, one file per attack. The answers are
for the steward and stay private: they show how many people a publication fails to protect, and
counts of fewer than k people must not be made public (see `shoal.release.guard`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.base.members import lazily
from shoal.judging.risk.base import ATTACKS as ATTACKS, attacks as attacks
from shoal.judging.risk.sight import Sight as Sight, sight as sight

if TYPE_CHECKING:
    from shoal.judging.risk._names import *  # noqa: F403

_BESIDE = {
    "Answer": "assessment",
    "Assessment": "assessment",
    "Attack": "base",
    "AttackFunction": "base",
    "Estimate": "shoal.models.estimates.estimate",
    "Linkage": "linking",
    "PRIVATE_NOTE": "base",
    "PopulationUniqueness": "uniqueness.population",
    "Reidentification": "identity.reidentification",
    "RiskFigures": "identity.reidentification",
    "Separation": "identity.separation",
    "THRESHOLDS": "identity.reidentification",
    "UniqueSet": "identity.unique_sets",
    "UniqueSets": "identity.unique_sets",
    "assess": "assessment",
    "attack": "base",
    "individual_risk": "identity.individual",
    "linkage": "linking",
    "population_uniqueness": "uniqueness.population",
    "reidentification": "identity.reidentification",
    "separation": "identity.separation",
    "three_questions": "assessment",
    "two_releases": "joining",
    "unique_sets": "identity.unique_sets",
}
"""Public names that are imported when used, by the file that holds them."""

if not TYPE_CHECKING:  # type checkers report names that `_names` lacks
    __getattr__, __dir__ = lazily(
        __name__, ATTACKS, ["ATTACKS", "Sight", "attacks", "sight"], _BESIDE
    )
