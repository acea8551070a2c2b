"""How far the distribution of two columns together is from the one that readers rebuild."""

from __future__ import annotations

from shoal.errors import ParameterError
from shoal.measures._distances import pair_distances
from shoal.measures._pairs import Pair
from shoal.measures.base import measure


def _require(pair: Pair) -> None:
    if len(pair.table.quasi) + len(pair.table.sensitive) < 2:
        raise ParameterError(
            "There is only one column, so there is no pair to compare.",
            "Use marginal_distance, which measures each column separately.",
        )


@measure(better="lower", requires=_require, public="never", on_request=True)
def pair_distance(pair: Pair) -> float:
    """Pair distance: which share of the rows readers put at a wrong pair of values.

    As `marginal_distance`, but of each two columns together, quasi-identifiers and sensitive
    ones: the mean over all pairs. Columns are independent within a published row, for a reader who
    knows nothing else; sensitive values that are published per group are any of their group's.
    Missing cells are left out, and so are cells that cover every value, pair by pair. Rows that
    are not published are not there. For each pair, see `pair_distances`.
    """
    found = pair_distances(pair)
    return sum(each.total_variation for each in found) / len(found)
