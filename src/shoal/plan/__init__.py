"""A plan: every decision of a release, in one TOML file."""

from __future__ import annotations

from shoal.plan.plan import (
    ColumnPlan as ColumnPlan,
    InputPlan as InputPlan,
    OutputPlan as OutputPlan,
    Plan as Plan,
    PopulationPlan as PopulationPlan,
    PublicationPlan as PublicationPlan,
    WeightsPlan as WeightsPlan,
)

__all__ = [
    "ColumnPlan",
    "InputPlan",
    "OutputPlan",
    "Plan",
    "PopulationPlan",
    "PublicationPlan",
    "WeightsPlan",
]
