"""What was decided before, and can be again: undo and redo."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 200
"""The most steps that can be undone."""


class History(Generic[T]):
    """States one after the other, and the one that counts."""

    def __init__(self, first: T) -> None:
        self._states = [first]
        self._at = 0

    @property
    def now(self) -> T:
        """The state that counts."""
        return self._states[self._at]

    @property
    def can_go_back(self) -> bool:
        """Whether there is a state before."""
        return self._at > 0

    @property
    def can_go_forth(self) -> bool:
        """Whether a state was left by going back."""
        return self._at + 1 < len(self._states)

    def add(self, state: T) -> None:
        """Go on to a new state; what was left by going back is gone."""
        del self._states[self._at + 1 :]
        self._states.append(state)
        del self._states[: -MOST - 1]
        self._at = len(self._states) - 1

    def back(self) -> None:
        """Go back, if there is a state before."""
        self._at = max(self._at - 1, 0)

    def forth(self) -> None:
        """Take back what was taken back."""
        self._at = min(self._at + 1, len(self._states) - 1)
