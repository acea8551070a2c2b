"""Whom of a population a row covers, by looking at everyone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["covered"]


def covered(
    rows: Sequence[Sequence[str]],
    people: Sequence[Sequence[str]],
    covers: Callable[[str, str], bool],
) -> list[int]:
    """For each row how many people all its cells cover."""
    return [
        sum(
            all(covers(cell, value) for cell, value in zip(row, person, strict=True))
            for person in people
        )
        for row in rows
    ]
