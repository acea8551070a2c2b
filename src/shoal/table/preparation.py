"""What becomes of the cells of a column before anything else sees them: what a plan may ask."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from math import isfinite
from typing import Any
from unicodedata import normalize as compose

from shoal.base.arguments import is_number
from shoal.base.cells import number_text
from shoal.errors import ParameterError

DIRECTIVES = {
    "Y": "the year, four digits",
    "y": "the year, two digits (69 to 99 are 1969 to 1999)",
    "m": "the month, one or two digits",
    "d": "the day, one or two digits",
    "b": "the month's English name, three letters",
    "B": "the month's English name",
    "H": "the hour",
    "M": "the minute",
    "S": "the second",
}
"""What may stand after ``%`` in the format of a date."""


@dataclass(frozen=True)
class Preparation:
    """What is done to the cells of one column as they come in; made from a column's options.

    Every option is a rule for a single cell. A missing cell stays missing.

    ``format``: how dates are written, such as ``%d.%m.%Y``; ``None`` lets the cells tell.
    ``age_at``: dates of birth become ages in whole years on this day.
    ``top``, ``bottom``: larger numbers become ``top``, smaller ones ``bottom``.
    ``round_to``: numbers become the nearest multiple of this; one in the middle becomes the larger.
    ``normalize``: texts that differ in case, spaces or Unicode form alone become one: see
        `normal_form`.

    >>> Preparation(top=90, bottom=18).says()
    ['90 means 90 and above', '18 means 18 and below']
    >>> Preparation(top=18, bottom=90).require_sound()
    Traceback (most recent call last):
    shoal.errors.ParameterError: top = 18 is not above bottom = 90. Every number would become one of
    the two: swap them, or leave one out.
    """

    format: str | None = None
    age_at: str | None = None
    top: float | int | None = None
    bottom: float | int | None = None
    round_to: float | int | None = None
    normalize: bool | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) is not None for each in fields(self))

    @property
    def of_numbers(self) -> list[str]:
        """The options that only numbers can have, as far as they are given."""
        return [name for name in ("top", "bottom", "round_to") if getattr(self, name) is not None]

    @property
    def changes(self) -> bool:
        """Whether cells become others; a format only says how they are written."""
        return self.age_at is not None or bool(self.of_numbers) or bool(self.normalize)

    def require_sound(self) -> None:
        """Refuse options that make no sense, alone or together (raises `ParameterError`)."""
        if self.normalize not in (None, True):
            raise ParameterError(
                f"normalize must be true or false, not {self.normalize!r}.",
                "True: texts that differ only in case, spaces or Unicode form are one value.",
            )
        others = [n for n, given in vars(self).items() if given is not None and n != "normalize"]
        if self.normalize and others:
            raise ParameterError(
                f"normalize is for texts, and {others[0]} is not.", "Leave one of them out."
            )
        if self.format is not None:
            require_format(self.format)
        if self.age_at is not None:
            iso_day(self.age_at)
        for name in ("top", "bottom", "round_to"):
            given = getattr(self, name)
            if given is not None and not (is_number(given) and isfinite(given)):
                raise ParameterError(f"{name} must be a number, not {given!r}.", "Such as 90.")
        if self.round_to is not None and self.round_to <= 0:
            raise ParameterError(
                f"round_to must be above 0, not {self.round_to!r}.", "Such as 100, or 0.5."
            )
        if self.top is not None and self.bottom is not None and self.top <= self.bottom:
            raise ParameterError(
                f"top = {self.top} is not above bottom = {self.bottom}.",
                "Every number would become one of the two: swap them, or leave one out.",
            )
        for name in ("top", "bottom") if self.round_to is not None else ():
            end = getattr(self, name)
            if end is not None and _decimal(end) % _decimal(self.round_to):  # type: ignore[arg-type]
                raise ParameterError(
                    f"{name} = {end} is not a multiple of round_to = {self.round_to}.",
                    "Numbers at the end would be rounded past it: choose a multiple.",
                )

    def says(self) -> list[str]:
        """Say it to readers of the release."""
        made = []
        if self.age_at is not None:
            made.append(f"the age in whole years on {iso_day(self.age_at)}, from the date of birth")
        if self.round_to is not None:
            step = number_text(self.round_to)
            made.append(
                f"rounded to the nearest multiple of {step}, and upward if two are equally near"
            )
        if self.top is not None:
            end = number_text(self.top)
            made.append(f"{end} means {end} and above")
        if self.bottom is not None:
            end = number_text(self.bottom)
            made.append(f"{end} means {end} and below")
        if self.normalize:
            made.append("texts that differ only in case, spaces or Unicode form are one value")
        return made

    def to_facts(self) -> dict[str, Any]:
        """List what readers must know; how dates were written is nobody's business."""
        directives = {
            name: given
            for name in ("age_at", "top", "bottom", "round_to", "normalize")
            if (given := getattr(self, name)) is not None
        }
        return directives | {"says": self.says()}


OPTIONS = tuple(each.name for each in fields(Preparation))
"""The options of a column that prepare its cells."""


def normal_form(text: str) -> str:
    """Write a text without regard to case, spaces and Unicode form: NFKC, case-folded, stripped.

    >>> normal_form(" HIV  positive "), normal_form("Straße")
    ('hiv positive', 'strasse')
    """
    return " ".join(compose("NFKC", compose("NFKC", text).casefold()).split())


def iso_day(given: Any) -> str:
    """Read a day that an option names: a text such as 2026-01-31, or a date.

    >>> iso_day(date(2026, 1, 31)), iso_day("2026-01-31")
    ('2026-01-31', '2026-01-31')
    """
    if isinstance(given, date):
        return date(given.year, given.month, given.day).isoformat()
    try:
        read = date.fromisoformat(given) if isinstance(given, str) else None
    except ValueError:
        read = None
    if read is None or read.isoformat() != given:
        raise ParameterError(
            f"age_at must be a day, not {given!r}.", 'Write it as "2026-01-31": year, month, day.'
        )
    return read.isoformat()


def require_format(given: Any) -> None:
    """Refuse a format that does not say the day, the month and the year, each once."""
    if not isinstance(given, str):
        raise ParameterError(f"format must be a text, not {given!r}.", "Such as %d.%m.%Y.")
    directives = []
    parts = iter(given)
    for sign in parts:
        if sign != "%":
            continue
        directive = next(parts, "")
        if directive == "%":
            continue
        if directive not in DIRECTIVES:
            raise ParameterError(
                f"The format {given!r} has the directive %{directive}, which is not known.",
                f"Known are {', '.join(f'%{each}' for each in DIRECTIVES)} and %%.",
            )
        directives.append(directive)
    wanted = (("Y", "y"), ("m", "b", "B"), ("d",))
    once = all(sum(directives.count(each) for each in some) == 1 for some in wanted)
    if not once or len(set(directives)) < len(directives):
        raise ParameterError(
            f"The format {given!r} does not say the year, the month and the day, each once.",
            "Such as %d.%m.%Y. Months or years alone are not dates: leave kind out, and set "
            'hierarchy = {builder = "dates"}.',
        )


def _decimal(value: float | int) -> Decimal:
    return Decimal(number_text(value))
