"""The least that a grouping costs, found by trying all of them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from shoal.grouping import Grouping
from shoal.measures.cell_costs import PricedCells
from tests.reference.cell_costs import cost_of_groups

__all__ = ["cost_of", "optimum"]


def cost_of(priced: PricedCells, rows: tuple[int, ...], n: int) -> Fraction:
    """What a group of some rows costs."""
    labels = np.full(n, -1, dtype=np.int32)
    labels[list(rows)] = 0
    return cost_of_groups(priced, Grouping(labels))


def optimum(
    priced: PricedCells, n: int, k: int
) -> tuple[Fraction, Fraction, list[tuple[int, ...]]]:
    """Try every way to put rows into groups of k or more, and say what the best one costs.

    Gives what it costs if rows may also be left out (at the cost of all of their cells), what it
    costs if none is, and the groups of the latter.
    """
    out = int(priced.costs.full.sum()) * priced.unit

    @cache
    def group(members: int) -> Fraction:
        return cost_of(priced, tuple(i for i in range(n) if members >> i & 1), n)

    @cache
    def best(left: int, suppress: bool) -> tuple[Fraction, tuple[int, ...]] | None:
        if left == 0:
            return Fraction(0), ()
        first = left & -left
        others = left ^ first
        found = []
        if suppress and (rest := best(others, suppress)) is not None:
            found.append((out + rest[0], rest[1]))
        part = others
        while True:  # all subsets of the others
            members = part | first
            rest = best(left ^ members, suppress) if members.bit_count() >= k else None
            if rest is not None:
                found.append((group(members) + rest[0], (members, *rest[1])))
            if part == 0:
                break
            part = (part - 1) & others
        return min(found) if found else None

    everyone = (1 << n) - 1
    some, every = best(everyone, True), best(everyone, False)
    assert some is not None
    assert every is not None
    groups = [tuple(i for i in range(n) if each >> i & 1) for each in every[1]]
    return some[0], every[0], groups
