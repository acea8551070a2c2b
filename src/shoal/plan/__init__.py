"""A plan: every decision of a release, in one TOML file."""

from __future__ import annotations

from shoal.plan.about import AboutPlan as AboutPlan
from shoal.plan.column import ColumnPlan as ColumnPlan
from shoal.plan.files import InputPlan as InputPlan, PopulationPlan as PopulationPlan
from shoal.plan.output import OutputPlan as OutputPlan
from shoal.plan.plan import Plan as Plan
from shoal.plan.publication import PublicationPlan as PublicationPlan
from shoal.plan.weights import WeightsPlan as WeightsPlan

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
