"""Equal rows become one point with a multiplicity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints

_MOST_KEYS = 2**62
_TABLED_KEYS = 2**16


def collapse(columns: Sequence[npt.NDArray[Any]], sizes: Sequence[int]) -> Ints:
    """Number the distinct rows of integer columns; equal rows get the same number.

    ``columns``: codes per column, column j below ``sizes[j]``. ``sizes``: how many codes each
    column may hold.

    Examples
    --------
    >>> collapse([np.array([1, 0, 1]), np.array([2, 2, 2])], [2, 3]).tolist()
    [1, 0, 1]
    """
    keys = columns[0].astype(np.int64)
    span = sizes[0]
    for codes, size in zip(columns[1:], sizes[1:], strict=True):
        # Renumber before the key overflows, or a table of all keys becomes too large.
        most = max(_TABLED_KEYS, 4 * len(keys))
        if span * size >= _MOST_KEYS or (1 < span <= most < span * size):
            keys, span = _dense(keys, span)
        keys *= size
        keys += codes
        span *= size
    return _dense(keys, span)[0]


def _dense(keys: Ints, span: int) -> tuple[Ints, int]:
    """Number the keys that occur, in rising order; few possible ones by a table of all."""
    if span <= max(_TABLED_KEYS, 4 * len(keys)):
        occurs = np.zeros(span, dtype=np.bool_)
        occurs[keys] = True
        held = np.flatnonzero(occurs)
        numbers = np.empty(span, dtype=np.int64)  # what does not occur is not asked for
        numbers[held] = np.arange(len(held))
        return numbers.take(keys), len(held)
    distinct, numbered = np.unique(keys, return_inverse=True)
    return numbered.astype(np.int64), len(distinct)
