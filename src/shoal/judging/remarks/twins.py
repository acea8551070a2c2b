"""Columns that say the same: a code and its label, or numbers in one order, such as logarithms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from shoal.base.arrays import Bools
from shoal.io.frames import Coded, count_pairs
from shoal.judging.remarks.seen import as_numbers
from shoal.table.schema import is_missing

_SAMPLE = 2_000  # rows that rule out most pairs
_MOST = 10_000  # different values
_FEWEST_ROWS = 20
_AT_ALL = 0.5  # rank correlation below which a pair is not looked at closely
_FEWEST = 20  # different numbers; fewer may rise together by chance
_NEARLY = 0.999  # rank correlation; some cells are always typed wrongly


def find_twins(
    table: Coded, distinct: Mapping[str, int], missing: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Find the columns that stand one-to-one to each other wherever both are known.

    Only columns with at least five rows per value are compared: with fewer, it could be chance. The
    arguments are those of `find_rising`.
    """
    most = min(table.height // 5, _MOST)
    if table.height < _FEWEST_ROWS:
        return {}
    names = [name for name in table.columns if 2 <= distinct.get(name, 0) <= most]
    return _by_column(
        (a, b)
        for a, b in combinations(names, 2)
        if distinct[a] == distinct[b]
        and all(_one_to_one(table, a, b, missing, rows) for rows in (_SAMPLE, table.height))
    )


def _by_column(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """List for each column of a pair those that it is paired with."""
    found: dict[str, tuple[str, ...]] = {}
    for a, b in pairs:
        found[a] = (*found.get(a, ()), b)
        found[b] = (*found.get(b, ()), a)
    return found


def _one_to_one(
    table: Coded, a: str, b: str, missing: Mapping[str, Sequence[str]], rows: int
) -> bool:
    """Say whether the first rows have as many different pairs as values on either side."""
    found = [table[name] for name in (a, b)]
    known = [
        ~is_missing(each.values, missing[name]).to_numpy()
        for each, name in zip(found, (a, b), strict=True)
    ]
    left, right, counts = count_pairs(found[0].codes[:rows], found[1].codes[:rows], len(found[1]))
    both = known[0][left] & known[1][right]
    values = len(np.unique(left[both]))
    if rows == table.height and (2 * int(counts[both].sum()) < rows or values < 2):
        return False
    return int(both.sum()) == values == len(np.unique(right[both]))


def find_rising(
    table: Coded,
    distinct: Mapping[str, int],
    missing: Mapping[str, Sequence[str]],
    pairs: Iterable[tuple[str, str]] | None = None,
) -> dict[str, tuple[str, ...]]:
    """Find the columns of numbers that are in the same order wherever both are known.

    ``distinct`` says how many distinct values each column has, ``missing`` which texts mean
    missing, and ``pairs`` which columns to compare; all of them if left out.
    """
    several = [name for name in distinct if distinct[name] >= _FEWEST]
    first = {
        name: read
        for name in several
        if (read := as_numbers(table.cells(name).head(_SAMPLE), missing[name])) is not None
    }
    place = {name: i for i, name in enumerate(first)}
    alike = _alike(list(first.values()))
    found = []
    for a, b in combinations(first, 2) if pairs is None else pairs:
        if not (a in place and b in place and alike[place[a], place[b]]):
            continue
        small, many = sorted((distinct[a], distinct[b]))
        if 2 * small < many or not rise_together(first[a], first[b]):
            continue
        one, other = (as_numbers(table.cells(name), missing[name]) for name in (a, b))
        if one is not None and other is not None and rise_together(one, other):
            found.append((a, b))
    return _by_column(found)


def _alike(columns: Sequence[pl.Series]) -> Bools:
    """Say for each pair of columns whether their ranks correlate at all, where both are known."""
    if not columns:
        return np.zeros((0, 0), dtype=bool)
    ranks = np.array([each.rank().to_numpy().astype(np.float64) for each in columns])
    known = ~np.isnan(ranks)
    means = np.where(known, ranks, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    apart = np.where(known, ranks - means[:, None], 0)
    squares = apart**2 @ known.T
    return np.asarray(np.abs(apart @ apart.T) > _AT_ALL * np.sqrt(squares * squares.T))


def rise_together(a: pl.Series, b: pl.Series) -> bool:
    """Say whether numbers are in the same order, or in the opposite one, wherever both are known.

    A few cells may be out of order, where ranks correlate by more than 0.999.
    """
    both = pl.DataFrame([a.alias("a"), b.alias("b")]).drop_nulls()
    if 2 * both.height < len(a) or min(both["a"].n_unique(), both["b"].n_unique()) < _FEWEST:
        return False
    ranks = both.select(pl.all().rank())
    if abs(float(str(ranks.select(pl.corr("a", "b")).item()))) > _NEARLY:
        return True
    return any(  # a coarser column has fewer ranks, and need not correlate so much
        bool(both.select("a", b=sign * pl.col("b")).sort("a", "b")["b"].is_sorted())
        for sign in (1, -1)
    )
