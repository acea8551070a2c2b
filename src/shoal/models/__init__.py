"""What must hold: requirements that judge the groups of a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal import options
from shoal.models.base import GroupStatistics, Outcome, Requirement
from shoal.models.k_anonymity import KAnonymity

__all__ = ["MODELS", "GroupStatistics", "KAnonymity", "Outcome", "Requirement", "from_spec"]

MODELS: dict[str, type[Requirement]] = {model.name: model for model in (KAnonymity,)}
"""Every requirement by its name in plans."""


def from_spec(spec: Mapping[str, Any]) -> Requirement:
    """Make a requirement from a plan's table.

    Examples
    --------
    >>> from_spec({"model": "k-anonymity", "k": 5})
    KAnonymity(k=5)
    """
    return options.from_spec(MODELS, "model", spec, noun="requirement")
