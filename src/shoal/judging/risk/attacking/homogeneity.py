"""The homogeneity attack: everyone in the class has the same value."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.base.arrays import Bools
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import of_classes
from shoal.judging.risk.sight import Sight, sight
from shoal.table.schema import SchemaLike


@attack()
def homogeneity(
    published: Any, schema: SchemaLike | None = None, *, column: str | None = None
) -> Attack:
    """Count the people whose class holds one sensitive value only: it is theirs, for certain.

    A missing value counts as a separate value; ``missing`` in the details says how many people are
    known only to miss a value. The result is private.

    Parameters
    ----------
    published, schema, column
        As in `sight`; the sensitive column may be left out where there is one.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 2 + ["*"] * 2,
    ...                       "disease": ["flu", "flu", "HIV", "flu"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> attack = shoal.risk.homogeneity(table, schema)
    >>> attack.share, attack.people, attack.details
    (0.5, 2, {'classes': 1, 'of_classes': 2, 'largest_class': 2, 'missing': 0})

    References
    ----------
    A. Machanavajjhala et al.: l-diversity: privacy beyond k-anonymity, ICDE 2006.
    """
    seen = sight(published, schema)
    name, found = seen.column(column)
    exposed = _same(seen, name)
    nothing = np.array([label is None for label in found.labels], dtype=np.bool_)
    missing = np.zeros(seen.n_classes, dtype=np.bool_)
    missing[found.group[nothing[found.value]]] = True
    return of_classes(
        "homogeneity",
        seen,
        name,
        lambda each: _same(each, name),
        "the class holds only one value, so the attacker learns it for certain",
        then={
            "largest_class": int(seen.crowds[exposed].max(initial=0)),
            "missing": seen.people_in(exposed & missing),
        },
    )


def _same(seen: Sight, name: str) -> Bools:
    """Mark the classes that hold one value."""
    return np.asarray(seen.histograms[name].different(seen.n_classes) == 1)
