"""Who matches a row if a star matches everything, by looking at every pair of rows."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["matches"]


def matches(
    rows: Sequence[Sequence[object]], weights: Sequence[float], star: object = "*"
) -> list[float]:
    """For each row the weight of the rows that could be the same person's."""
    return [
        sum(
            weight
            for other, weight in zip(rows, weights, strict=True)
            if all(a == b or star in (a, b) for a, b in zip(row, other, strict=True))
        )
        for row in rows
    ]
