"""Sums of costs over the attributes of many rows: whole numbers of any size, added exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

__all__ = ["Rows"]


class Rows:
    """The rows of a table, by the place of each value among those of its attribute."""

    def __init__(self, attributes: Sequence[Any]) -> None:
        places = [{v: i for i, v in enumerate(dict.fromkeys(a.values))} for a in attributes]
        self.sizes = [len(place) for place in places]
        self.places = [
            np.array([place[value] for value in a.values])
            for a, place in zip(attributes, places, strict=True)
        ]

    def costs(
        self, rows: Sequence[int], joining: Sequence[Callable[[int], Fraction]]
    ) -> list[dict[int, int]]:
        """Say what each value that some rows hold costs in its attribute, over one denominator.

        ``joining`` has, per attribute, what it costs if a row joins. Equal values cost the same.
        """
        which = np.array(rows)
        exact = []
        for place, cost in zip(self.places, joining, strict=True):
            values, firsts = np.unique(place[which], return_index=True)
            each = zip(values.tolist(), which[firsts].tolist(), strict=True)
            exact.append({value: cost(row) for value, row in each})
        scale = lcm(*(cost.denominator for costs in exact for cost in costs.values()))
        return [
            {v: cost.numerator * (scale // cost.denominator) for v, cost in costs.items()}
            for costs in exact
        ]

    def nearest(self, rows: Sequence[int], costs: Sequence[Mapping[int, int]]) -> int:
        """Give the row whose values cost the least; of equal ones the lowest."""
        which = np.array(rows)
        total = self._total(which, costs)
        return int(which[total == total.min()].min())

    def farthest(self, rows: Sequence[int], costs: Sequence[Mapping[int, int]]) -> int:
        """Give the row whose values cost the most; of equal ones the lowest."""
        which = np.array(rows)
        total = self._total(which, costs)
        return int(which[total == total.max()].min())

    def _total(self, which: np.ndarray, costs: Sequence[Mapping[int, int]]) -> np.ndarray:
        most = sum(max(map(abs, each.values())) for each in costs)
        kind = np.int64 if most < 2**63 else object  # Python's own, which have no end
        return sum(
            np.array([each.get(value, 0) for value in range(size)], dtype=kind)[place[which]]
            for size, place, each in zip(self.sizes, self.places, costs, strict=True)
        )
