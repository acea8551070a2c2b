"""All attacks at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shoal.models import Requirements, requirements
from shoal.risk.attack.homogeneity import homogeneity
from shoal.risk.attack.probability import probability
from shoal.risk.attack.sensitivity import sensitivity
from shoal.risk.attack.similarity import similarity
from shoal.risk.result import Attack
from shoal.risk.sight import sight
from shoal.schema import SchemaLike

__all__ = ["attacks"]


def attacks(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    alpha: float | str | None = None,
    require: Requirements | None = None,
) -> list[Attack]:
    """Try every attack that makes sense on every sensitive column.

    `similarity` is left out for a column without levels. What one secret tells about another
    is asked by `linkage`. The result is private.

    Parameters
    ----------
    published, schema
        As in `sight`.
    alpha, require
        As in `probability`; a column that no requirement names is compared with 0.5.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 2 + ["*"] * 2,
    ...                       "disease": ["flu", "flu", "HIV", "flu"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> [(attack.name, attack.people) for attack in shoal.risk.attacks(table, schema)]
    [('homogeneity', 2), ('sensitivity', 0), ('probability', 2)]
    """
    seen = sight(published, schema)
    if require is not None:
        seen = replace(seen, require=tuple(requirements(require)))
    if not seen.histograms:
        seen.column(None)  # refuses, with the way out
    found = []
    for name in seen.histograms:
        found.append(homogeneity(seen, column=name))
        if seen.schema[name].levels:
            found.append(similarity(seen, column=name))
        found.append(sensitivity(seen, column=name))
        found.append(probability(seen, column=name, alpha=alpha))
    return found
