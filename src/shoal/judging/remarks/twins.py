"""Columns that hold the same information, such as a code and its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from shoal.io.frames import Coded, count_pairs
from shoal.table.schema import is_missing

_SAMPLE = 2_000
_MOST = 10_000
_FEWEST_ROWS = 20


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
    found: dict[str, list[str]] = {}
    for a, b in combinations(names, 2):
        if distinct[a] != distinct[b]:
            continue
        if _one_to_one(table, a, b, missing, _SAMPLE) and _one_to_one(
            table, a, b, missing, table.height
        ):
            found.setdefault(a, []).append(b)
            found.setdefault(b, []).append(a)
    return {name: tuple(twins) for name, twins in found.items()}


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
