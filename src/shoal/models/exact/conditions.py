"""What requirements ask of the values of a group, as plain numbers for those who judge many groups.

A share of values that may not be exceeded is `ShareBounds`; here is the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from shoal.base.arrays import Ints
from shoal.models.exact.shares import ShareBounds


@dataclass(frozen=True, eq=False)
class Spread:
    """So many values of a sensitive column, well spread.

    ``"distinct"``: at least so many different ones. ``"entropy"``: as even as so many.
    ``"recursive"``: the largest count is below ``factor`` times the sum of the counts from number
    ``least`` on.
    """

    column: str
    kind: Literal["distinct", "entropy", "recursive"]
    least: Fraction
    factor: Fraction = Fraction(1)


@dataclass(frozen=True, eq=False)
class Closeness:
    """Values of a sensitive column spread as in a whole, up to the distance ``most``.

    By code, ``places`` gives the place of each value, where values have an order, and ``whole`` how
    often it occurs in the whole; ``None``: in all groups that are published.
    """

    column: str
    most: Fraction
    places: Ints | None = None
    whole: Ints | None = None


Condition: TypeAlias = Spread | Closeness | ShareBounds
