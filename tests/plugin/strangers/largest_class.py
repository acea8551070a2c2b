"""An attack: whoever is in the largest class is found by guessing that class."""

from __future__ import annotations

from typing import Any

from shoal.judging.risk import Attack, attack, sight
from shoal.table.schema import Schema


@attack()
def largest_class(
    published: Any, schema: Schema | None = None, *, column: str | None = None
) -> Attack:
    """Count the people in the largest class."""
    seen = sight(published, schema)
    name, _ = seen.column(column)
    most = int(seen.crowds.max())
    share = most / seen.n_people
    meaning = "the class is the one to guess"
    by_chance = 1 / seen.n_classes
    return Attack("largest_class", name, share, most, seen.n_people, meaning, control=by_chance)
