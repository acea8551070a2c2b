"""Random orders: from the seed where there is one, else from the operating system."""

from __future__ import annotations

import os

import numpy as np
import numpy.typing as npt

COUNTERFEIT_PLACES, ROW_ORDER, CLASS_IDS, SENSITIVE_ORDER = 0, 1, 2, 3
"""What an order is for: orders of different use tell nothing about each other.

The second sensitive column's order has the number after `SENSITIVE_ORDER`, and so on.
"""


def permutation(n: int, seed: int | None, use: int) -> npt.NDArray[np.intp]:
    """Put the numbers below n in a random order.

    `seed`: the method's; ``None`` asks the operating system, and nobody can repeat it.
    `use`: `COUNTERFEIT_PLACES`, `ROW_ORDER`, `CLASS_IDS` or `SENSITIVE_ORDER`.

    Examples
    --------
    >>> sorted(permutation(4, None, ROW_ORDER).tolist())
    [0, 1, 2, 3]
    """
    if seed is not None:
        return np.random.default_rng([seed, use]).permutation(n)
    noise = np.frombuffer(os.urandom(8 * n), dtype=np.uint64)
    return np.argsort(noise, kind="stable")
