"""Individual risk: how likely a record is a person's, if the table is a sample with weights.

Benedetti and Franconi's estimate (1998). Of a class with f rows in the sample and F̂ people in the
population, as weights say, the number of people F is taken to be negative binomial with p = f/F̂,
and the risk is the expectation of 1/F:

    r = ∫₀¹ p x^(f-1) / (p + (1-p)x) dx
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import one_of
from shoal.base.arrays import Floats
from shoal.errors import ParameterError
from shoal.judging.risk.identity.records import records
from shoal.judging.risk.identity.wildcard import wildcard_sizes
from shoal.table.schema import SchemaLike

_SMALL_CLASS = 50
"""Up to this size the recursion is used, where it is stable."""
_TERMS = 64


def individual_risk(
    table: Any,
    schema: SchemaLike | None = None,
    *,
    weights: npt.ArrayLike,
    quasi: Sequence[str] | None = None,
    stars: Literal["value", "wildcard"] = "value",
) -> Floats:
    """Estimate how likely each row of a sample is found in the population; private.

    Parameters
    ----------
    table, schema, quasi
        As in `reidentification`.
    weights
        For each row, how many people of the population it stands for.
    stars
        Whether a ``*`` equals only itself, or matches any value.

    Returns
    -------
    array
        For each row the expectation of 1/F, F the size of its class in the population.

    Examples
    --------
    The example of Capobianchi, Polettini and Lucarelli, as sdcMicro prints it:

    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"a": [1, 1, 1, 3, 4, 4, 6, 1], "b": [2, 2, 2, 3, 3, 3, 2, 2],
    ...                       "c": [5, 1, 1, 1, 1, 1, 1, 5], "d": [1, 1, 1, 5, 4, 1, 5, 1]})
    >>> weights = [18, 45.5, 39, 17, 541, 8, 5, 92]
    >>> shoal.risk.individual_risk(table, quasi=["a", "b", "c", "d"], weights=weights).round(4)
    array([0.0171, 0.022 , 0.022 , 0.1771, 0.0117, 0.2971, 0.4024, 0.0171])
    """
    one_of("stars", stars, ("value", "wildcard"))
    found = records(table, schema, quasi=quasi)
    given = _weights(weights, found.n_rows)
    if stars == "wildcard":
        sizes = wildcard_sizes(found).astype(np.float64)
        scaled: Floats = wildcard_sizes(found, given)
    else:
        sizes = found.rows_per_class.astype(np.float64)
        scaled = np.bincount(found.classes, given).astype(np.float64)
    return expected_risk(sizes, np.minimum(sizes / scaled, 1.0))[found.classes]


def _weights(weights: npt.ArrayLike, rows: int) -> Floats:
    """Take the weights, and refuse what cannot be any."""
    try:
        given = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.shape != (rows,) or not np.isfinite(given).all() or not (given >= 1).all():
        raise ParameterError(
            f"weights must be a number of 1 or more for each of the {rows} rows.",
            "A weight is the number of people of the population that a row represents.",
        )
    return given


def expected_risk(sizes: Floats, p: Floats) -> Floats:
    """Give the expectation of 1/F for classes of f rows, each person sampled with probability p.

    Small classes by r(f+1) = p/(f(1-p)) - p/(1-p) r(f), which is stable for p up to 1/2; others
    by a series of which 64 terms suffice.
    """
    q = 1 - p
    made = np.ones_like(p)
    term = np.ones_like(p)
    for k in range(_TERMS):
        term = term * q * (k + 1) / (sizes + k + 1)
        made += term
    made *= p / sizes
    recursive = (p <= 0.5) & (sizes <= _SMALL_CLASS)
    if recursive.any():
        f, odds = sizes[recursive], p[recursive] / q[recursive]
        risk = odds * -np.log(p[recursive])
        for size in range(1, int(f.max())):
            risk = np.where(f > size, odds / size - odds * risk, risk)
        made[recursive] = risk
    return made
