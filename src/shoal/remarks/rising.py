"""Columns of numbers in one order, such as a wage and its logarithm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import polars as pl

from shoal.frames import Coded
from shoal.remarks.numbers import as_numbers

__all__ = ["find_rising", "rise_together"]

_SAMPLES = (200, 2_000)  # a few rows rule out most pairs
_FEWEST = 20  # different numbers; fewer may rise together by chance
_NEARLY = 0.999  # rank correlation; some cells are always typed wrongly


def find_rising(
    table: Coded,
    distinct: Mapping[str, int],
    missing: Mapping[str, Sequence[str]],
    pairs: Iterable[tuple[str, str]] | None = None,
) -> dict[str, tuple[str, ...]]:
    """Find the columns of numbers that are in the same order wherever both are known.

    Parameters
    ----------
    distinct
        How many distinct values each column has.
    missing
        The texts that mean missing, per column.
    pairs
        The columns to compare; all of them if left out.

    Examples
    --------
    >>> import numpy as np
    >>> wage = np.arange(1.0, 100.0)
    >>> frame = pl.DataFrame({"wage": wage, "lwage": np.log(wage), "age": wage % 30})
    >>> each = dict.fromkeys(frame.columns, 99)
    >>> find_rising(Coded(frame), each, dict.fromkeys(each, ()))
    {'wage': ('lwage',), 'lwage': ('wage',)}
    """
    read: dict[tuple[str, int], pl.Series | None] = {}

    def numbers(name: str, rows: int) -> pl.Series | None:
        if (name, rows) not in read:
            read[name, rows] = as_numbers(table.cells(name).head(rows), missing[name])
        return read[name, rows]

    found: dict[str, list[str]] = {}
    for a, b in combinations(distinct, 2) if pairs is None else pairs:
        few, many = sorted((distinct[a], distinct[b]))
        if few < _FEWEST or 2 * few < many:
            continue
        for rows in (*_SAMPLES, table.height):
            first, second = numbers(a, rows), numbers(b, rows)
            if first is None or second is None or not rise_together(first, second):
                break
        else:
            found.setdefault(a, []).append(b)
            found.setdefault(b, []).append(a)
    return {name: tuple(others) for name, others in found.items()}


def rise_together(a: pl.Series, b: pl.Series) -> bool:
    """Say whether numbers are in the same order, or in the opposite one, wherever both are known.

    A few cells may be out of order, where ranks correlate by more than 0.999.

    Examples
    --------
    >>> wage = pl.Series(range(1, 100)).cast(pl.Float64)
    >>> rise_together(wage, wage.log()), rise_together(wage, -wage)
    (True, True)
    >>> rise_together(wage, wage.shuffle(seed=1))
    False
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
