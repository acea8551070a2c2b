"""Columns that say the same in other words, such as a code and its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import polars as pl

from shoal.schema import is_missing

__all__ = ["find_twins"]

_SAMPLE = 2_000
_MOST = 10_000
_FEWEST_ROWS = 20


def find_twins(
    frame: pl.DataFrame, distinct: Mapping[str, int], missing: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Find the columns that stand one-to-one to each other wherever both are known.

    Only columns with at least five rows per value are compared: with fewer, it could
    be chance.

    Parameters
    ----------
    frame
        The table.
    distinct
        How many distinct values each column has.
    missing
        The texts that mean missing, per column.

    Examples
    --------
    >>> frame = pl.DataFrame({"a": [1, 2] * 20, "b": ["x", "y"] * 20, "c": [1] * 39 + [2]})
    >>> find_twins(frame, {"a": 2, "b": 2, "c": 2}, {"a": (), "b": (), "c": ()})
    {'a': ('b',), 'b': ('a',)}
    """
    most = min(frame.height // 5, _MOST)
    if frame.height < _FEWEST_ROWS:
        return {}
    names = [name for name in frame.columns if 2 <= distinct[name] <= most]
    found: dict[str, list[str]] = {}
    for a, b in combinations(names, 2):
        if distinct[a] != distinct[b]:
            continue
        left, right = frame[a], frame[b]
        if _one_to_one(left.head(_SAMPLE), right.head(_SAMPLE), missing) and _one_to_one(
            left, right, missing, whole=True
        ):
            found.setdefault(a, []).append(b)
            found.setdefault(b, []).append(a)
    return {name: tuple(twins) for name, twins in found.items()}


def _one_to_one(
    a: pl.Series, b: pl.Series, missing: Mapping[str, Sequence[str]], *, whole: bool = False
) -> bool:
    known = ~(is_missing(a, missing[a.name]) | is_missing(b, missing[b.name]))
    pairs = pl.DataFrame([a.alias("a"), b.alias("b")]).filter(known)
    if whole and (pairs.height < a.len() / 2 or pairs["a"].n_unique() < 2):
        return False
    return pairs.n_unique() == pairs["a"].n_unique() == pairs["b"].n_unique()
