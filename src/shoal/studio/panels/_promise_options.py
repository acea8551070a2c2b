"""The options of a requirement as a form shows them, and the requirement that a form asks for.

Nothing is known of a member but its fields, their types and what it says of itself. Columns and
values go by their numbers, so that no name of theirs stands in an address.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from shoal.base.options import makes_sense
from shoal.errors import ParameterError, ShoalError
from shoal.models import Requirement
from shoal.models.exact.shares import exact

WHOLE = re.compile(r"\d{1,12}")

MOST_CHOICES = 200
"""The most values of a column that are offered."""


@dataclass(frozen=True)
class Choice:
    """What may be chosen: how the form sends it, what it is called, and why not."""

    value: str
    given: Any
    refused: str = ""


@dataclass(frozen=True)
class Option:
    """One control of a requirement's form."""

    name: str
    """What the form calls it."""
    option: str
    kind: Literal["number", "choice", "column", "value", "text"]
    value: str
    """What it is now, as the form sends it."""
    key: str | int | None = None
    """The field of the requirement, and which entry of it."""
    about: str = ""
    """What an entry is about: a column, or a level."""
    whole: bool = False
    """Whether it is a whole number, as far as its type tells."""
    optional: bool = False
    """Whether it may be left empty."""
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Columns:
    """The columns of a plan by number, which is their place."""

    roles: Mapping[str, str]
    values: Callable[[str | None], Sequence[str | None]]
    """Lists the values of a sensitive column, ``None`` for the missing one."""

    def number(self, name: str) -> str:
        """Say the number of a column; empty if there is none of that name."""
        names = list(self.roles)
        return str(names.index(name)) if name in names else ""

    def name(self, number: str) -> str:
        """Find a column by its number."""
        names = list(self.roles)
        if not WHOLE.fullmatch(number) or int(number) >= len(names):
            raise ParameterError("There is no such column.", "Load the page again.")
        return names[int(number)]

    def of(self, role: str) -> list[str]:
        """List the columns of a role."""
        return [name for name, each in self.roles.items() if each == role]


def options_of(requirement: Requirement, columns: Columns) -> list[Option]:
    """List the controls of a requirement; what has none stays as the plan says it."""
    return [
        each
        for field, hint in _hints(requirement)
        for each in _options(requirement, field, hint, columns)
    ]


def requirement_of(
    requirement: Requirement, form: Mapping[str, str], columns: Columns
) -> Requirement:
    """Read a form: the same requirement with what the form says otherwise.

    Raises `ParameterError` if a number is none, or the requirement makes no sense so.
    """
    changes: dict[str, Any] = {}
    for each in options_of(requirement, columns):
        if each.name in form and form[each.name] != each.value:
            given = _read(each, form[each.name].strip(), requirement, columns)
            now = changes.get(each.option, getattr(requirement, each.option))
            changes[each.option] = _placed(now, each.key, given)
    made: Requirement = replace(requirement, **changes)  # type: ignore[type-var]
    try:
        made.validate()
    except ParameterError:
        chosen = [n for n in changes if isinstance(getattr(requirement, n), str)]
        mended = next(_mended(made), None) if chosen else None
        if mended is None:
            raise
        return mended
    return made


def _placed(now: Any, key: str | int | None, given: Any) -> Any:
    """Write an entry of an option; one of a mapping is left out if nothing is said."""
    if key is None:
        return given
    if isinstance(now, Mapping):
        rest = {name: value for name, value in now.items() if name != key}
        return rest if given is None else {**now, key: given}
    return [given if place == key else each for place, each in enumerate(now)]


def _mended(made: Requirement) -> Iterator[Requirement]:
    """Leave out, or fill in, a number that another choice has no use for, or needs."""
    for field, hint in _hints(made):
        if NoneType in get_args(hint) and float in _types(hint):
            for value in (None, 2, 0.5):
                if _makes_sense(made, field.name, value):
                    yield replace(made, **{field.name: value})  # type: ignore[type-var]


def _hints(requirement: Requirement) -> list[tuple[dataclasses.Field[Any], Any]]:
    fields = [field for field in dataclasses.fields(requirement) if field.init]  # type: ignore[arg-type]
    try:
        hints = get_type_hints(type(requirement))
    except NameError:  # another package may import its types for type checkers alone
        hints = {field.name: type(getattr(requirement, field.name)) for field in fields}
    return [(field, hints[field.name]) for field in fields]


