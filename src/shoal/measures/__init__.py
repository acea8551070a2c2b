"""Numbers about utility and protection, for any original and any publication of it."""

from shoal.measures.average_class_size import average_class_size
from shoal.measures.base import Measure, Pair, pair
from shoal.measures.discernibility import discernibility
from shoal.measures.iloss import iloss
from shoal.measures.iloss_rate import iloss_rate
from shoal.measures.loss import loss

__all__ = [
    "MEASURES",
    "Measure",
    "Pair",
    "average_class_size",
    "discernibility",
    "iloss",
    "iloss_rate",
    "loss",
    "pair",
]

MEASURES: dict[str, Measure] = {
    each.name: each for each in (average_class_size, discernibility, iloss, iloss_rate, loss)
}
"""Every measure by its name; `Release.measures` has the same keys."""
