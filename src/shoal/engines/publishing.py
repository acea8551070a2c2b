"""Make the published tables of a grouping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.base.shuffling import CLASS_IDS, COUNTERFEIT_PLACES, permutation
from shoal.methods import Method
from shoal.publications import Made, Publication
from shoal.publications.groups.grouping import Grouping
from shoal.publications.published import Published
from shoal.table import Table


def publish(
    table: Table,
    grouping: Grouping,
    publication: Publication,
    method: Method,
    suppressed: Sequence[str] = (),
    *,
    seed: int | None = None,
) -> Made:
    """Make the published tables of a grouping; the seed draws the ids of its groups."""
    ids = permutation(grouping.n_groups, seed, CLASS_IDS) + 1
    made = publication.make(table, grouping, ids, numbers=method.numbers, suppressed=suppressed)
    return replace(made, published=_mixed(made.published, seed))


def _mixed(published: Published, seed: int | None) -> Published:
    """Put counterfeit rows at random places; the others keep their order."""
    added = published.counterfeit_rows
    if added is None:
        return published
    places = permutation(len(added), seed, COUNTERFEIT_PLACES)
    mixed = np.zeros_like(added)
    mixed[places[: int(added.sum())]] = True
    order = np.empty(len(added), dtype=np.int64)
    order[~mixed], order[mixed] = np.flatnonzero(~added), np.flatnonzero(added)
    return replace(published, table=published.coded.take(order), counterfeit_rows=mixed)
