"""A plan: every decision of a release, in one TOML file."""

from __future__ import annotations

from shoal.plan.about import AboutPlan
from shoal.plan.column import ColumnPlan
from shoal.plan.files import InputPlan, PopulationPlan
from shoal.plan.output import OutputPlan
from shoal.plan.plan import Plan
from shoal.plan.publication import PublicationPlan
from shoal.plan.weights import WeightsPlan

__all__ = [
    "AboutPlan",
    "ColumnPlan",
    "InputPlan",
    "OutputPlan",
    "Plan",
    "PopulationPlan",
    "PublicationPlan",
    "WeightsPlan",
]
