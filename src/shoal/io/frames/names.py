"""Column names: each has text without NUL, and no two are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from shoal.errors import InputError


def check_names(names: list[str], source: str) -> None:
    """Refuse a table without columns, and names that are empty, used twice or hold NUL.

    >>> check_names(["a", "b", "a"], "the table")
    Traceback (most recent call last):
    shoal.errors.InputError: The table has more than one column named 'a'. Rename the columns.
    """
    source = source[0].upper() + source[1:]
    if not names:
        raise InputError(f"{source} has no columns.", "Check how it was made.")
    unnamed = [str(place) for place, name in enumerate(names, 1) if not name.strip()]
    if unnamed:
        raise InputError(
            f"{source} has columns without a name, at position {', '.join(unnamed)}.",
            "Name them; a table saved by pandas needs index=False.",
        )
    cut = [str(place) for place, name in enumerate(names, 1) if "\0" in name]
    if cut:
        raise InputError(
            f"{source} has a NUL in the names of columns, at position {', '.join(cut)}.",
            "Rename the columns: most programs cut a text off there.",
        )
    patterns = [f"'{n}'" for n in names if n.startswith("^") and n.endswith("$")]
    if patterns:
        problem = f"{source} has columns named like a pattern: {', '.join(patterns)}."
        raise InputError(problem, "Rename the columns.")
    twice = [f"'{name}'" for name, count in Counter(names).items() if count > 1]
    if twice:
        problem = f"{source} has more than one column named {', '.join(twice)}."
        raise InputError(problem, "Rename the columns.")


def free_name(name: str, taken: Collection[str]) -> str:
    """Find a name that no column has yet.

    >>> free_name("class", ["age"]), free_name("class", ["class", "class_1"])
    ('class', 'class_2')
    """
    number, free = 0, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
