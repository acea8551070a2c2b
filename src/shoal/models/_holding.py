"""Which groups hold requirements once those that do not are gone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.base.arrays import Bools
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Requirement


def holding(require: Sequence[Requirement], groups: GroupStatistics) -> Bools:
    """Say which groups can be published together.

    A requirement that judges a group against all published groups may fail once others are
    left out, so those that fail are taken away until all that remain hold.

    Examples
    --------
    >>> from shoal.models import KAnonymity
    >>> holding([KAnonymity(3)], GroupStatistics(np.array([3, 2, 4]))).tolist()
    [True, False, True]
    """
    holds = np.ones(len(groups.sizes), dtype=np.bool_)
    for requirement in require:
        if not requirement.relative:
            holds &= requirement.judge(groups).holds
    relative = [requirement for requirement in require if requirement.relative]
    while relative and holds.any():  # each turn leaves fewer groups
        left = groups if holds.all() else groups.only(holds)
        fine = np.logical_and.reduce([each.judge(left).holds for each in relative])
        if fine.all():
            break
        holds[holds] = fine
    return holds
