"""How many people a group holds, while groups take others in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.publications.groups.counting import count_pairs


class PeopleInGroups:
    """The people of each group; every row is a person where nobody tells people apart.

    - ``groups``: the group of each row; rows in none have a negative number.
    - ``count``: how many groups there are.
    - ``people``: tells persons apart, row by row.

    Examples
    --------
    >>> crowds = PeopleInGroups(np.array([0, 0, 1, 1]), 2, people=np.array([5, 5, 5, 6]))
    >>> crowds.sizes.tolist()
    [1, 2]
    >>> crowds.join(0, 1)
    >>> crowds.sizes.tolist()
    [2, 0]
    """

    def __init__(self, groups: npt.NDArray[np.integer], count: int, people: Ints | None) -> None:
        placed = groups >= 0
        self._who: Ints | None = None
        labels = groups[placed].astype(np.int64)
        if people is not None:
            labels, self._who, _ = count_pairs(labels, people[placed])
        self.sizes: Ints = np.bincount(labels, minlength=count).astype(np.int64)
        self._ends: Ints = np.cumsum(self.sizes)
        self._merged: dict[int, Ints] = {}

    def small(self, k: int) -> Ints:
        """List the groups of fewer than k people that stand alone."""
        return np.flatnonzero((self.sizes > 0) & (self.sizes < k)).astype(np.int64)

    def join(self, group: int, other: int) -> None:
        """Let a group take another one in."""
        if self._who is None:
            self.sizes[group] += self.sizes[other]
        else:
            self._merged[group] = np.union1d(self._people(group), self._people(other))
            self.sizes[group] = len(self._merged[group])
            self._merged.pop(other, None)
        self.sizes[other] = 0

    def _people(self, group: int) -> Ints:
        assert self._who is not None
        begin = 0 if group == 0 else self._ends[group - 1]
        return self._merged.get(group, self._who[begin : self._ends[group]])
