"""The result of an attack."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["PRIVATE_NOTE", "Attack"]

PRIVATE_NOTE = (
    "PRIVATE: these numbers say how many people a publication fails. They are for the steward; "
    "do not publish them."
)


@dataclass(frozen=True)
class Attack:
    """Against how many people an attack succeeds.

    Parameters
    ----------
    name
        Which attack.
    column
        The sensitive column it is about.
    share
        The share of people against whom it succeeds.
    people
        How many they are; rows, where every row is a person.
    total
        How many people are published.
    meaning
        What success means, in words.
    details
        More numbers; no cell values.
    remark
        What else people should read of it.
    """

    name: str
    column: str
    share: float
    people: int
    total: int
    meaning: str
    details: dict[str, Any] = field(default_factory=dict)
    remark: str = ""

    def in_words(self) -> str:
        """Say what success means, and what else should be read of it."""
        return f"{self.meaning} {self.remark}".strip()

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return asdict(self)
