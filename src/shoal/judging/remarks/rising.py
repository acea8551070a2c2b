"""Columns of numbers in one order, such as a wage and its logarithm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from shoal.base.arrays import Bools
from shoal.io.frames import Coded
from shoal.judging.remarks.numbers import as_numbers

_SAMPLE = 2_000  # rows that rule out most pairs
_AT_ALL = 0.5  # rank correlation below which a pair is not looked at closely
_FEWEST = 20  # different numbers; fewer may rise together by chance
_NEARLY = 0.999  # rank correlation; some cells are always typed wrongly


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
    found: dict[str, list[str]] = {}
    for a, b in combinations(first, 2) if pairs is None else pairs:
        if not (a in place and b in place and alike[place[a], place[b]]):
            continue
        small, many = sorted((distinct[a], distinct[b]))
        if 2 * small < many or not rise_together(first[a], first[b]):
            continue
        whole = [as_numbers(table.cells(name), missing[name]) for name in (a, b)]
        if whole[0] is not None and whole[1] is not None and rise_together(whole[0], whole[1]):
            found.setdefault(a, []).append(b)
            found.setdefault(b, []).append(a)
    return {name: tuple(others) for name, others in found.items()}


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
