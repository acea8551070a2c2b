"""The information loss rate of Gong et al. (2013), in which removed records are paid for."""

from __future__ import annotations

from shoal.measures._pairs import Pair, require_covering
from shoal.measures.base import measure
from shoal.measures.utility.generalization_loss_rate import (
    ADDITIVE,
    generalization_loss_rate,
    generalized,
)
from shoal.measures.utility.suppression_loss_rate import suppression_loss_rate


@measure(
    better="lower",
    columns=lambda pair: generalized(pair) + suppression_loss_rate.of(pair),
    requires=require_covering,
    of_published=True,
    additive=ADDITIVE,
)
def iloss_rate(pair: Pair) -> float:
    """Information loss rate of Gong et al. (2013): the mean share of its domain that a cell covers.

    A number costs (hi − lo + 1) / (range + 1), counted in the column's smallest decimal
    unit, a category the leaves under its node, or the values of its set, over all leaves; an
    unchanged cell costs 0, never more than 1. A known cell published as ``*`` costs 1, a missing
    one 0 (it lost nothing), and a record that was not published 1 in every quasi-identifier.

    It is the sum of `generalization_loss_rate` and `suppression_loss_rate`.

    References
    ----------
    Gong, Yang, Luo: Data anonymization approach for incomplete microdata, 2013,
    equations 1–7.
    """
    return generalization_loss_rate.of(pair) + suppression_loss_rate.of(pair)
