"""How a table is cut into blocks, as one would do it by hand."""

from __future__ import annotations

from statistics import fmean, median, pstdev

__all__ = ["cut"]


def cut(
    columns: list[list[float]], count: int, *, people: list[int] | None, least: int
) -> list[list[int]]:
    """Cut the largest block at the median of the column of most spread, again and again."""
    open_, closed = [list(range(len(columns[0])))], []
    while open_ and len(open_) + len(closed) < count:
        longest = max(len(block) for block in open_)
        at = next(i for i, block in enumerate(open_) if len(block) == longest)
        block = open_.pop(at)
        halves = _halves(block, columns, people, least)
        if halves is None:
            closed.append(block)
        else:
            open_ += halves
    return sorted(open_ + closed, key=lambda block: block[0])


def _halves(
    block: list[int], columns: list[list[float]], people: list[int] | None, least: int
) -> list[list[int]] | None:
    spreads = [round(pstdev([column[row] for row in block]), 12) for column in columns]
    for at in sorted(range(len(columns)), key=lambda each: -spreads[each]):
        if spreads[at] < 1e-12:
            return None
        place = {row: columns[at][row] for row in block}
        if people is not None:
            place = {
                row: fmean(columns[at][other] for other in block if people[other] == people[row])
                for row in block
            }
        middle = median(place.values())
        left = [row for row in block if place[row] <= middle + 1e-12]
        if len(left) == len(block):
            left = [row for row in block if place[row] < middle - 1e-12]
        right = [row for row in block if row not in left]
        if min(len(left), len(right)) >= least:
            return [left, right]
    return None
