"""Which single change of a grouping gains, as plainly as can be: every one is tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from shoal.improve.cell_costs import PricedCells
from shoal.models import Requirement
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from tests.reference.cell_costs import cost_of_groups

__all__ = ["gaining_change"]

Groups = list[list[int]]


def gaining_change(
    table: Table,
    priced: PricedCells,
    labels: Sequence[int],
    require: Sequence[Requirement],
    most: int = 2**60,
) -> Groups | None:
    """Give groups that cost less after one move, one swap or one dissolved group; or ``None``.

    No group grows beyond ``most`` rows.
    """
    groups = [np.flatnonzero(np.array(labels) == g).tolist() for g in range(max(labels) + 1)]

    def cost(rows: list[int]) -> int:
        alone = np.full(table.n_rows, -1, dtype=np.int32)
        alone[rows] = 0
        return int(cost_of_groups(priced, Grouping(alone)) / priced.unit)

    def hold(some: Groups) -> bool:
        counted = [one_group(table, require, np.array(rows)) for rows in some]
        return all(each.judge(group).passed for group in counted for each in require)

    whole = [cost(rows) for rows in groups]
    for numbers, made in _changes(groups):
        grown = any(
            len(rows) > max(most, len(groups[n])) for n, rows in zip(numbers, made, strict=True)
        )
        if grown:
            continue
        if all(made) and hold(made) and sum(map(cost, made)) < sum(whole[n] for n in numbers):
            return made
    for gone, rows in enumerate(groups):
        targets = []
        for row in rows:
            added = [
                (cost([*other, row]) - whole[number], number)
                for number, other in enumerate(groups)
                if number != gone and len(other) < most and hold([[*other, row]])
            ]
            added.sort()
            if not added or (len(added) > 1 and added[0][0] == added[1][0]):
                break  # which of two groups it would join is not said
            targets.append(added[0])
        if len(targets) < len(rows) or sum(each for each, _ in targets) >= whole[gone]:
            continue
        made = {number: list(groups[number]) for _, number in targets}
        for row, (_, number) in zip(rows, targets, strict=True):
            made[number].append(row)
        before = whole[gone] + sum(whole[number] for number in made)
        if max(map(len, made.values())) > most:
            continue
        if hold(list(made.values())) and sum(map(cost, made.values())) < before:
            return list(made.values())
    return None


def _changes(groups: Groups) -> Iterator[tuple[tuple[int, int], Groups]]:
    """Go through all moves of one row, and all swaps of two."""
    for a, mine in enumerate(groups):
        for b, theirs in enumerate(groups):
            if a == b:
                continue
            for row in mine:
                rest = [each for each in mine if each != row]
                yield (a, b), [rest, [*theirs, row]]
                for other in theirs if a < b else ():
                    kept = [each for each in theirs if each != other]
                    yield (a, b), [[*rest, other], [*kept, row]]
