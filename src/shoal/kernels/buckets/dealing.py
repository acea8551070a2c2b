"""Into how many classes a sorted deck of records can be dealt like cards.

The record at place i of the deck goes to class i mod c. Records that lie side by side, a run of m,
are then spread evenly: every class gets ⌊m/c⌋ of them, and so many classes from the run's first one
on get another that all are dealt. So what a class holds is known from its number, and c classes are
judged without dealing to them: the count of a term rises only where one of its runs begins, and the
size of a class falls by one behind the first n mod c. Only these classes need be looked at.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Ints
from shoal.kernels.buckets.classes import required
from shoal.kernels.compiled import compiled


class Deck(NamedTuple):
    """Where the records of each bounded term lie in the deck."""

    first: Ints
    """Per term, and one more: where its runs begin in ``place`` and ``size``."""
    place: Ints
    """Per run: where it begins in the deck."""
    size: Ints
    """Per run: how many records it has."""
    above: Ints
    below: Ints
    """Per term: the largest share, as a fraction."""


@compiled
def _class_fits(deck: Deck, term: int, classes: int, c: int, people: int) -> bool:
    """Say whether a term is not too frequent in a class of so many people."""
    count = 0
    for run in range(deck.first[term], deck.first[term + 1]):
        size = deck.size[run]
        count += size // classes + int((c - deck.place[run]) % classes < size % classes)
    return required(deck.above[term], deck.below[term], count) <= people


@compiled
def _fits(deck: Deck, n: int, classes: int) -> bool:
    """Say whether no class has too much of anything."""
    least, larger = n // classes, n % classes
    for term in range(deck.above.shape[0]):
        if larger > 0 and not _class_fits(deck, term, classes, 0, least + 1):
            return False
        if not _class_fits(deck, term, classes, larger, least):
            return False
        for run in range(deck.first[term], deck.first[term + 1]):
            c = deck.place[run] % classes
            if not _class_fits(deck, term, classes, c, least + int(c < larger)):
                return False
    return True


@compiled
def most_classes(deck: Deck, n: int, most: int, least: int) -> int:
    """Find the largest number of classes, from ``most`` down to ``least``; 0 if none fits."""
    for classes in range(most, least - 1, -1):
        if _fits(deck, n, classes):
            return classes
    return 0
