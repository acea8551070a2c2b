"""The skewness attack: a class shows a value far more often than the whole table does."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.base.arguments import require_share
from shoal.base.arrays import Bools, Floats
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import of_classes
from shoal.judging.risk.sight import Sight, sight
from shoal.table.schema import SchemaLike

GAIN = 0.25
"""A share that is larger by more than this counts."""


@attack()
def skewness(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    gain: float = GAIN,
) -> Attack:
    """Count the people for whom a value is far more likely than in the whole table.

    One in a hundred has the disease, and five of ten in this class: each of them is suspected,
    though nothing is certain. The attack compares the share of each value in a class with its
    share in the whole table. The result is private.

    Parameters
    ----------
    published, schema, column
        As in `sight`; the sensitive column may be left out where there is one.
    gain
        By how much a share must be larger to count, from 0 to 1.

    Returns
    -------
    Attack
        Its control deals the same values out at random over the classes: small classes are
        skewed by chance. Details: ``largest_gain`` and ``largest_ratio`` of a share in a class
        to that in the table; ``mean_distance``, how far the values of a class lie from those
        of the table (half the sum of differences), as a mean over people.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["young"] * 4 + ["old"] * 12,
    ...                       "disease": ["HIV"] * 2 + ["flu"] * 14})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> attack = shoal.risk.skewness(table, schema)
    >>> attack.people, attack.details["largest_gain"], attack.details["largest_ratio"]
    (4, 0.375, 4.0)

    References
    ----------
    N. Li, T. Li, S. Venkatasubramanian: t-closeness, ICDE 2007.
    """
    require_share("gain", gain, "Such as 0.25.")
    seen = sight(published, schema)
    name, found = seen.column(column)
    larger, ratio = _compared(seen, name)
    distance = np.bincount(found.group, np.maximum(larger, 0.0), minlength=seen.n_classes)
    mean = float(distance @ seen.crowds / seen.crowds.sum())
    return of_classes(
        "skewness",
        seen,
        name,
        lambda each: _suspected(each, name, gain),
        "a value's share in the class exceeds its share in the table by more than "
        f"{100 * gain:g} points",
        first={"gain": gain},
        then={
            "largest_gain": float(larger.max()),
            "largest_ratio": float(ratio.max()),
            "mean_distance": mean,
        },
        remark=f"; at most by {100 * larger.max():.3g}, and {ratio.max():.3g} times",
    )


def _compared(seen: Sight, name: str) -> tuple[Floats, Floats]:
    """Compare the share of each value in its class with that in all classes."""
    found = seen.histograms[name]
    here = found.counts / found.held(seen.n_classes)[found.group]
    everywhere = found.totals[found.value] / found.totals.sum()
    return here - everywhere, here / everywhere


def _suspected(seen: Sight, name: str, gain: float) -> Bools:
    """Mark the classes where a share is so much larger."""
    larger, _ = _compared(seen, name)
    exposed = np.zeros(seen.n_classes, dtype=np.bool_)
    exposed[seen.histograms[name].group[larger > gain]] = True
    return exposed
