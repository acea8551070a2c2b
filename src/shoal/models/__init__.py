"""What must hold: requirements that judge the groups of a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal import options
from shoal.models._cases import HandCase, written
from shoal.models._holding import holding
from shoal.models.alpha_k import AlphaK
from shoal.models.base import GroupStatistics, Histogram, Outcome, Requirement
from shoal.models.exact.shares import ShareBounds
from shoal.models.k_anonymity import KAnonymity
from shoal.models.l_diversity import LDiversity
from shoal.models.leveled_alpha_k import LeveledAlphaK
from shoal.models.multi_l_diversity import MultiLDiversity
from shoal.models.t_closeness import TCloseness

__all__ = [
    "MODELS",
    "AlphaK",
    "GroupStatistics",
    "HandCase",
    "Histogram",
    "KAnonymity",
    "LDiversity",
    "LeveledAlphaK",
    "MultiLDiversity",
    "Outcome",
    "Requirement",
    "ShareBounds",
    "TCloseness",
    "from_spec",
    "holding",
    "written",
]

MODELS: dict[str, type[Requirement]] = {
    model.name: model
    for model in (AlphaK, KAnonymity, LDiversity, LeveledAlphaK, MultiLDiversity, TCloseness)
}
"""Every requirement by its name in plans."""


def from_spec(spec: Mapping[str, Any]) -> Requirement:
    """Make a requirement from a plan's table.

    Examples
    --------
    >>> from_spec({"model": "k-anonymity", "k": 5})
    KAnonymity(k=5)
    """
    return options.from_spec(MODELS, "model", spec, noun="requirement")
