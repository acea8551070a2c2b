"""How wrong means come out of a publication."""

from __future__ import annotations

from shoal.measures._mean_queries import mean_query_errors, require_numbers
from shoal.measures._pairs import Pair
from shoal.measures.base import measure


@measure(
    better="lower",
    requires=lambda pair: require_numbers(pair.table),
    public="never",
    on_request=True,
)
def mean_query_error(pair: Pair) -> float:
    """Mean query error: how far off means are, on average, relative to the mean.

    100 random queries, the same for every publication of a table, ask for the mean of a column
    of numbers among the rows in sets of three other quasi-identifiers and of one sensitive
    column. An interval stands for its midpoint; which rows are in the sets is answered as for
    `count_query_error`. The error is relative to the mean, or to a tenth of the column's mean
    absolute value where that is more. A missing number is in no mean, and neither is a cell that
    covers every value, such as ``*``; rows that were not published are missing from the answer.
    Queries that select no row are left out. For other queries, see `mean_query_errors`.
    """
    found = mean_query_errors(pair)
    total = sum(each.queries for each in found)
    return sum(each.relative * each.queries for each in found) / total if total else 0.0
