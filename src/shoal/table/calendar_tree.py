"""Trees over dates whose nodes are known as ranges of days."""

from __future__ import annotations

from shoal.base.cells import parse_dates
from shoal.table.hierarchies import Hierarchy


def dated(tree: Hierarchy) -> Hierarchy:
    """Read the nodes of a tree as ranges of days, not of numbers; words stay unread.

    Examples
    --------
    >>> tree = Hierarchy.from_dict({"1955": ["1955-02-01", "1955-12-31"]})
    >>> tree.intervals[1].lo, dated(tree).intervals[1].lo
    (1955, 713684)
    """
    known = {label: days for label in tree.labels if (days := parse_dates(label)) is not None}
    return Hierarchy(tree.labels, tree.parent.tolist(), known)
