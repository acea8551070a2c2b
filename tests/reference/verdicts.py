"""Slow, obvious twins: which parts of a class hold, and which classes hold beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product


def fewest_lost(values: Sequence[int], holds: Callable[[list[int]], bool]) -> int:
    """Try every part of a class: the fewest rows that no part which holds has."""
    counts = sorted(Counter(values).items())
    best = len(values)
    for kept in product(*(range(count + 1) for _, count in counts)):
        part = [value for (value, _), some in zip(counts, kept, strict=True) for _ in range(some)]
        if part and holds(part):
            best = min(best, len(values) - len(part))
    return best


def in_turns(
    classes: Sequence[list[int]],
    largest: Fraction,
    distance: Callable[[Sequence[int], Sequence[int]], Fraction],
) -> list[bool]:
    """Say which classes stay if, in turns, all go that are too far from those that are left."""
    left = list(range(len(classes)))
    while left:
        whole = [value for c in left for value in classes[c]]
        near = [c for c in left if distance(classes[c], whole) <= largest]
        if near == left:
            break
        left = near
    return [c in left for c in range(len(classes))]
