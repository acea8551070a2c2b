"""Numbers about utility and protection, for any original and any publication of it."""

from shoal.measures.base import Measure, Pair, pair
from shoal.measures.fates import Fates, cells_by_fate
from shoal.measures.informed import INFORMED_LOSSES, entropy_loss, informed_losses, mi_loss
from shoal.measures.protection.degree_spread import degree_spread
from shoal.measures.protection.sensitivity_distance import (
    class_sensitivity_distance,
    mean_sensitivity_distance,
    sensitivity_distance,
)
from shoal.measures.protection.vulnerability import (
    highly_sensitive,
    vulnerability,
    vulnerable_share,
)
from shoal.measures.queries import CountQuery, workload
from shoal.measures.utility.average_class_size import average_class_size
from shoal.measures.utility.count_query_error import average_query_error, count_query_error
from shoal.measures.utility.discernibility import discernibility
from shoal.measures.utility.generalization_loss_rate import generalization_loss_rate
from shoal.measures.utility.iloss import iloss
from shoal.measures.utility.iloss_rate import iloss_rate
from shoal.measures.utility.largest_group import GroupSizes, group_sizes, largest_group
from shoal.measures.utility.loss import loss
from shoal.measures.utility.noise_ratio import noise_bound, noise_ratio
from shoal.measures.utility.reconstruction_distance import reconstruction_distance
from shoal.measures.utility.record_missing_rate import record_missing_rate
from shoal.measures.utility.starred_rate import starred_rate
from shoal.measures.utility.suppression_loss_rate import suppression_loss_rate
from shoal.measures.utility.value_missing_rate import value_missing_rate
from shoal.measures.weighing import weighed, weights

__all__ = [
    "INFORMED_LOSSES",
    "MEASURES",
    "CountQuery",
    "Fates",
    "GroupSizes",
    "Measure",
    "Pair",
    "average_class_size",
    "average_query_error",
    "cells_by_fate",
    "class_sensitivity_distance",
    "count_query_error",
    "degree_spread",
    "discernibility",
    "entropy_loss",
    "generalization_loss_rate",
    "group_sizes",
    "highly_sensitive",
    "iloss",
    "iloss_rate",
    "informed_losses",
    "largest_group",
    "loss",
    "mean_sensitivity_distance",
    "measure_all",
    "mi_loss",
    "noise_bound",
    "noise_ratio",
    "pair",
    "reconstruction_distance",
    "record_missing_rate",
    "sensitivity_distance",
    "starred_rate",
    "summary",
    "suppression_loss_rate",
    "value_missing_rate",
    "vulnerability",
    "vulnerable_share",
    "weighed",
    "weights",
    "workload",
]

MEASURES: dict[str, Measure] = {
    each.name: each
    for each in (
        average_class_size,
        count_query_error,
        degree_spread,
        discernibility,
        generalization_loss_rate,
        iloss,
        iloss_rate,
        largest_group,
        loss,
        noise_ratio,
        reconstruction_distance,
        record_missing_rate,
        sensitivity_distance,
        starred_rate,
        suppression_loss_rate,
        value_missing_rate,
        vulnerability,
    )
}
"""Every measure by its name; `Release.measures` has the keys of those that apply."""


def measure_all(pair: Pair) -> dict[str, float]:
    """Take every measure that makes sense of a publication, by its name.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [30, 31]})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> measures = shoal.measures.measure_all(shoal.measures.pair(frame, frame, schema))
    >>> "iloss" in measures, "sensitivity_distance" in measures  # no column has levels
    (True, False)
    """
    return {name: each.of(pair) for name, each in MEASURES.items() if each.applies(pair)}


def summary(name: str) -> str:
    """Say in a line what a measure of a release means.

    Examples
    --------
    >>> summary("entropy_loss")
    'Measure `loss` with columns weighed by their entropy; see `mi_loss`.'
    """
    if name in MEASURES:
        return MEASURES[name].summary
    return (INFORMED_LOSSES[name].__doc__ or "").strip().splitlines()[0]
