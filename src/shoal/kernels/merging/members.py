"""Who is in a class: distinct people, kept as linked lists so that classes can be joined.

A class that holds enough people is complete; its list is then no longer needed. So a list
never grows past the k that is asked for, and joining two classes costs O(k).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.compiled import compiled


class Members(NamedTuple):
    """The distinct people of each class; `members` makes it, `join` changes it in place."""

    first: Ints
    """Per class: its first entry."""
    last: Ints
    """Per class: its last entry."""
    following: Ints
    """Per entry: the next of the same class, −1 at the end."""
    person: Ints
    """Per entry: who it is."""
    held: Ints
    """Per class: how many people it holds; at least k where it holds k or more."""
    seen: Ints
    """Per person: the last join that met them."""


def members(classes: Ints, people: Ints | None, n_classes: int) -> Members:
    """List the distinct people of every class, from the class and the person of each row.

    Examples
    --------
    >>> members(np.array([0, 1, 0]), np.array([7, 7, 7]), 2).held.tolist()
    [1, 1]
    """
    if people is None:  # every row is a person
        order = np.argsort(classes, kind="stable")
        owner, person, n_people = classes[order], order, len(classes)
    else:
        n_people = int(people.max()) + 1
        owner, person = np.divmod(np.unique(classes * n_people + people), n_people)
    count = np.bincount(owner, minlength=n_classes).astype(np.int64)
    end = np.cumsum(count)
    following = np.arange(1, len(owner) + 1, dtype=np.int64)
    following[end - 1] = -1
    return Members(
        first=end - count,
        last=end - 1,
        following=following,
        person=person.astype(np.int64),
        held=count,
        seen=np.zeros(n_people, dtype=np.int64),
    )


@compiled
def join(people: Members, keep: int, gone: int, stamp: int, enough: int) -> None:
    """Let the people of one class into another; ``stamp`` is new at every call, above 0."""
    if people.held[keep] >= enough or people.held[gone] >= enough:
        people.held[keep] = max(people.held[keep], people.held[gone])
        return
    entry = people.first[keep]
    while entry >= 0:
        people.seen[people.person[entry]] = stamp
        entry = people.following[entry]
    entry = people.first[gone]
    while entry >= 0:
        after = people.following[entry]
        if people.seen[people.person[entry]] != stamp:
            people.following[people.last[keep]] = entry
            people.last[keep] = entry
            people.following[entry] = -1
            people.held[keep] += 1
        entry = after
