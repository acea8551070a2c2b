"""Numbers of requirements that stay while others come and go, so that pages can name them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any


class RequirementNumbers:
    """Numbers the requirements of a plan; one that is removed takes its number with it.

    A page may still send what somebody changed in a requirement while another one is removed: by
    their places, it would change the wrong one.

    Examples
    --------
    >>> numbers = RequirementNumbers()
    >>> numbers.of([{"model": "a"}, {"model": "b"}])
    [0, 1]
    >>> numbers.of([{"model": "b"}])
    [1]
    >>> numbers.of([{"model": "b", "k": 2}, {"model": "c"}])
    [1, 2]
    """

    def __init__(self) -> None:
        self._known: list[dict[str, Any]] = []
        self._numbers: list[int] = []
        self._next = count()

    def of(self, require: Sequence[dict[str, Any]]) -> list[int]:
        """Number requirements as a plan lists them; call it before and after each change."""
        now = list(require)
        while len(self._known) > len(now):
            pairs = zip(self._known, now, strict=False)
            place = next((i for i, (a, b) in enumerate(pairs) if a != b), len(self._known) - 1)
            del self._known[place], self._numbers[place]
        self._numbers += [next(self._next) for _ in now[len(self._known) :]]
        self._known = now
        return list(self._numbers)
