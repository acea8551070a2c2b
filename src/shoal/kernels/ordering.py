"""Rows in the order of small integers, sooner than by comparing them; and a sort for kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Small
from shoal.kernels.compiled import compiled

_BITS = 16


def order_by(keys: npt.NDArray[np.integer[Any]], size: int) -> npt.NDArray[np.intp]:
    """Order rows by keys of 0 or more, below ``size``; equal ones stay as they are.

    NumPy sorts integers of 16 bits without comparing them, so larger keys are sorted by their
    lower half first and then, in that order, by the upper one.

    Examples
    --------
    >>> order_by(np.array([2, 0, 2, 1]), 3).tolist()
    [1, 3, 0, 2]
    """
    if size > 1 << (2 * _BITS):
        return np.argsort(keys, kind="stable")
    order = np.argsort(keys.astype(np.uint16), kind="stable")  # the lower half alone
    if size <= 1 << _BITS:
        return order
    return order[np.argsort((keys >> _BITS).astype(np.uint16).take(order), kind="stable")]


@compiled
def sort(values: Small, begin: int, end: int) -> None:
    """Sort some places, by insertion over shrinking gaps."""
    gap = 1
    while 3 * gap < end - begin:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(begin + gap, end):
            one, at = values[i], i
            while at - gap >= begin and values[at - gap] > one:
                values[at] = values[at - gap]
                at -= gap
            values[at] = one
        gap //= 3
