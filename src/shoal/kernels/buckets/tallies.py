"""How often things occur in classes: a table of counts by number, most of them absent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled


class Tallies(NamedTuple):
    """Open addressing: a key lies at the place its bits name, or at the next free one."""

    keys: Ints
    """Keys of 0 or more; −1 where a place is free."""
    counts: Small
    shift: int
    """How far 32 mixed bits are shifted to name a place."""


def tallies(most: int) -> Tallies:
    """Make room for ``most`` keys; half of the places stay free.

    Examples
    --------
    >>> table = tallies(10)
    >>> add(table, 7, 2)
    >>> get(table, 7), get(table, 8)
    (2, 0)
    """
    bits = max(4, (2 * most - 1).bit_length())
    size = 1 << bits
    return Tallies(np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int32), 32 - bits)


@compiled
def _place(table: Tallies, key: int) -> int:
    """Find the place of a key, or the free one where it would lie."""
    # 31 bits times 32 bits stay within 64, so that nothing overflows.
    mixed = (((key ^ (key >> 31)) & 0x7FFFFFFF) * 0x9E3779B1) & 0xFFFFFFFF
    at = mixed >> table.shift
    last = table.keys.shape[0] - 1
    while table.keys[at] != key and table.keys[at] != -1:
        at = (at + 1) & last
    return at


@compiled
def get(table: Tallies, key: int) -> int:
    """Look a count up; 0 if there is none."""
    at = _place(table, key)
    return int(table.counts[at]) if table.keys[at] == key else 0


@compiled
def add(table: Tallies, key: int, more: int) -> None:
    """Raise a count."""
    at = _place(table, key)
    table.keys[at] = key
    table.counts[at] += more
