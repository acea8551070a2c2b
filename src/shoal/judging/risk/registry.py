"""All attacks: those in `attacking/`, one file each, and those of other packages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy.typing as npt

from shoal.base.members import Members
from shoal.judging.risk.base import Attack, AttackFunction
from shoal.judging.risk.sight import sight
from shoal.models import Requirements, requirements
from shoal.table.schema import SchemaLike

ATTACKS: Members[AttackFunction[...]] = Members(
    "shoal.judging.risk",
    noun="attack",
    fits=lambda thing: isinstance(thing, AttackFunction),
    folders=("attacking",),
    separator="_",
    group="shoal.risk",
)
"""Every attack by its name."""


def attacks(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    alpha: float | str | None = None,
    require: Requirements | None = None,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    outside: Any = None,
) -> list[Attack]:
    """Try every attack that makes sense: on every sensitive column, then on the whole.

    An attack that makes no sense of a column is left out, as `similarity` without levels, and so
    is one that needs to know more than is given, as `learning` without the original. What one
    secret tells about another is asked by `linkage`, and what two releases tell together by
    `two_releases`. The result is private.

    Parameters
    ----------
    published, schema, original, rows, outside
        As in `sight`.
    alpha, require
        As in `probability`; a column that no requirement names is compared with 0.5.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 2 + ["*"] * 2,
    ...                       "disease": ["flu", "flu", "HIV", "flu"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> people = {attack.name: attack.people for attack in shoal.risk.attacks(table, schema)}
    >>> people["homogeneity"], people["negation"]
    (2, 4)
    """
    seen = sight(published, schema, original=original, rows=rows, outside=outside)
    if require is not None:
        seen = replace(seen, require=tuple(requirements(require)))
    given = {"alpha": alpha}
    found = [
        each(seen, column=name, **{option: given[option] for option in each.options})
        for name in (*seen.histograms, None)
        for each in ATTACKS.values()
        if each.applies(seen, name)
    ]
    if not found:
        seen.column(None)  # refuses, with the way out
    return found
