"""Groups of rows near each other that mix sensitive values as the whole table does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.kernels.collapse import collapse
from shoal.methods.clustering._greedy import order_points
from shoal.models import Requirement
from shoal.publications.groups.completing import least_size, merge_failing
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table


def aligned_groups(table: Table, require: Sequence[Requirement], names: Sequence[str]) -> Grouping:
    """Cut the rows of each value, in an order of near rows, into a run for each group.

    So each group has every value as often as the table has, give or take one row. Groups that fail
    all the same are merged.

    ``names``: the sensitive columns whose values, taken together, are mixed.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": range(8), "ill": ["flu"] * 4 + ["cold"] * 4})
    >>> table = Table.encode(frame, {"age": "quasi", "ill": "sensitive"})
    >>> aligned_groups(table, [shoal.AlphaK(0.5, 4)], ["ill"]).labels.tolist()
    [0, 0, 1, 1, 0, 0, 1, 1]
    """
    near = order_points(table.quasi, np.stack([c.codes for c in table.quasi]).astype(np.int64))
    columns = [table.sensitive[name] for name in names]
    value = collapse([c.codes[near] for c in columns], [c.size for c in columns])
    by_value = np.argsort(value, kind="stable")
    counts = np.bincount(value)
    counts = counts[counts > 0]
    each = np.repeat(counts, counts)
    rank = np.arange(table.n_rows) - np.repeat(np.cumsum(counts) - counts, counts)
    groups = max(table.n_rows // max(least_size(require), 1), 1)
    labels = np.empty(table.n_rows, dtype=np.int64)
    # The middle of a row's place among those of its value; so the rare ones stand apart, too.
    labels[near[by_value]] = (2 * rank + 1) * groups // (2 * each)
    labels = np.unique(labels, return_inverse=True)[1]
    return merge_failing(table, Grouping(labels.astype(np.int32)), require, table.quasi)
