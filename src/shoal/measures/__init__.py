"""Numbers about utility and protection, for any original and any publication of it."""

from shoal.measures.average_class_size import average_class_size
from shoal.measures.base import Measure, Pair, pair
from shoal.measures.discernibility import discernibility
from shoal.measures.fates import Fates, cells_by_fate
from shoal.measures.generalization_loss_rate import generalization_loss_rate
from shoal.measures.iloss import iloss
from shoal.measures.iloss_rate import iloss_rate
from shoal.measures.loss import loss
from shoal.measures.record_missing_rate import record_missing_rate
from shoal.measures.starred_rate import starred_rate
from shoal.measures.suppression_loss_rate import suppression_loss_rate
from shoal.measures.value_missing_rate import value_missing_rate

__all__ = [
    "MEASURES",
    "Fates",
    "Measure",
    "Pair",
    "average_class_size",
    "cells_by_fate",
    "discernibility",
    "generalization_loss_rate",
    "iloss",
    "iloss_rate",
    "loss",
    "pair",
    "record_missing_rate",
    "starred_rate",
    "suppression_loss_rate",
    "value_missing_rate",
]

MEASURES: dict[str, Measure] = {
    each.name: each
    for each in (
        average_class_size,
        discernibility,
        generalization_loss_rate,
        iloss,
        iloss_rate,
        loss,
        record_missing_rate,
        starred_rate,
        suppression_loss_rate,
        value_missing_rate,
    )
}
"""Every measure by its name; `Release.measures` has the same keys."""
