"""Sub-tuples: what tuples show of some of the attributes, numbered at any levels.

Their numbers are remembered by levels, so that nodes which share some need not number them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.base.arrays import Ints, Small
from shoal.kernels.lattice.roll_up import (
    ATTRIBUTE_SETS,
    LevelCells,
    SubTuples,
    make_workspace,
    number,
)
from shoal.methods.lattice._snapshots import Levels, LRUCache
from shoal.table import CategoricalColumn

KEYS_BELOW = 2**62
"""So many keys fit in a number."""


@dataclass(frozen=True, eq=False)
class _Numbered:
    """Sub-tuples, remembered by so many levels."""

    found: SubTuples
    levels: int

    @property
    def nbytes(self) -> int:
        return self.found.number.nbytes + 8 * self.levels  # of few rows, the key is the larger


class SubTupleNumbers:
    """The numbers of the tuples by what they show of each of the sets of attributes."""

    def __init__(self, level_cells: LevelCells, heights: Levels) -> None:
        self.level_cells = level_cells
        self.tuples = level_cells.codes.shape[1]
        self.cuts = _cuts(heights)
        self.memory: LRUCache[tuple[int, Levels], _Numbered] = LRUCache()
        self.work = make_workspace(self.tuples)
        self.nothing = SubTuples(np.zeros(self.tuples, dtype=np.int32), 1)

    def at(self, levels: Levels) -> tuple[SubTuples, SubTuples, SubTuples]:
        """Number the tuples at a node's levels."""
        first, second, third = (
            self._number(begin, levels[begin:end])
            for begin, end in zip(self.cuts, self.cuts[1:], strict=False)
        )
        if first.size * second.size * third.size >= KEYS_BELOW:
            first, second = self._number(0, levels[: self.cuts[2]]), self.nothing
        return first, second, third

    def _number(self, begin: int, levels: Levels) -> SubTuples:
        """Number the tuples by some attributes, from the most of them that are remembered on."""
        made, known = self.nothing, len(levels)
        while known and (kept := self.memory.get((begin, levels[:known]))) is None:
            known -= 1
        if known and kept is not None:
            made = kept.found
        for end in range(known, len(levels)):
            numbers = np.empty(self.tuples, dtype=np.int32)
            which = (self.level_cells, made, begin + end, levels[end])
            made = SubTuples(numbers, int(number(*which, self.work, numbers)))
            self.memory.keep((begin, levels[: end + 1]), _Numbered(made, end + 1))
        return made


def _cuts(heights: Levels) -> list[int]:
    """Split attributes into sets with about as many combinations of levels each."""
    logs = np.cumsum(np.log([height + 1 for height in heights]))
    ends = [
        int(np.searchsorted(logs, logs[-1] * each / ATTRIBUTE_SETS) + 1)
        for each in range(1, ATTRIBUTE_SETS)
    ]
    return [0, *(min(end, len(heights)) for end in ends), len(heights)]


def level_cells_of(columns: Sequence[CategoricalColumn], codes: Small) -> LevelCells:
    """Number the cells of every level of every attribute."""
    up: list[Small] = []
    start: list[int] = []
    sizes: list[Ints] = []
    most = max(column.hierarchy.height for column in columns) + 1
    for column in columns:
        tree = column.hierarchy
        start.append(sum(map(len, up)))
        size = np.ones(most, dtype=np.int64)
        for level in range(tree.height + 1):
            nodes = tree.at_level(level)
            if level < tree.height:
                nodes[-1] = -1  # a missing cell is a cell of its own below the root
            cells, numbers = np.unique(nodes, return_inverse=True)
            up.append(numbers.astype(np.int32))
            size[level] = len(cells)
        sizes.append(size)
    return LevelCells(
        codes=codes,
        up=np.concatenate(up),
        start=np.array(start, dtype=np.int64),
        width=np.array([column.size + 1 for column in columns], dtype=np.int64),
        size=np.stack(sizes),
    )
