"""How a file may be read otherwise: the choices of each option, and what a form says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import ShoalError
from shoal.io import SQL, format_of

DETECTED = ""
NONE = "none"

CHOICES: Mapping[str, tuple[str, ...]] = {
    "separator": (DETECTED, ",", ";", "\t", "|", ":"),
    "quote": (DETECTED, '"', "'", NONE),
    "decimal": (DETECTED, ".", ","),
    "thousands": (DETECTED, ".", ",", "'", " ", "\u202f", "_"),
    "encoding": (
        DETECTED,
        *("utf-8", "cp1252", "iso-8859-15", "cp1250", "cp1251", "mac-roman"),
        *("utf-16", "gb18030", "big5", "shift_jis", "euc-kr"),
    ),
}
"""What is offered of each option that is not free text."""

FREE = ("sheet",)

WORDS = {"\t": "tab", " ": "blank", "\u202f": "narrow_blank", NONE: "none", DETECTED: "detected"}
"""Choices that have a name, as nobody sees them."""


@dataclass(frozen=True)
class Field:
    """An option in a form."""

    name: str
    """What `shoal.io.read` calls it."""
    value: str
    """What was set, as the form has it; empty: it is detected."""
    choices: tuple[tuple[str, str], ...] = ()
    """What there is, each with the key of its name or nothing; no choices: free text."""


def fields_of(source: Path | SQL | None, reading: Mapping[str, str | int]) -> list[Field]:
    """List the options of a file, by its format; none of what is no file, or no table at all."""
    if not isinstance(source, Path):
        return []
    try:
        options = format_of(source).options
    except ShoalError:
        return []
    made = []
    for name in options:
        if name not in CHOICES and name not in FREE:
            continue
        given = reading.get(name)
        value = NONE if given == "" else str(given or "")
        offered = CHOICES.get(name, ())
        if offered and value not in offered:
            offered = (*offered, value)
        made.append(Field(name, value, tuple((each, WORDS.get(each, "")) for each in offered)))
    return made


def reading_of(form: Mapping[str, object]) -> dict[str, str | int]:
    """Read the form: what is left to be detected is not said.

    Examples
    --------
    >>> reading_of({"separator": ";", "quote": "none", "encoding": "", "sheet": "2"})
    {'separator': ';', 'quote': '', 'sheet': 2}
    """
    made: dict[str, str | int] = {}
    for name in (*CHOICES, *FREE):
        value = str(form.get(name, DETECTED))
        if name in FREE:
            value = value.strip()
        if value == DETECTED:
            continue
        if name == "sheet" and value.isdecimal() and len(value) <= 3:
            made[name] = int(value)
        else:
            made[name] = "" if value == NONE and name in CHOICES else value
    return made
