"""The least that a grouping costs, found by trying all of them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

from shoal.improve.cell_costs import PricedCells
from tests.reference.cell_costs import cell, cost_of_rows

__all__ = ["cheapest", "nearest", "optimum"]


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
        return cost_of_rows(priced, [i for i in range(n) if members >> i & 1])

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


def cheapest(priced: PricedCells, n: int, k: int) -> list[Fraction]:
    """What each row pays in the group of k rows that costs it least."""
    return [
        min(
            _pays(priced, row, (row, *others))
            for others in combinations([i for i in range(n) if i != row], k - 1)
        )
        for row in range(n)
    ]


def nearest(priced: PricedCells, n: int, k: int) -> list[Fraction]:
    """What each row pays beside its (k − 1)-th nearest one."""
    return [
        sorted(_pays(priced, row, (row, other)) for other in range(n) if other != row)[k - 2]
        for row in range(n)
    ]


def _pays(priced: PricedCells, row: int, rows: tuple[int, ...]) -> Fraction:
    """What a row pays for the cells of a group."""
    total = 0
    for j, column in enumerate(priced.columns):
        codes = column.codes[list(rows)].tolist()
        total += cell(priced.costs, j, codes, column.size)(int(column.codes[row]))
    return total * priced.unit
