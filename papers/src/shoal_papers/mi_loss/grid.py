"""The series of Gu and Dong (2022), the numbers, and the settings that were measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal_papers.lines import Settings
from shoal_papers.results import Results
from shoal_papers.rules import Points

__all__ = [
    "CLUSTERED",
    "EQUATION_4",
    "GAIN_RATIO",
    "LINEAR",
    "MODELS",
    "OBSERVED",
    "OPTIMA",
    "ORIGINAL",
    "PUBLISHED",
    "RAW",
    "RIVALS",
    "STARRED",
    "UNLIMITED",
    "Grid",
]

PUBLISHED, ORIGINAL, LINEAR = "accuracy", "accuracy_original", "accuracy_linear"
STARRED = "accuracy_starred"
"""The accuracy on held-out published rows, which the paper measures; on original rows; on published
ones by linear instead of logistic regression; and with suppressed rows as rows of ``*``."""

RAW, OBSERVED = "none", "observed"
"""What stands for the intervals of the raw table, and of GAA-CP."""

UNLIMITED = 100
"""The limit in per cent that every row is below."""

GAIN_RATIO, EQUATION_4 = "gain-ratio-loss", "mutual-information-loss"
"""The two losses that the paper calls MI Loss: with the weights of table 2, and of equation 4."""

RIVALS = {"loss": "Loss", "entropy-loss": "Entropy Loss"}

MODELS = {**RIVALS, GAIN_RATIO: "MI Loss by table 2 (gain ratio)"}
"""The optima of the paper's three models, with their names."""

OPTIMA = {**MODELS, EQUATION_4: "MI Loss by equation 4 (mutual information)"}
"""All optima, with their names."""

CLUSTERED = {
    "gaa-cp": "GAA-CP (equal weights)",
    "gaa-cp-mutual-information": "GAA-CP (mutual information)",
    "gaa-cp-gain-ratio": "GAA-CP (gain ratio)",
}
"""GAA-CP with each kind of weights, with their names."""


@dataclass(frozen=True)
class Grid(Settings):
    """The values of k, and the sets of intervals, that were measured."""

    intervals: Sequence[str] = ()

    @property
    def ks(self) -> Sequence[int]:
        """The values of k."""
        return [int(k) for k in self.values["k"]]

    def line(self, results: Results, number: str, method: str, intervals: str = OBSERVED) -> Points:
        """Give the line of a series over k; of optima, without a limit."""
        limit = 0 if intervals == OBSERVED else UNLIMITED
        fixed = {"method": method, "intervals": intervals, "limit": limit}
        return self.points(results, number, ("k",), fixed)
