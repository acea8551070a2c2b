"""Numbers about utility and protection, for any original and any publication of it.

One file per measure, in the folder of what it speaks of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.base.arguments import one_of
from shoal.base.members import Members, lazily
from shoal.measures._informed import INFORMED_LOSSES as INFORMED_LOSSES
from shoal.measures._pairs import Pair as Pair
from shoal.measures.base import Measure as Measure

if TYPE_CHECKING:
    from shoal.measures._names import *  # noqa: F403

_OWN = ["INFORMED_LOSSES", "MEASURES", "Measure", "Pair", "measure_all", "summary"]
_BESIDE = {
    "Association": "_relations",
    "CellOutcomes": "_coarseness",
    "Coarseness": "_coarseness",
    "ColumnDistance": "_distances",
    "CountQuery": "_queries",
    "GroupSizes": "utility.largest_group",
    "LowerBound": "shoal.improve.lower_bound",
    "MeanError": "_mean_queries",
    "MeanQuery": "_mean_queries",
    "PairDistance": "_distances",
    "associations": "_relations",
    "average_query_error": "utility.count_query_error",
    "cells_by_outcome": "_coarseness",
    "class_sensitivity_distance": "protection.sensitivity_distance",
    "coarseness": "_coarseness",
    "column_distances": "_distances",
    "contingency": "_distances",
    "correlation_change": "_relations",
    "entropy_loss": "_informed",
    "gain_ratio_loss": "_informed",
    "group_sizes": "utility.largest_group",
    "highly_sensitive": "protection.vulnerability",
    "informed_losses": "_informed",
    "lower_bound": "shoal.improve.lower_bound",
    "mean_query_errors": "_mean_queries",
    "mean_sensitivity_distance": "protection.sensitivity_distance",
    "mean_workload": "_mean_queries",
    "mutual_information_loss": "_informed",
    "noise_bound": "utility.noise_ratio",
    "pair": "_pairs",
    "pair_distances": "_distances",
    "pair_of_release": "_pairs",
    "vulnerable_share": "protection.vulnerability",
    "weighed": "_weighing",
    "weights": "_weighing",
    "workload": "_queries",
}
"""Public functions and classes that are imported when used, by the file that holds them."""


MEASURES: Members[Measure] = Members(
    "shoal.measures",
    noun="measure",
    fits=lambda thing: isinstance(thing, Measure),
    folders=None,
    separator="_",
)
"""Every measure by its name; `Release.measures` has the keys of those that apply."""


def measure_all(both: Pair, *, on_request: bool = False) -> dict[str, float]:
    """Take every measure that makes sense of a publication, by its name.

    ``on_request``: also those that take long, and that a release is published without.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [30, 31]})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> measures = shoal.measures.measure_all(shoal.measures.pair(frame, frame, schema))
    >>> "iloss" in measures, "sensitivity_distance" in measures  # no column has levels
    (True, False)
    """
    return {
        name: each.of(both)
        for name, each in MEASURES.items()
        if each.applies(both) and (on_request or not each.on_request)
    }


def summary(name: str) -> str:
    """Say in a line what a measure of a release means.

    Examples
    --------
    >>> summary("entropy_loss")
    'Measure `loss` with columns weighted by their entropy; see `mutual_information_loss`.'
    """
    one_of("name", name, [*MEASURES, *INFORMED_LOSSES])
    if name in MEASURES:
        return MEASURES[name].summary
    return (INFORMED_LOSSES[name].__doc__ or "").strip().splitlines()[0]


if not TYPE_CHECKING:  # type checkers report names that `_names` lacks
    __getattr__, __dir__ = lazily(__name__, MEASURES, _OWN, _BESIDE)
