"""How large a distance of sensitivity the classes of the paper on (αᵢ, k)-anonymity could have."""

from __future__ import annotations

__all__ = ["BOUND"]

BOUND = (
    "Classes of 5 records could have at most 1.05 times (α,k)-GCA's mean (1.04 to 1.07 over the "
    "ten samples) if all are counted, whatever the αᵢ: so says a linear program over all mixtures "
    "of levels, with as many records of each level as the sample has. Classes of 5 to 9 records "
    "could have 1.11 times (1.09 to 1.12). To have more, 1.22 to 1.25 times in classes of 5, some "
    "classes must hold neither level 1 nor 2, so that they are not counted, and the others three "
    "or more records of level 2: what the paper wants to avoid."
)
"""Why equation 7 leaves little room; the tests solve the linear programs."""
