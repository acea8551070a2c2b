"""How wrong COUNT queries come out of a publication."""

from __future__ import annotations

from shoal.measures._pairs import Pair, require_pair
from shoal.measures._queries import Condensed, workload
from shoal.measures.base import measure

FLOOR = 0.001
"""Counts below this share of the rows are measured as if they were that large."""


def average_query_error(
    pair: Pair,
    *,
    queries: int = 100,
    columns: int = 3,
    secrets: int = 1,
    selectivity: float = 0.1,
    seed: int = 0,
) -> float:
    """Average the relative error of random COUNT queries; `count_query_error` is the default.

    A query's error is |estimate − count| / max(count, 0.1 % of the rows): without the floor, a
    query that selects no row could not be measured.

    Parameters
    ----------
    queries, columns, secrets, selectivity, seed
        Which queries are drawn: see `workload`.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [20, 21, 22, 39]})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> exact = shoal.measures.pair(original, original, schema)
    >>> coarse = shoal.measures.pair(original, pl.DataFrame({"age": ["[20, 39]"] * 4}), schema)
    >>> average_query_error(exact), 0 < average_query_error(coarse, queries=20) < 1
    (0.0, True)
    """
    require_pair(pair)
    table, least, total = pair.table, FLOOR * pair.n_rows, 0.0
    drawn = workload(
        table, queries=queries, columns=columns, secrets=secrets, selectivity=selectivity, seed=seed
    )
    both = Condensed.of(table, pair.recoded)
    for query in drawn:
        true = query.true(both.table, both.alike)
        estimated = query.estimate(both.shown, both.recoded, both.shown_alike)
        total += abs(estimated - true) / max(true, least)
    return total / queries


@measure(better="lower")
def count_query_error(pair: Pair) -> float:
    """Count query error: how far off COUNT queries are, on average, relative to the count.

    100 random queries, the same for every publication of a table, ask for sets of values in
    three quasi-identifiers and in one sensitive column. The answer assumes that a cell stands
    for each value it covers equally often, and that a group's row holds any of the values that
    its group shows as often as they are shown, added ones included. The error is relative to
    the count, or to 0.1 % of the rows where that is more. A missing value is in no set; a cell
    published as ``*`` stands for the whole domain; rows that were not published are missing
    from the answer (of a release, only published rows are asked about). For other queries, see
    `average_query_error`.

    References
    ----------
    X. Xiao, Y. Tao: Anatomy: simple and effective privacy preservation, VLDB 2006, section 6.
    """
    return average_query_error(pair)