def _types(hint: Any) -> list[Any]:
    """List what a type may be, ``None`` aside."""
    if get_origin(hint) in (Union, UnionType):
        return [each for each in get_args(hint) if each is not NoneType]
    return [hint]


def _options(
    requirement: Requirement, field: dataclasses.Field[Any], hint: Any, columns: Columns
) -> Iterator[Option]:
    name, now = field.name, getattr(requirement, field.name)
    types, optional = _types(hint), NoneType in get_args(hint)
    origins = [get_origin(each) for each in types]
    if Literal in origins:
        yield _choice(requirement, name, [w for each in types for w in get_args(each)])
    elif bool in types:
        yield _choice(requirement, name, [False, True])
    elif types == [str]:
        yield _text(requirement, name, now, optional, columns)
    elif int in types or float in types:
        whole = float not in types
        if (
            optional
            and now is None
            and not any(_makes_sense(requirement, name, value) for value in (2, 0.5))
        ):
            return  # it could not be given as the others are
        yield Option(name, name, "number", _shown(now), whole=whole, optional=optional)
    elif isinstance(now, Mapping) and now and dict(requirement.required_values) == dict(now):
        for column in dict.fromkeys([*columns.of("sensitive"), *now]):
            number, value = columns.number(column), _shown(now.get(column))
            yield Option(
                f"{name}.{number}", name, "number", value, column, column, whole=True, optional=True
            )
    elif isinstance(now, list | tuple) and now and all(exact(each) is not None for each in now):
        for place, each in enumerate(now):
            yield Option(
                f"{name}.{place}", name, "number", _shown(each), place, about=str(place + 1)
            )


def _makes_sense(requirement: Requirement, name: str, value: Any) -> bool:
    return makes_sense(replace(requirement, **{name: value}))  # type: ignore[type-var]


def _choice(requirement: Requirement, name: str, words: Sequence[Any]) -> Option:
    """Offer words; those that would make no sense say why."""
    choices = []
    for word in words:
        made: Requirement = replace(requirement, **{name: word})  # type: ignore[type-var]
        why = ""
        try:
            made.validate()
        except ShoalError as error:
            why = error.problem if next(_mended(made), None) is None else ""
        choices.append(Choice(str(word).lower(), word, why))
    now = str(getattr(requirement, name)).lower()
    return Option(name, name, "choice", now, choices=tuple(choices))


def _text(
    requirement: Requirement, name: str, now: str | None, optional: bool, columns: Columns
) -> Option:
    """Offer columns or values where a text names one; else a text."""
    if now is not None and now in requirement.private_columns:
        names = columns.of("identifier")
    elif name == "column":
        names = columns.of("sensitive")
    elif name == "value":
        known = columns.values(getattr(requirement, "column", None))[:MOST_CHOICES]
        choices = tuple(Choice(str(code), label or "") for code, label in enumerate(known))
        here = next((each.value for each in choices if each.given == now), "")
        if now is not None and not here:  # too many, or spelt otherwise
            choices, here = (*choices, Choice("now", now)), "now"
        return Option(name, name, "value", here, optional=optional, choices=choices)
    else:
        return Option(name, name, "text", now or "", optional=optional)
    choices = tuple(Choice(columns.number(each), each) for each in names)
    value = columns.number(now) if now is not None else ""
    if now is not None and now not in names:  # its role was changed since
        choices = (*choices, Choice(value, now, "role"))
    return Option(name, name, "column", value, optional=optional, choices=choices)


def _shown(number: Any) -> str:
    return "" if number is None else str(number)


def _read(option: Option, given: str, requirement: Requirement, columns: Columns) -> Any:
    if option.kind == "number":
        return _number(option, given)
    if not given and option.optional:
        return None
    if option.kind == "text":
        return given
    if option.kind == "column":
        return columns.name(given)
    found = next((each for each in option.choices if each.value == given), None)
    if found is None:
        raise ParameterError("This cannot be chosen.", "Load the page again.")
    return found.given


def _number(option: Option, given: str) -> Any:
    """Read a number as it is written: 0.3 is three tenths, 1/3 a third."""
    if not given and option.optional:
        return None
    if WHOLE.fullmatch(given):
        return int(given)
    if option.whole:
        raise ParameterError(
            f"{option.option} must be a whole number, not '{given[:40]}'.", "Such as 5."
        )
    if exact(given) is None:
        raise ParameterError(
            f"{option.option} must be a number, not '{given[:40]}'.",
            "Write 0.5, or a fraction: 1/3.",
        )
    return given if "/" in given else float(given)
