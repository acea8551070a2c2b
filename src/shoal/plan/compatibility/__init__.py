"""Which methods, requirements, publications and missing policies go together, and why not."""

from __future__ import annotations

from shoal.plan.compatibility.judging import (
    Combination as Combination,
    Refusal as Refusal,
    conditions as conditions,
    refusals as refusals,
    require_linkable as require_linkable,
)
from shoal.plan.compatibility.matrix import Matrix as Matrix, Row as Row, Verdict as Verdict
from shoal.plan.compatibility.nearest import (
    Alternative as Alternative,
    alternatives as alternatives,
    require_compatible as require_compatible,
)

__all__ = [
    "Alternative",
    "Combination",
    "Matrix",
    "Refusal",
    "Row",
    "Verdict",
    "alternatives",
    "conditions",
    "refusals",
    "require_compatible",
    "require_linkable",
]
