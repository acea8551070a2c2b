"""What arrays hold, in a word, and what is asked of many of them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Small: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]


def numbered(values: npt.ArrayLike) -> Ints:
    """Number values from 0 on, in rising order; equal ones have the same number."""
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def runs(start: npt.NDArray[Any], size: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """List so many places from each start on: which start each belongs to, and the place.

    Examples
    --------
    >>> [each.tolist() for each in runs(np.array([7, 2]), np.array([2, 3]))]
    [[0, 0, 1, 1, 1], [7, 8, 2, 3, 4]]
    """
    owner = np.repeat(np.arange(len(size)), size)
    return owner, np.arange(len(owner)) + np.repeat(start - np.cumsum(size) + size, size)
