"""Risks of a table: how likely people are found, and what who finds a person's class learns.

`identity/` asks who is found, in any table, raw or published, with `uniqueness/` for the population
that a table is a sample of; `attacking/` asks what is learned, one file per attack. The answers are
for the steward and stay private: they show how many people a publication fails to protect, and
counts of
fewer than k people must not be made public (see `shoal.release.guard`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.base.members import lazily
from shoal.judging.risk.assessment import Assessment as Assessment, assess as assess
from shoal.judging.risk.base import (
    PRIVATE_NOTE as PRIVATE_NOTE,
    Attack as Attack,
    AttackFunction as AttackFunction,
    attack as attack,
)
from shoal.judging.risk.guidance import Answer as Answer, three_questions as three_questions
from shoal.judging.risk.identity.figures import THRESHOLDS as THRESHOLDS, RiskFigures as RiskFigures
from shoal.judging.risk.identity.individual import individual_risk as individual_risk
from shoal.judging.risk.identity.reidentification import (
    Reidentification as Reidentification,
    reidentification as reidentification,
)
from shoal.judging.risk.identity.separation import (
    Separation as Separation,
    separation as separation,
)
from shoal.judging.risk.identity.unique_sets import (
    UniqueSet as UniqueSet,
    UniqueSets as UniqueSets,
    unique_sets as unique_sets,
)
from shoal.judging.risk.joining import two_releases as two_releases
from shoal.judging.risk.linking import Linkage as Linkage, linkage as linkage
from shoal.judging.risk.registry import ATTACKS as ATTACKS, attacks as attacks
from shoal.judging.risk.sight import Sight as Sight, sight as sight
from shoal.judging.risk.uniqueness.population import (
    PopulationUniqueness as PopulationUniqueness,
    population_uniqueness as population_uniqueness,
)
from shoal.models.estimates.estimate import Estimate as Estimate

if TYPE_CHECKING:
    from shoal.judging.risk._names import *  # noqa: F403

_OWN = [
    "ATTACKS",
    "PRIVATE_NOTE",
    "THRESHOLDS",
    "Answer",
    "Assessment",
    "Attack",
    "AttackFunction",
    "Estimate",
    "Linkage",
    "PopulationUniqueness",
    "Reidentification",
    "RiskFigures",
    "Separation",
    "Sight",
    "UniqueSet",
    "UniqueSets",
    "assess",
    "attack",
    "attacks",
    "individual_risk",
    "linkage",
    "population_uniqueness",
    "reidentification",
    "separation",
    "sight",
    "three_questions",
    "two_releases",
    "unique_sets",
]

if not TYPE_CHECKING:  # type checkers report names that `_names` lacks
    __getattr__, __dir__ = lazily(__name__, ATTACKS, _OWN, {})
