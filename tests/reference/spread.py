"""Slow, obvious twins of l-diversity and t-closeness: one group at a time, exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import prod


def even_enough(values: Sequence[object], least: Fraction) -> bool:
    """Compare nⁿ with lⁿ · Π nᵢ^nᵢ, written out."""
    counts = Counter(values).values()
    n = sum(counts)
    left = (n * least.denominator) ** n
    return left >= least.numerator**n * prod(count**count for count in counts)


def recursive(values: Sequence[object], least: int, c: Fraction) -> bool:
    """Compare the largest count with c times the sum from the l-th on."""
    counts = sorted(Counter(values).values(), reverse=True)
    return counts[0] < c * sum(counts[least - 1 :])


def apart(group: Sequence[object], whole: Sequence[object]) -> Fraction:
    """Half the sum of the differences of shares."""
    return (
        sum(
            (abs(_share(group, value) - _share(whole, value)) for value in set(whole) | set(group)),
            Fraction(0),
        )
        / 2
    )


def moved(group: Sequence[float], whole: Sequence[float]) -> Fraction:
    """The earth mover's distance: push what is too much at a place on to the next."""
    places = sorted(set(whole) | set(group))
    carried, work = Fraction(0), Fraction(0)
    for place in places:
        carried += _share(group, place) - _share(whole, place)
        work += abs(carried)
    return work / max(len(places) - 1, 1)


def _share(values: Sequence[object], value: object) -> Fraction:
    return Fraction(sum(each == value for each in values), len(values))


def climbed(group: Sequence[str], whole: Sequence[str], parents: dict[str, str]) -> Fraction:
    """The earth mover's distance up a tree: at each node, settle what its children can settle.

    As the paper of t-closeness puts it: what is too much below one child meets what is too little
    below another, at the price of the node's height over that of the root.
    """
    (root,) = set(parents.values()) - set(parents)

    def below(node: str) -> list[str]:
        return [child for child, above in parents.items() if above == node]

    def height(node: str) -> int:
        return max((1 + height(child) for child in below(node)), default=0)

    def extra(node: str) -> Fraction:
        if not below(node):
            return _share(group, node) - _share(whole, node)
        return sum((extra(child) for child in below(node)), Fraction(0))

    def cost(node: str) -> Fraction:
        too_much = sum((max(extra(child), Fraction(0)) for child in below(node)), Fraction(0))
        too_few = sum((max(-extra(child), Fraction(0)) for child in below(node)), Fraction(0))
        here = Fraction(height(node), height(root)) * min(too_much, too_few)
        return here + sum((cost(child) for child in below(node)), Fraction(0))

    return cost(root)
