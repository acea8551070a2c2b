"""Which methods, requirements, publications and missing policies go together, and why not."""

from __future__ import annotations

from shoal.plan.compatibility.judging import (
    Combination,
    Refusal,
    conditions,
    refusals,
    require_linkable,
)
from shoal.plan.compatibility.matrix import Matrix, Row, Verdict
from shoal.plan.compatibility.nearest import Alternative, alternatives, require_compatible

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
