"""How a pool of rows is grouped anew, as plainly as can be: without blur, equal rows first.

Costs are those of `tests.reference.cell_costs`, taken of every union anew.
"""

from __future__ import annotations

import numpy as np

from shoal.improve.cell_costs import PricedCells
from shoal.kernels.refine.repair import SEEDS
from shoal.publications.groups.grouping import Grouping
from tests.reference.cell_costs import cost_of_groups, price_per_row

__all__ = ["grouped_anew"]

Rows = tuple[int, ...]


class _Pool:
    def __init__(self, priced: PricedCells, k: int) -> None:
        self.priced, self.k = priced, k
        self.known: dict[Rows, int] = {}

    def cost(self, rows: Rows) -> int:
        rows = tuple(sorted(rows))
        if rows not in self.known:
            n = len(self.priced.columns[0].codes)
            labels = np.full(n, -1, dtype=np.int32)
            labels[list(rows)] = 0
            total = cost_of_groups(self.priced, Grouping(labels)) / self.priced.unit
            assert total.denominator == 1
            self.known[rows] = int(total)
        return self.known[rows]

    def added(self, one: Rows, other: Rows) -> int:
        return self.cost(one + other) - self.cost(one) - self.cost(other)


def grouped_anew(priced: PricedCells, groups: list[list[int]], k: int) -> int:
    """Give what the rows of some groups cost once they are joined and split anew; −1: never."""
    pool = _Pool(priced, k)
    atoms = [atom for rows in groups for atom in _alike(priced, rows, k)]
    units = _joined(pool, [[number] for number in range(len(atoms))], atoms, k)
    if units is None:
        return -1
    parts = [part for unit in units for part in _split(pool, unit, atoms, k)]
    return sum(pool.cost(_rows(part, atoms)) for part in parts)


def _rows(unit: list[int], atoms: list[Rows]) -> Rows:
    return tuple(row for atom in unit for row in atoms[atom])


def _joined(
    pool: _Pool, units: list[list[int]], atoms: list[Rows], k: int
) -> list[list[int]] | None:
    """Join the short unit that is cheapest to join with its partner, until none is short.

    A unit keeps its partner as long as no other is cheaper.
    """

    def short(unit: list[int]) -> bool:
        return len(_rows(unit, atoms)) < k

    def added(one: int, other: int) -> int:
        return pool.added(_rows(units[one], atoms), _rows(units[other], atoms))

    def look(one: int) -> int:
        return min((j for j in range(len(units)) if j != one), key=lambda j: (added(one, j), j))

    if len(units) > 1:
        partner = [look(i) if short(unit) else -1 for i, unit in enumerate(units)]
    while any(short(unit) for unit in units):
        if len(units) == 1:
            return None
        waiting = [i for i, unit in enumerate(units) if short(unit)]
        one = min(waiting, key=lambda i: (added(i, partner[i]), i))
        keep, gone = sorted((one, partner[one]))
        last = len(units) - 1
        partner = [-1 if p in (keep, gone) else gone if p == last else p for p in partner]
        units[keep] = units[keep] + units[gone]
        units[gone], partner[gone] = units[last], partner[last]
        units.pop()
        partner.pop()
        if len(units) == 1:
            continue
        for i, unit in enumerate(units):
            if not short(unit):
                continue
            if i == keep or partner[i] < 0:
                partner[i] = look(i)
            elif added(i, keep) < added(i, partner[i]):
                partner[i] = keep
    return units


def _alike(priced: PricedCells, rows: list[int], k: int) -> list[Rows]:
    """Make atoms of equal rows."""
    cells = {row: tuple(int(c.codes[row]) for c in priced.columns) for row in rows}
    made = []
    for cell in dict.fromkeys(cells[row] for row in rows):
        alike = [row for row in rows if cells[row] == cell]
        while alike:
            take = len(alike) - 2 * k if len(alike) > 3 * k else min(k, len(alike))
            made.append(tuple(alike[:take]))
            alike = alike[take:]
    return made


def _split(pool: _Pool, unit: list[int], atoms: list[Rows], k: int) -> list[list[int]]:
    """Cut along the order from one atom on, whichever costs least, as long as nothing is added."""
    whole = _rows(unit, atoms)
    best, parts = pool.cost(whole) + 1, None
    unit = sorted(unit)
    some = [unit[i * len(unit) // n] for n in [min(len(unit), SEEDS)] for i in range(n)]
    for seed in some if len(whole) >= 2 * k else []:

        def far(atom: int, seed: int = seed) -> tuple[int, int]:
            box = [*atoms[seed], *atoms[atom]]
            return -1 if atom == seed else price_per_row(pool.priced, box), atom

        order = sorted(unit, key=far)
        for cut in range(len(order) - 1, 0, -1):
            one, other = _rows(order[:cut], atoms), _rows(order[cut:], atoms)
            if len(one) >= k and len(other) >= k and pool.cost(one) + pool.cost(other) < best:
                best, parts = pool.cost(one) + pool.cost(other), (order[:cut], order[cut:])
    return [unit] if parts is None else [parts[0], *_split(pool, parts[1], atoms, k)]
