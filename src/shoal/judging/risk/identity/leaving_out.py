"""What each column adds: how many people are unique with it, and would be without it."""

from __future__ import annotations

from shoal.judging.risk.identity.records import Records


def unique_share(found: Records) -> float:
    """Say which share of people are alone with all their quasi-identifiers."""
    return found.people_in(found.sizes == 1) / found.n_people


def unique_without(found: Records) -> dict[str, float]:
    """Say per column which share of people would still be alone without it.

    It is quicker than minimal unique sets, as it looks at one set per column, and says which
    columns matter beside all others.
    """
    made: dict[str, float] = {}
    every = range(len(found.names))
    for j, name in enumerate(found.names):
        rest = [other for other in every if other != j]
        if not rest:
            made[name] = 1.0 if found.n_people == 1 else 0.0
            continue
        numbers = found.grouped(rest)
        sizes = found.people_per(numbers[found.classes], int(numbers.max()) + 1)
        made[name] = found.people_in((sizes == 1)[numbers]) / found.n_people
    return made
