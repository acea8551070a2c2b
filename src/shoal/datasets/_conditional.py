"""Frequencies of a column given other columns, learned from a table and drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]
"""One small whole number per row, which stands for a value."""


@dataclass(frozen=True)
class Conditional:
    """P(child | parents) as one row of shares per combination of parent codes."""

    sizes: tuple[int, ...]
    """How many codes each parent has; the first parent varies slowest."""
    shares: npt.NDArray[np.float64]
    """One row per combination of parent codes, one column per child code; rows sum to 1."""

    def draw(self, parents: Sequence[Codes], rng: np.random.Generator, rows: int) -> Codes:
        """Draw one child code per row.

        Examples
        --------
        >>> coin = Conditional((2,), np.array([[1.0, 0.0], [0.0, 1.0]]))
        >>> coin.draw([np.array([0, 1, 1])], np.random.default_rng(1), 3).tolist()
        [0, 1, 1]
        """
        width = self.shares.shape[1]
        row = np.zeros(rows, dtype=np.int64)
        for codes, size in zip(parents, self.sizes, strict=True):
            row = row * size + codes
        # Row r's cumulated shares are shifted by r, so that one sorted search serves all rows.
        steps = np.cumsum(self.shares, axis=1)
        steps[:, -1] = 1.0
        steps += np.arange(len(steps))[:, np.newaxis]
        found = np.searchsorted(steps.ravel(), row + rng.random(rows), side="right")
        code: Codes = np.minimum(found - row * width, width - 1)
        return code


def learn(
    child: Codes, width: int, parents: Sequence[tuple[Codes, int]], weight: float
) -> Conditional:
    """Count how often each child code goes with each combination of parent codes.

    Rare combinations borrow from the same combination without its last parent, and so on,
    so name the most telling parent first.

    `child`: the child code of each row.
    `width`: how many child codes there are.
    `parents`: for each parent its code in each row and how many codes it has.
    `weight`: how many rows the borrowed shares count for.

    Examples
    --------
    >>> child, parent = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])
    >>> learn(child, 2, [(parent, 2)], weight=1).shares.tolist()
    [[0.625, 0.375], [0.25, 0.75]]
    """
    shares = np.bincount(child, minlength=width)[np.newaxis, :] / len(child)
    row = np.zeros(len(child), dtype=np.int64)
    for codes, size in parents:
        row = row * size + codes
        borrowed = np.repeat(shares, size, axis=0)
        counts = np.bincount(row * width + child, minlength=borrowed.size).reshape(borrowed.shape)
        shares = (counts + weight * borrowed) / (counts.sum(axis=1, keepdims=True) + weight)
    return Conditional(tuple(size for _, size in parents), shares)


def smooth(given: Conditional, kernel: Sequence[float]) -> Conditional:
    """Spread each share over the neighbouring child codes; the ends reflect.

    Examples
    --------
    >>> one = Conditional((), np.array([[1.0, 0.0, 0.0]]))
    >>> smooth(one, [0.25, 0.5, 0.25]).shares.tolist()
    [[0.75, 0.25, 0.0]]
    """
    reach = len(kernel) // 2
    padded = np.pad(given.shares, ((0, 0), (reach, reach)), mode="symmetric")
    width = given.shares.shape[1]
    spread = np.zeros_like(given.shares)
    for shift, factor in enumerate(kernel):
        spread += factor * padded[:, shift : shift + width]
    return Conditional(given.sizes, spread / spread.sum(axis=1, keepdims=True))
