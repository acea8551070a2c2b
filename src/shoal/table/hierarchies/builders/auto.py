"""Builder: a balanced tree for a column nobody prepared, from how often values occur."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import ClassVar

import polars as pl

from shoal.base.arguments import is_whole, require_whole
from shoal.base.cells import Interval, interval_text, number_text
from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies.base import Builder, require_root
from shoal.table.hierarchies.tree import Hierarchy
from shoal.table.hierarchies.values import Number, as_number, count_texts, natural_order


@dataclass(frozen=True)
class Auto(Builder):
    """Split the ordered values again and again into parts of about equal frequency.

    Choose this to get going; a hierarchy that follows the meaning of the column says more.
    Groups are labelled with their first and last value: ``[lo, hi]`` for numbers,
    ``first..last`` for texts (also for codes such as ``007``, which are ordered by size).

    Parameters
    ----------
    fan_out
        Number of parts, at most, 2 or more.
    max_height
        Number of steps from a leaf to the root, at most.
    root
        Label of the root.
    counts
        How often each value occurs; counted in the column if not given.

    Examples
    --------
    >>> ages = pl.Series(["30", "31", "35", "35", "62", "70"])
    >>> print(Auto(fan_out=2, max_height=2).build(ages).show())
    * (5)
    ├── [30, 31] (2)
    │   ├── 30
    │   └── 31
    └── [35, 70] (3)
        ├── 35
        ├── 62
        └── 70
    """

    fan_out: int = 4
    max_height: int = 4
    root: str = "*"
    counts: Mapping[str, int] | None = field(default=None, repr=False)

    name: ClassVar[str] = "auto"

    def build(self, values: pl.Series) -> Hierarchy:
        """Split from the root down."""
        require_root(self.root)
        require_whole("fan_out", self.fan_out, 2)
        require_whole("max_height", self.max_height, 1)
        counts = self._counts(values)
        leaves = natural_order(counts)
        sums = [0, *accumulate(counts[leaf] for leaf in leaves)]
        numbers, known = _numbers(leaves), dict[str, Interval]()
        labels, parents = [self.root], [-1]
        todo = [(0, len(leaves), 0, 0)]
        while todo:
            start, stop, node, depth = todo.pop()
            # One step above the greatest height only single values may follow.
            most = self.fan_out if depth < self.max_height - 1 else stop - start
            for low, high in _parts(sums, start, stop, most):
                first, last = leaves[low], leaves[high - 1]
                text = first if high - low == 1 else f"{first}..{last}"
                if numbers:
                    ends = Interval(numbers[low], numbers[high - 1])
                    text = interval_text(*ends)
                    known[text] = ends
                parents.append(node)
                labels.append(text)
                if high - low > 1:
                    todo.append((low, high, len(labels) - 1, depth + 1))
        return Hierarchy(labels, parents, known)

    def _counts(self, values: pl.Series) -> dict[str, int]:
        found = count_texts(values)
        if self.counts is None:
            return found
        whole = isinstance(self.counts, Mapping) and all(map(is_whole, self.counts.values()))
        if not whole or min(self.counts.values(), default=0) < 0:
            raise ParameterError(
                "counts must be whole numbers of 0 or more.",
                "Count the values of the column, or leave counts out.",
            )
        if outside := len(found.keys() - self.counts.keys()):
            raise HierarchyError(
                f"counts misses {outside} of {len(found)} values.", "Add them, or leave counts out."
            )
        return dict(self.counts)


def _numbers(leaves: list[str]) -> list[Number]:
    """Read the leaves as numbers; none if one of them is not written as numbers are."""
    numbers = [number for leaf in leaves if (number := as_number(leaf)) is not None]
    return numbers if [number_text(number) for number in numbers] == leaves else []


def _parts(sums: Sequence[int], start: int, stop: int, most: int) -> list[tuple[int, int]]:
    """Cut positions into at most ``most`` runs whose sums are about equal, none empty."""
    parts = min(most, stop - start)
    total = sums[stop] - sums[start]
    cuts = [start]
    for i in range(1, parts):
        if total:
            # Whole numbers only, so that the cut is the same on every machine.
            target = sums[start] * parts + total * i
            cut = bisect_left(sums, target, start + 1, stop, key=lambda s: s * parts)
            if target - sums[cut - 1] * parts <= sums[cut] * parts - target:
                cut -= 1
        else:
            cut = start + (stop - start) * i // parts
        cuts.append(min(max(cut, cuts[-1] + 1), stop - (parts - i)))
    return list(pairwise([*cuts, stop])) if parts else []
