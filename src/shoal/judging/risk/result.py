"""The result of an attack."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

PRIVATE_NOTE = (
    "PRIVATE: these numbers show how many people a publication fails to protect. They are "
    "for the steward; do not publish them."
)


@dataclass(frozen=True)
class Attack:
    """Against how many people an attack succeeds.

    Parameters
    ----------
    name, column
        Which attack, and the sensitive column it is about; ``None`` if it is about the publication
        as a whole.
    share, people
        The share of people against whom it succeeds, and how many they are; rows, where every row
        is a person.
    total
        How many people were attacked: all who are published, or a sample.
    meaning, remark
        What success means, in words, and what else people should read of it.
    details
        More numbers; no cell values.
    control
        What the same attack gets where there is nothing to find: on permuted data, which is
        chance, or without what the adversary knows besides; ``None`` if nobody asked.
    promise
        The largest share that what is required seems to allow; ``None`` if it says nothing.
    unit
        What is counted, where it is not people.
    """

    name: str
    column: str | None
    share: float
    people: int
    total: int
    meaning: str
    details: dict[str, Any] = field(default_factory=dict)
    remark: str = ""
    control: float | None = None
    promise: float | None = None
    unit: str = "people"

    @classmethod
    def counted(
        cls,
        name: str,
        column: str | None,
        people: int,
        by_chance: int,
        total: int,
        meaning: str,
        details: dict[str, Any],
        **more: Any,
    ) -> Attack:
        """Divide the people, and those of the control, by all who were attacked."""
        share, control = people / max(total, 1), by_chance / max(total, 1)
        return cls(name, column, share, people, total, meaning, details, control=control, **more)

    def in_words(self) -> str:
        """Say what success means, and what else should be read of it.

        Examples
        --------
        >>> Attack("guess", "disease", 0.8, 8, 10, "it is guessed", control=0.5).in_words()
        'it is guessed (control 50.0%)'
        """
        beside = []
        if self.control is not None:
            beside.append(f"control {self.control:.1%}")
        if self.promise is not None:
            beside.append(f"promised: at most {self.promise:.1%}")
        beside_words = f"({', '.join(beside)})" if beside else ""
        sentence = f"{self.meaning} {self.remark}".strip().replace(" ;", ";")
        return f"{sentence} {beside_words}".strip()

    @property
    def excess(self) -> float:
        """How far it goes beyond its control: what the publication itself gives away.

        Examples
        --------
        >>> Attack("guess", "disease", 0.75, 6, 8, "it is guessed", control=0.5).excess
        0.25
        """
        return self.share - (self.control or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return asdict(self)
