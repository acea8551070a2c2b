"""What options may be, declared beside them: one mechanism, and one shape of message.

A dataclass declares in ``limits`` which numbers its options may be, and calls `check_options` in
its ``validate``. Words (``Literal``), texts (``str``) and truth values (``bool``) need no entry,
as the field's type says what is allowed. An option that is left open (``None``, where that is its
default) is not checked. What a number has to do with another one stays code in ``validate``.

A function checks an argument likewise: ``whole(1).check("queries", queries)``.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from shoal.base.arguments import is_number, is_whole, one_of, require_kind
from shoal.base.options import require_texts
from shoal.errors import ParameterError


@dataclass(frozen=True)
class Limit:
    """What an option may be.

    Examples
    --------
    >>> mesh = Limit("an even number", "Such as 2.", lambda given: given % 2 == 0)
    >>> mesh.check("mesh", 3)
    Traceback (most recent call last):
    shoal.errors.ParameterError: mesh must be an even number, not 3. Such as 2.
    """

    allowed: str
    """That in words, as they follow "must be"."""
    hint: str
    """What to do."""
    holds: Callable[[Any], bool]
    """Whether a value is allowed."""

    def check(self, name: str, value: object) -> None:
        """Refuse a value that is not allowed (raises `ParameterError`)."""
        if not self.holds(value):
            raise ParameterError(f"{name} must be {self.allowed}, not {value!r}.", self.hint)


def whole(least: int, hint: str = "") -> Limit:
    """Allow whole numbers of at least ``least``."""
    return Limit(
        f"a whole number of {least} or more",
        hint or f"Such as {least}.",
        lambda value: is_whole(value) and value >= least,
    )


def number(ends: str, hint: str) -> Limit:
    """Allow numbers of an interval.

    Examples
    --------
    >>> number("(0, inf)", "Such as 1.5.").check("weight", 0)
    Traceback (most recent call last):
    shoal.errors.ParameterError: weight must be a number above 0, not 0. Such as 1.5.
    """
    words, inside = interval(ends)
    return Limit(f"a number {words}", hint, lambda value: is_number(value) and inside(value))


def interval(ends: str) -> tuple[str, Callable[[Any], bool]]:
    """Read an interval: its words, and whether a number is inside. A round bracket excludes an end.

    Examples
    --------
    >>> [interval(each)[0] for each in ("(0, 1]", "(0, 1)", "[0, 1]", "[0, 1)", "(0, inf)")]
    ['above 0 and at most 1', 'above 0 and below 1', 'from 0 to 1', 'from 0 to below 1', 'above 0']
    """
    first, last = ends[1:-1].split(", ")
    low, high, above, below = float(first), float(last), ends[0] == "(", ends[-1] == ")"
    start = f"above {first}" if above else f"from {first}"
    upper = {(True, True): " and below", (True, False): " and at most", (False, True): " to below"}
    end = f"{upper.get((above, below), ' to')} {last}"
    if high == inf:
        end = "" if above else " on"

    def inside(value: Any) -> bool:
        return bool(low < value if above else low <= value) and bool(
            value < high if below else value <= high
        )

    return start + end, inside


def check_options(made: Any) -> None:
    """Refuse options that a dataclass does not allow, by their types and its ``limits``.

    Examples
    --------
    >>> from typing import Literal
    >>> @dataclass
    ... class Net:
    ...     mesh: int
    ...     knots: Literal['square', 'diamond'] = 'square'
    ...     name, limits = "net", {"mesh": whole(2)}
    >>> check_options(Net(3, "squar"))
    Traceback (most recent call last):
    shoal.errors.ParameterError: knots must be one of 'square', 'diamond', not 'squar'. Did you mean
    'square'?
    """
    require_texts(made, made.name)
    for field in dataclasses.fields(made):
        name, value = field.name, getattr(made, field.name)
        if value is None and field.default is None:
            continue
        if words := re.match(r"Literal\[(.*?)\]", str(field.type)):
            one_of(name, value, ast.literal_eval(f"({words[1]},)"))
        elif field.type == "bool":
            require_kind(name, value, bool, "True or False", f"Leave it out for {field.default}.")
        if name in made.limits:
            made.limits[name].check(name, value)
