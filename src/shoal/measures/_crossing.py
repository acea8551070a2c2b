"""The contingency table of two columns, in the original and as readers rebuild it."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.base.arguments import require_whole
from shoal.errors import ParameterError, did_you_mean
from shoal.measures._margins import BINS, margin_of
from shoal.measures._pairs import Pair, require_pair


def contingency(pair: Pair, one: str, two: str, *, values: int = BINS) -> pl.DataFrame:
    """Count the rows in each pair of values of two columns, before and after.

    After are expected counts: a published cell is spread evenly over what it covers, and
    sensitive values that are published per group over the group's rows. Missing cells, and
    published ones that cover every value, are left out, as in `pair_distances`.

    Parameters
    ----------
    pair
        See `shoal.measures.pair`; of a release, ``release.pair``.
    one, two
        Quasi-identifiers or sensitive columns.
    values
        The most values of each: numbers are put in bins, rare categories grouped.

    Returns
    -------
    polars.DataFrame
        A row for each pair of values: the two values, ``before`` and ``after``.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"sex": ["F", "M"], "ill": ["flu", "HIV"]})
    >>> schema = shoal.Schema({"sex": shoal.quasi(), "ill": shoal.sensitive()})
    >>> both = shoal.measures.pair(frame, frame, schema, groups=[1, 1])
    >>> contingency(both, "sex", "ill").rows()
    [('F', 'HIV', 0, 0.5), ('F', 'flu', 1, 0.5), ('M', 'HIV', 1, 0.5), ('M', 'flu', 0, 0.5)]
    """
    require_pair(pair)
    require_whole("values", values, 2)
    names = [column.name for column in pair.table.quasi] + list(pair.table.sensitive)
    for name in (one, two):
        if name not in names:
            raise ParameterError(
                f"Column '{name}' is neither a quasi-identifier nor sensitive.",
                did_you_mean(name, names),
            )
    if one == two:
        raise ParameterError(
            f"Both columns are '{one}'.", "Name two different columns, whose rows are counted."
        )
    first, second = (margin_of(pair, name, bins=values, values=values) for name in (one, two))
    taken = {one, two}
    before, after = (
        next(word for word in (title, f"{title} (rows)", f"{title} (count)") if word not in taken)
        for title in ("before", "after")
    )
    return pl.DataFrame(
        {
            one: np.repeat(np.array(first.labels, dtype=object), second.size).tolist(),
            two: list(second.labels) * first.size,
            before: first.before_with(second).ravel().astype(np.int64),
            after: first.after_with(second).ravel(),
        },
        schema={one: pl.String, two: pl.String, before: pl.Int64, after: pl.Float64},
    )
