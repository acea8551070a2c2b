"""Equal rows become one point with a multiplicity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["collapse"]

_KEYS = 2**62


def collapse(columns: Sequence[npt.NDArray[Any]], sizes: Sequence[int]) -> npt.NDArray[np.int64]:
    """Number the distinct rows of integer columns; equal rows get the same number.

    Parameters
    ----------
    columns
        Codes per column, column j below ``sizes[j]``.
    sizes
        How many codes each column may hold.

    Examples
    --------
    >>> collapse([np.array([1, 0, 1]), np.array([2, 2, 2])], [2, 3]).tolist()
    [1, 0, 1]
    """
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    span = 1
    for codes, size in zip(columns, sizes, strict=True):
        if span * size >= _KEYS:  # renumber before the key overflows
            keys, span = _dense(keys)
        keys = keys * size + codes.astype(np.int64)
        span *= size
    return _dense(keys)[0]


def _dense(keys: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], int]:
    distinct, numbers = np.unique(keys, return_inverse=True)
    return numbers.astype(np.int64), len(distinct)
