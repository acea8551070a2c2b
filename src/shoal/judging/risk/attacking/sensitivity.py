"""The sensitivity attack: nearly all values of the class are grave."""

from __future__ import annotations

from collections.abc import Collection
from math import log
from typing import Any

import numpy as np

from shoal.base.arrays import Bools
from shoal.errors import ParameterError
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import of_classes
from shoal.judging.risk.sight import Sight, sight
from shoal.measures.protection.vulnerability import SHARE, THRESHOLD, highest, mostly_sensitive
from shoal.table.schema import SchemaLike


@attack()
def sensitivity(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    threshold: float = THRESHOLD,
    share: float = SHARE,
    values: Collection[str] | None = None,
) -> Attack:
    """Count the people in classes most of whose different values are highly sensitive.

    Highly sensitive are the rarest values that are published, or those of the highest degrees
    where the schema gives degrees. The result is private.

    Parameters
    ----------
    published, schema, column
        As in `sight`; the sensitive column may be left out where there is one.
    threshold
        Which share of a class's different values must be highly sensitive.
    share
        Which share of the column's values is.
    values
        The highly sensitive values, instead; ``""`` is the missing one.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 2 + ["*"] * 3,
    ...                       "disease": ["HIV", "cancer", "HIV", "flu", "flu"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> attack = shoal.risk.sensitivity(table, schema, values=["HIV", "cancer"])
    >>> attack.share, attack.details
    (0.4, {'classes': 1, 'of_classes': 2, 'highly_sensitive': 2, 'of_values': 3})

    References
    ----------
    Zhang, Yang, Zhang, Xie: MICD, 2014, section 3.
    """
    seen = sight(published, schema)
    name, found = seen.column(column)
    if isinstance(values, str):
        raise ParameterError("values must list values.", "Such as ['HIV'].")

    def mark(each: Sight) -> Bools:
        high = _grave(each, name, share, values)
        return mostly_sensitive(each.histograms[name], high, each.n_classes, threshold)

    high = int(_grave(seen, name, share, values).sum())
    return of_classes(
        "sensitivity",
        seen,
        name,
        mark,
        "most values of the class are highly sensitive, so the person's value probably is, too",
        then={"highly_sensitive": high, "of_values": len(found.labels)},
    )


def _grave(seen: Sight, name: str, share: float, values: Collection[str] | None) -> Bools:
    """Mark the values that are highly sensitive."""
    found = seen.histograms[name]
    if values is not None:
        return np.array([(label or "") in set(values) for label in found.labels])
    counts, given = found.totals, seen.schema[name].degrees or {}
    total = int(counts.sum())
    degrees = [
        given.get(label or "", log(total / count) if count else log(total))
        for label, count in zip(found.labels, counts.tolist(), strict=True)
    ]
    return highest(degrees, share)
