"""Samarati: the least height at which a generalization holds, by halving."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.methods.lattice._minimal import MinimalMethod, least_height


@dataclass(frozen=True)
class Samarati(MinimalMethod):
    """Find the least height of the lattice at which a node holds, and its best node.

    The height of a node is the sum of its levels. If some node of a height holds, some node of
    every height above does, too, so halving finds the least; under requirements on shares, with
    suppression, that need not be so, and heights are tried from below. Choose it to compare;
    `FullDomain` finds the best node of all.

    Parameters
    ----------
    objective
        What decides among the nodes of the least height, as in `FullDomain`.
    weights, label, suppression_limit
        As in `FullDomain`.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "sex": shoal.quasi(), "disease": shoal.sensitive(),
    ...     "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=20)),
    ...     "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema,
    ...     require=[shoal.KAnonymity(2)], method=shoal.Samarati())
    >>> sum(release.grouping.levels.values())
    5

    References
    ----------
    P. Samarati: Protecting respondents' identities in microdata release, 2001.
    """

    name: ClassVar[str] = "samarati"
    find = staticmethod(least_height)

    def describe(self) -> str:
        return f"Samarati: a node of least height, of those the one of least {self.aim}"
