"""Decomposition: sensitive groups from the largest buckets, made diverse by noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Floats
from shoal.methods.base import OwnMethod, Progress
from shoal.methods.inverse._decomposition import decompose
from shoal.methods.inverse._sensitive import SensitiveAttribute, order_attributes
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.share_limits import required_size
from shoal.table import Table


@dataclass(frozen=True)
class Decomposition(OwnMethod):
    """Build groups of l different primary values, and add noise for all other columns.

    A baseline of Zhang et al. (2014): groups are opened from the largest buckets as in `MICD`, but
    records are taken at random, and a group that is short of values of another column gets values
    that are not its own, drawn at random from those it lacks. Choose it to compare.

    Parameters
    ----------
    primary
        The column whose values open the groups: ``"entropy"`` for the one of highest entropy,
        or its name.
    picks
        How records and noise are drawn: at ``"random"``, or always the ``"first"`` row and the
        first value.
    seed
        Makes random picks repeatable.

    Notes
    -----
    The original gives no rule for records that open no group; here each joins the smallest
    group that does not hold its primary value, the earliest of equals, or the smallest if all
    do. A k above the l of the primary column raises it; groups of fewer than k people are then
    united in turn, and the last joins the smallest.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "no": shoal.identifier(), "name": shoal.identifier(), "age": shoal.quasi(),
    ...     "sex": shoal.quasi(), "zipcode": shoal.quasi(), "job": shoal.sensitive(),
    ...     "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(shoal.datasets.patients(3), schema,
    ...     require=[shoal.MultiLDiversity({"disease": 3, "job": 3})],
    ...     method=shoal.Decomposition(picks="first"))
    >>> release.grouping.sizes.tolist(), round(release.measures["noise_ratio"], 3)
    ([3, 3, 3, 3], 0.167)

    References
    ----------
    Ye, Liu, Wang: Decomposition: privacy preservation for multiple sensitive attributes,
    DASFAA 2009.
    """

    primary: str = "entropy"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "decomposition"
    publication: ClassVar[str] = "sensitive-groups"
    carries: ClassVar[frozenset[str] | None] = frozenset({"k-anonymity", "multi-l-diversity"})
    needs: ClassVar[Literal["shares", "values", "levels"] | None] = "values"
    adds_values: ClassVar[bool] = True
    carries_missing: ClassVar[bool] = True

    def describe(self) -> str:
        return "Decomposition: groups from the largest buckets, noise for the rest"

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Open groups, place the rest, then add noise from the values a group lacks."""
        attributes = order_attributes(table, require, self.primary, method=self.name)
        queue = self.row_order(table.n_rows, rng)
        k, keys = required_size(require), partial(self.keys, rng=rng)
        return decompose(attributes, queue, keys, k, table.people, progress)

    def keys(self, attribute: SensitiveAttribute, groups: int, rng: Generator) -> Floats:
        """Give keys to values, anew for each of some groups; of those it lacks the least are added.

        Each is as likely as any other.
        """
        if self.picks == "first":
            return np.tile(np.arange(len(attribute.degrees), dtype=np.float64), (groups, 1))
        return rng.random((groups, len(attribute.degrees)))
