"""Numbers that requirements ask for, and the next weaker and the next stricter one of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shoal.base.arguments import is_whole
from shoal.base.limits import Limit, interval
from shoal.models.exact.shares import SHARE_HINT, exact, nudged


@dataclass(frozen=True)
class Number(Limit):
    """A number and its next steps: one that asks for less, and one that asks for more.

    ``steps`` gives both; none where no number is weaker or stricter.
    """

    steps: Callable[[Any], tuple[()] | tuple[Any, Any]]


def at_least(least: int, hint: str) -> Number:
    """Take whole numbers; the larger one asks for more."""
    return Number(
        f"a whole number of at least {least}",
        hint,
        lambda given: is_whole(given) and given >= least,
        lambda given: (given - 1, given + 1),
    )


def exactly(ends: str, hint: str = SHARE_HINT) -> Limit:
    """Take numbers of an interval, read exactly (`exact`)."""
    words, inside = interval(ends)

    def holds(given: Any) -> bool:
        read = exact(given)
        return read is not None and inside(read)

    return Limit(f"a number {words}" if ends.endswith("inf)") else words, hint, holds)


def at_most(ends: str, hint: str = SHARE_HINT) -> Number:
    """Take numbers of an interval, read exactly; the smaller one asks for more.

    Examples
    --------
    >>> share = at_most("(0, 1]")
    >>> share.holds("1/3"), share.holds(1.5), share.steps(0.5)
    (True, False, ('1000000001/2000000000', '999999999/2000000000'))
    """
    taken = exactly(ends, hint)

    def steps(given: Any) -> tuple[()] | tuple[str, str]:
        read = exact(given)
        if not read:
            return ()
        larger, smaller = nudged(read, None if ends.endswith("inf)") else 1)
        return str(larger), str(smaller)

    return Number(taken.allowed, hint, taken.holds, steps)
