"""Counts with their nouns: 1 cell, 2 cells."""

from __future__ import annotations


def counted(count: int | str, one: str, many: str | None = None) -> str:
    """Write a count and what is counted, with the noun (and verb) that goes with it.

    `count`: the number, or a text that hides it, such as "1 to 9".
    `one`, `many`: what is counted; ``many`` is ``one`` and an s (es after an s) if it is left out.

    Examples
    --------
    >>> counted(1, "cell"), counted(1200, "class"), counted("1 to 9", "row")
    ('1 cell', '1,200 classes', '1 to 9 rows')
    >>> counted(1, "value differs", "values differ"), counted(0, "person", "people")
    ('1 value differs', '0 people')
    """
    several = many or f"{one}{'es' if one.endswith('s') else 's'}"
    number = count if isinstance(count, str) else f"{count:,}"
    return f"{number} {one if count in (1, '1') else several}"
