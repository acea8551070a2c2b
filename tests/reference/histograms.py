"""Values of groups that become larger ones, counted in a plain way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["regrouped"]


def regrouped(found: Sequence[dict[int, int]], label: Sequence[int]) -> list[list[tuple[int, int]]]:
    """List, per new group, each value that occurs in it with its count, by value."""
    made = [Counter[int]() for _ in range(max(label) + 1)]
    for each, group in zip(found, label, strict=True):
        made[group].update(each)
    return [sorted(each.items()) for each in made]
