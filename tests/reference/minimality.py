"""Posteriors by their definition: every table that there could be, published again for each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import product

__all__ = ["people_above"]


def people_above(
    publish: Callable[[tuple[str, ...], int], Hashable],
    values: Sequence[str],
    seeds: int,
    limit: Fraction,
    *,
    knows_seed: bool = False,
) -> tuple[int, int]:
    """Count people with a posterior above a limit, and all people, over all truths and seeds."""
    above = people = 0
    worlds = [
        world
        for world in product(sorted(set(values)), repeat=len(values))
        if sorted(world) == sorted(values)
    ]
    for truth in worlds:
        for seed in range(seeds):
            seen = publish(truth, seed)
            if seen is None:
                continue
            for person in range(len(values)):
                likely = dict.fromkeys(values, Fraction(0))
                whole = Fraction(0)
                for world in worlds:
                    for other in [seed] if knows_seed else range(seeds):
                        if publish(world, other) == seen:
                            likely[world[person]] += 1
                            whole += 1
                people += 1
                above += max(likely.values()) / whole > limit
    return above, people
