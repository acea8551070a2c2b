"""How many values were added to groups."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shoal.errors import ParameterError
from shoal.measures._pairs import Pair
from shoal.measures.base import measure
from shoal.models import Histogram


def noise_bound(wanted: Mapping[str, int], primary: str) -> float:
    """Bound the noise ratio of methods that fill groups of ``l`` of the primary column.

    It is (Σ lᵢ − d) / l_primary, as Zhang et al. (2014) give it: as if each of the rows / l_primary
    groups lacked all but one value in each of the d columns. The primary column lacks none, so what
    can be reached is lower, by (l_primary − 1) / l_primary.

    Parameters
    ----------
    wanted
        How many different values a group must show, by sensitive column.
    primary
        The column whose values groups are built from.

    Examples
    --------
    >>> noise_bound({"education": 3, "occupation": 3, "race": 2}, "education")
    1.6666666666666667
    """
    if primary not in wanted:
        raise ParameterError(
            f"The primary column '{primary}' has no l.", "Give every sensitive column its l."
        )
    return (sum(wanted.values()) - len(wanted)) / wanted[primary]


def _require(pair: Pair) -> None:
    if pair.recoded.groups is None or not pair.table.sensitive:
        raise ParameterError(
            "Sensitive values are not published per group, so none were added.",
            "Give groups, and the values that they show.",
        )


@measure(better="lower", requires=_require, public="never")
def noise_ratio(pair: Pair) -> float:
    """Noise ratio of Zhang et al. (2014): values added to groups, over the rows of the original.

    A group that lacks different values of a sensitive column is shown with values that none
    of its rows holds. Readers cannot tell them from true ones: they are what this form of
    publication loses. Counterfeits of m-invariance are such values.

    References
    ----------
    Zhang, Yang, Zhang, Xie: MICD, 2014, section 4.3.
    """
    return sum(_added(pair, name) for name in pair.recoded.shown) / pair.n_rows


def _added(pair: Pair, name: str) -> int:
    """Count the values of a column that groups show, beyond those that their rows hold."""
    column, shown = pair.table.sensitive[name], pair.shown[name]
    held = Histogram.count(pair.sensitive_classes, column.codes[pair.recoded.rows], column.labels)
    width = max(column.size, 1)
    keys, wanted = held.group * width + held.value, shown.group * width + shown.value
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    true = np.where(keys[at] == wanted, held.counts[at], 0)
    return int(np.maximum(shown.counts - true, 0).sum())
