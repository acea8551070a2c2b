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
