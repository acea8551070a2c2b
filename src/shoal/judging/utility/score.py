"""The result of training and testing a model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

TrainedOn = Literal["original", "release", "baseline"]


@dataclass(frozen=True)
class Score:
    """How well a model predicts held-out rows.

    Parameters
    ----------
    model
        Which model; of the baseline, what it predicts: ``"majority"`` or ``"mean"``.
    trained_on
        ``"original"``, ``"release"`` or ``"baseline"``.
    measure
        ``"accuracy"``, ``"auc"`` and ``"f1"`` of a label of classes, ``"r2"`` and ``"mae"`` of
        a number; of ``"mae"`` less is better.
    mean, folds
        The mean over the folds, and the value of each.
    tested_on
        ``"original"``, or ``"release"``: the published rows that stand for the held-out ones.
    rows, rows_with_label
        How many original rows took part, in all folds together, and how many could have: more if a
        sample was drawn.

    Examples
    --------
    >>> Score.of("majority", "baseline", "accuracy", [0.5, 0.75]).mean
    0.625
    """

    model: str
    trained_on: TrainedOn
    measure: str
    mean: float
    folds: tuple[float, ...]
    tested_on: Literal["original", "release"] = "original"
    rows: int = 0
    rows_with_label: int = 0

    @property
    def sampled(self) -> bool:
        """Whether the rows that took part are a sample."""
        return self.rows < self.rows_with_label

    @classmethod
    def of(
        cls,
        model: str,
        trained_on: TrainedOn,
        measure: str,
        folds: list[float],
        tested_on: Literal["original", "release"] = "original",
        rows: tuple[int, int] = (0, 0),
    ) -> Score:
        """Take the mean of the folds; ``rows`` took part, and could have."""
        mean = sum(folds) / len(folds)
        return cls(model, trained_on, measure, mean, tuple(folds), tested_on, *rows)

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return asdict(self)
