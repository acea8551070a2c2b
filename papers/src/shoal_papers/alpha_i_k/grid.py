"""The settings of the figures of the paper on (αᵢ, k)-anonymity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["ALPHA", "BY_ALPHA", "FEW_KS", "GRADED_K", "WIDTH", "Grid"]

ALPHA, WIDTH = 0.5, 6
"""α where k or |QI| changes, and |QI| where k or α does."""

BY_ALPHA, GRADED_K, FEW_KS = 4, 5, (4, 10)
"""k of figure 2, of figure 5, and the two of figures 3 and 4."""


@dataclass(frozen=True)
class Grid:
    """The settings that were measured.

    Parameters
    ----------
    alphas
        The values of α of figures 2 and 3; figure 5 has those up to 0.5.
    """

    ks: Sequence[int]
    alphas: Sequence[float]
    widths: Sequence[int]

    @property
    def few_alphas(self) -> tuple[float, ...]:
        """The values of α of figure 5."""
        return tuple(alpha for alpha in self.alphas if alpha <= ALPHA)
