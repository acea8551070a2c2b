"""The levels of a tree of boxes: things side by side, and `FAN` nodes below each other node."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["FAN", "levels"]

FAN = 8
"""Nodes below a node."""


def levels(n: int) -> npt.NDArray[np.int64]:
    """Say where each level begins, the things themselves first; the last entry is the end.

    The root is never a thing itself.

    Examples
    --------
    >>> levels(20).tolist()
    [0, 20, 23, 24]
    """
    begin, width = [0, n], n
    while width > 1 or len(begin) == 2:
        width = -(-width // FAN)
        begin.append(begin[-1] + width)
    return np.array(begin, dtype=np.int64)
