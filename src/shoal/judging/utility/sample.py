"""Which rows take part where there are more than models need."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.judging.utility.label import Label

SAMPLE = 50_000
"""Default number of rows in the sample: scores differ less than folds do."""


def sample_rows(target: Label, people: Ints | None, most: int, folds: int, seed: int) -> Bools:
    """Mark rows that have a label; all of them, if there are no more than asked for.

    Of each class as many rows as there are folds are drawn first, so that rare classes stay. A
    person, whom ``people`` tells apart, comes with all rows, so that a few more may be chosen than
    asked for.
    """
    rows = np.flatnonzero(target.known)
    chosen = target.known.copy()
    if len(rows) <= most:
        return chosen
    drawn = np.random.default_rng(seed).permutation(rows)
    if not target.is_number:
        drawn = drawn[np.argsort(_turns(target.values[drawn]) >= folds, kind="stable")]
    chosen[:] = False
    if people is None:
        chosen[drawn[:most]] = True
        return chosen
    who = people[drawn]
    persons, first, counts = np.unique(who, return_index=True, return_counts=True)
    order = np.argsort(first)
    before = np.cumsum(counts[order]) - counts[order]
    chosen[rows] = np.isin(people[rows], persons[order[before < most]])
    return chosen


def _turns(classes: Ints) -> Ints:
    """Number the rows of each class in the order in which they come."""
    order = np.argsort(classes, kind="stable")
    counts = np.bincount(classes)
    turns = np.empty(len(classes), dtype=np.int64)
    turns[order] = np.arange(len(classes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return turns
