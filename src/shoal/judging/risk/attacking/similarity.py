"""The similarity attack: everyone in the class has a value of the same level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.errors import ParameterError
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import of_classes
from shoal.judging.risk.sight import Sight, sight
from shoal.table.levels import levels_of
from shoal.table.schema import SchemaLike


@attack(fits=lambda seen, column: bool(seen.schema[column].levels))
def similarity(
    published: Any, schema: SchemaLike | None = None, *, column: str | None = None
) -> Attack:
    """Count the people whose class holds values of one level only: the level is theirs.

    Different values do not help if all are grave: who has cancer or HIV, has a grave disease.
    It needs levels in the schema. The result is private.

    Parameters
    ----------
    published, schema, column
        As in `sight`; the sensitive column may be left out where there is one.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 2 + ["*"] * 2,
    ...                       "disease": ["cancer", "HIV", "HIV", "flu"]})
    >>> levels = {"HIV": 1, "cancer": 1, "flu": 2}
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive(levels=levels)})
    >>> attack = shoal.risk.similarity(table, schema)
    >>> attack.share, attack.details["people_by_level"]
    (0.5, {1: 2, 2: 0})

    References
    ----------
    (αᵢ, k)-anonymity by graded sensitivity; after N. Li, T. Li,
    S. Venkatasubramanian: t-closeness, ICDE 2007.
    """
    seen = sight(published, schema)
    name, _ = seen.column(column)
    levels = seen.schema[name].levels
    if not levels:
        raise ParameterError(
            f"Column '{name}' has no levels.",
            "Give each value one: shoal.sensitive(levels={…}), 1 the most sensitive.",
        )
    exposed, highest = _alike(seen, name, levels)
    by_level = {
        each: seen.people_in(exposed & (highest == each)) for each in sorted(set(levels.values()))
    }
    return of_classes(
        "similarity",
        seen,
        name,
        lambda each: _alike(each, name, levels)[0],
        "the class holds values of only one level, so the attacker learns the level for certain",
        then={"people_by_level": by_level},
    )


def _alike(seen: Sight, name: str, levels: Mapping[str, int]) -> tuple[Bools, Ints]:
    """Mark the classes that hold values of one level, and say which level is their last."""
    found = seen.histograms[name]
    level = levels_of(found.labels, levels, f"values of '{name}'")[found.value]
    lowest = np.full(seen.n_classes, np.iinfo(np.int64).max)
    highest = np.zeros(seen.n_classes, dtype=np.int64)
    np.minimum.at(lowest, found.group, level)
    np.maximum.at(highest, found.group, level)
    return lowest == highest, highest
