"""Measures that add up over cells: what a published cell costs, as exact fractions.

Such a measure is a weighted sum, over rows and quasi-identifiers, of what the published cell costs
the row. So what a change of a few groups brings can be worked out from these groups alone, which
is what refinement and lower bounds live on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from shoal.table import CategoricalColumn, NumericColumn, Table

Fractions: TypeAlias = Sequence[Fraction]


@dataclass(frozen=True)
class NumberCost:
    """What a range of numbers costs each row: (width + extra) / whole, and at most 1.

    A range of one number costs nothing.
    """

    extra: Fraction
    whole: Fraction

    @classmethod
    def of_width(cls, column: NumericColumn) -> NumberCost:
        """Let a range cost its share of the column's range."""
        return cls(Fraction(0), column.exact_range)


@dataclass(frozen=True)
class TreeCost:
    """What a node costs a row: ``base[node] + slope[node] · mass[leaf]``, by the row's leaf.

    Where a node costs every row the same, slopes are 0. Ancestors never cost less.
    """

    base: Fractions
    slope: Fractions
    mass: Fractions

    @classmethod
    def same_for_all(cls, base: Fractions, leaves: int) -> TreeCost:
        """Let a node cost every row the same."""
        zero = Fraction(0)
        return cls(base, [zero] * len(base), [zero] * leaves)


@dataclass(frozen=True)
class Additive:
    """What a measure adds up.

    A known cell that is published as ``*`` costs 1, a missing one 0, and a row that is not
    published 1 in every column. ``number`` and ``tree`` say what the cells of a column cost, and
    ``weights`` what each quasi-identifier's sum is multiplied by to give the measure.
    """

    number: Callable[[NumericColumn], NumberCost]
    tree: Callable[[CategoricalColumn], TreeCost]
    weights: Callable[[Table], Fractions]


def decimal(number: float) -> Fraction:
    """Read a number as it is written: 0.1 is a tenth."""
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)
