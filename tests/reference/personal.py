"""People's own requirements, counted person by person from rows that are written out."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

__all__ = ["fewest_gone", "guarded", "hidden_enough"]


def hidden_enough(wishes: Sequence[int | None], people: Sequence[Hashable], k: int) -> bool:
    """Say whether a group has k people, and as many as each of them asks for."""
    crowd = len(set(people))
    return crowd >= k and all(wish is None or crowd >= wish for wish in wishes)


def fewest_gone(wishes: Sequence[int | None], k: int) -> int | None:
    """Try which rows must go before the rest are a group; ``None`` if none is left."""
    for gone in range(len(wishes)):
        for rest in combinations(wishes, len(wishes) - gone):
            if hidden_enough(rest, range(len(rest)), k):
                return gone
    return None


def guarded(
    values: Sequence[str | None],
    guards: Sequence[str | None],
    people: Sequence[Hashable],
    share: Fraction,
    parents: Mapping[str, str],
) -> bool:
    """Say whether at most a share of a group holds a value below each node that is guarded."""
    crowd = len(set(people))
    for node in set(guards) - {None}:
        held = {
            (person, value)
            for person, value in zip(people, values, strict=True)
            if value is not None
            and (node in _upward(value, parents) or value in _upward(node, parents))
        }
        if Fraction(min(len(held), crowd), crowd) > share:
            return False
    return True


def _upward(node: str | None, parents: Mapping[str, str]) -> list[str | None]:
    return [node] if node not in parents else [node, *_upward(parents[node], parents)]
