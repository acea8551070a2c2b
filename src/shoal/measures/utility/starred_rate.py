"""How many known cells anonymization hid altogether."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Ints
from shoal.measures._pairs import Pair
from shoal.measures.base import measure


def _hidden(pair: Pair) -> Ints:
    return np.array([c.counts[c.star & ~c.missing].sum() for c in pair.columns], dtype=np.int64)


@measure(better="lower", columns=lambda pair: _hidden(pair) / pair.n_rows, of_published=True)
def starred_rate(pair: Pair) -> float:
    """Starred rate: the share of all cells that were known and are published as *.

    What was missing before is kept apart (`value_missing_rate`), and so are records that
    were not published (`suppression_loss_rate`).
    """
    return int(_hidden(pair).sum()) / (pair.n_rows * len(pair.columns))
