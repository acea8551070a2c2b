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
    places = [_places(block, column, people) for column in columns]
    spreads = [round(pstdev(list(place.values())), 12) for place in places]
    for at in sorted(range(len(columns)), key=lambda each: -spreads[each]):
        if spreads[at] < 1e-12:
            return None
        place = places[at]
        middle = median(place.values())
        left = [row for row in block if place[row] <= middle + 1e-12]
        if len(left) == len(block):
            left = [row for row in block if place[row] < middle - 1e-12]
        right = [row for row in block if row not in left]
        if min(len(left), len(right)) >= least:
            return [left, right]
    return None


def _places(block: list[int], column: list[float], people: list[int] | None) -> dict[int, float]:
    """Say where each row lies: where the mean of its person's rows does."""
    if people is None:
        return {row: column[row] for row in block}
    return {
        row: fmean(column[other] for other in block if people[other] == people[row])
        for row in block
    }
