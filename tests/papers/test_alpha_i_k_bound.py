"""How large a distance of sensitivity classes can have at all: linear programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import optimize

from shoal import GCA, AlphaK, LeveledAlphaK, LeveledGCA
from shoal.measures import Pair, class_sensitivity_distance
from shoal.measures.protection.sensitivity_distance import high_class_distances
from shoal.publications import TwoTable
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from shoal_papers.alpha_i_k.data import SENSITIVE, table_of
from shoal_papers.alpha_i_k.series import LEVEL_ALPHAS


def levels_of(table: Table) -> np.ndarray:
    graded = table.schema[SENSITIVE].levels
    assert graded is not None
    column = table.sensitive[SENSITIVE]
    return np.array([graded[str(label)] for label in column.labels])[column.codes]


def most(table: Table, sizes: Sequence[int], *, all_counted: bool) -> float:
    """The largest mean distance of classes of some sizes that use up the records of each level.

    A variable per mixture of levels: how many classes are so, as a share of those that count.
    """
    mixtures = [each for q in sizes for each in combinations_with_replacement(range(1, 6), q)]
    counts = np.array([[mixture.count(level) for level in range(1, 6)] for mixture in mixtures])
    distances = np.array([class_sensitivity_distance(each, n_levels=5) for each in mixtures])
    counted = np.array([all_counted or min(mixture) <= 2 for mixture in mixtures], dtype=float)
    records = np.bincount(levels_of(table), minlength=6)[1:]
    # The last variable is one over the number of classes that count.
    use = np.hstack([counts.T, -records[:, None]])
    found = optimize.linprog(
        -np.append(distances * counted, 0),
        A_eq=np.vstack([use, np.append(counted, 0)]),
        b_eq=[0, 0, 0, 0, 0, 1],
    )
    return float(-found.fun)


def mean(table: Table, grouping: Grouping) -> float:
    made = TwoTable().make(table, grouping, np.arange(grouping.n_groups) + 1)
    return float(high_class_distances(Pair(table, made.recoded)).mean())


@pytest.mark.parametrize("seed", [1, 2, 7])
def test_no_classes_have_clearly_more_than_the_plain_ones(seed: int) -> None:
    """The figures of `BOUND`, on the samples with the least and the largest ratios."""
    table, rng = table_of(10_000, 3, seed), np.random.default_rng(0)
    plain = mean(table, GCA().group(table, [AlphaK(0.5, 5)], rng=rng))
    of_five = most(table, [5], all_counted=True)
    assert 1.035 < of_five / plain < 1.07
    assert 1.085 < most(table, range(5, 10), all_counted=True) / plain < 1.125
    assert 1.215 < most(table, [5], all_counted=False) / plain < 1.25
    require = [LeveledAlphaK(None, LEVEL_ALPHAS, 5).bind(table.schema)]
    even = LeveledGCA(spend="even").group(table, require, rng=rng)
    assert 0.9965 < mean(table, even) / of_five < 1
