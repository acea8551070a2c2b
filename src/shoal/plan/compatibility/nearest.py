"""The way out of a combination that cannot work: the nearest one that can.

A combination is near if few of its parts change. Of equally few, parts change in the order of
`CHANGES`: blocks, whether a bound is sought, whether groups are refined, then what becomes of
missing cells, then the publication, and only then the method. What is required is never weakened;
at last a requirement may be added, where the method needs one more to group by.

Within a part, an option of the member is changed before the member is. Another publication is the
one that the method is made for, or else the first by name. Another method is one that is made for
the same publication, of these one that carries the same requirements, of these the one that plans
take by default, or else the first by name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from shoal.base.options import makes_sense
from shoal.errors import ParameterError, ShoalError
from shoal.methods import METHODS, Method, method_of
from shoal.models import MODELS
from shoal.plan.compatibility.judging import Combination, refusals
from shoal.publications import FORMS, Publication
from shoal.publications.groups.missing_policy import POLICIES
from shoal.table.schema import Schema

USE = "use "

Member = TypeVar("Member", Method, Publication)


@dataclass(frozen=True)
class Alternative:
    """A combination, and in words how to get there from another one."""

    words: str
    combination: Combination


def require_compatible(wanted: Combination, schema: Schema | None = None) -> None:
    """Refuse a combination that cannot work, with the reason and the nearest that can."""
    found = refusals(wanted, schema)
    if found:
        raise ParameterError(found[0].problem, _sentence(alternatives(wanted, schema)))


def alternatives(wanted: Combination, schema: Schema | None = None) -> list[Alternative]:
    """Find the nearest combinations that can work: one, or two that change different parts.

    Empty if there is none with all that is installed.
    """
    for count in range(1, len(CHANGES) + 1):
        found: list[Alternative] = []
        for parts in combinations(CHANGES.values(), count):
            changed = _changed(wanted, parts)
            found += islice((e for e in changed if not refusals(e.combination, schema)), 1)
        if found:
            return found[:2]
    return []


def _changed(wanted: Combination, parts: Sequence[Change]) -> Iterator[Alternative]:
    """Change each of some parts, in every way there is."""
    if not parts:
        yield Alternative("", wanted)
        return
    for first in parts[0](wanted):
        for rest in _changed(first.combination, parts[1:]):
            words = _joined(" and ", [first.words, rest.words])
            yield Alternative(words, rest.combination)


def _leave_out(part: str, fact: str) -> Change:
    """Leave a part of the plan out, where the combination has it."""
    without: Any = {fact: False}

    def change(wanted: Combination) -> Iterator[Alternative]:
        if getattr(wanted, fact):
            yield Alternative(f"leave out {part}", replace(wanted, **without))

    return change


def _missing(wanted: Combination) -> Iterator[Alternative]:
    for policy in POLICIES:
        if policy != wanted.missing:
            yield Alternative(f'{USE}missing = "{policy}"', replace(wanted, missing=policy))


def _publication(wanted: Combination) -> Iterator[Alternative]:
    for words, form in _options(wanted.publication):
        yield Alternative(words, replace(wanted, publication=form))
    made_for = wanted.method.publication
    for name in sorted(FORMS, key=lambda name: (name != made_for, name)):
        if name != wanted.publication.name:
            for form in _made(FORMS, name):
                words = f"{USE}publication '{name}'"
                yield Alternative(words, replace(wanted, publication=form, follows=False))


def _method(wanted: Combination) -> Iterator[Alternative]:
    for words, method in _options(wanted.method):
        yield Alternative(words, replace(wanted, method=method))
    usual = method_of(None).name
    others = [each for name in METHODS for each in _made(METHODS, name)]
    for method in sorted(others, key=lambda each: _distance(wanted.method, each, usual)):
        if method.name == wanted.method.name:
            continue
        words = f"{USE}method '{method.name}'"
        if not wanted.follows:
            yield Alternative(words, replace(wanted, method=method))
        else:
            for form in _made(FORMS, method.publication):
                yield Alternative(words, replace(wanted, method=method, publication=form))


def _distance(wanted: Method, other: Method, usual: str) -> tuple[bool, bool, bool, str]:
    """Say how unlike two methods are, by what they are made for and what they carry."""
    return (
        other.publication != wanted.publication,
        other.carries != wanted.carries,
        other.name != usual,
        other.name,
    )


def _require(wanted: Combination) -> Iterator[Alternative]:
    for name in MODELS:
        with suppress(ShoalError):
            more = MODELS[name].example()
            yield Alternative(
                f"require '{name}', too", replace(wanted, require=(*wanted.require, more))
            )


Change = Callable[[Combination], Iterator[Alternative]]

CHANGES: dict[str, Change] = {
    "blocks": _leave_out("blocks", "blocks"),
    "bound": _leave_out("bound", "bounded"),
    "refine": _leave_out("refine", "refined"),
    "missing": _missing,
    "publication": _publication,
    "method": _method,
    "require": _require,
}
"""The parts of a combination, the one to change most readily first, and how each can change."""


def _made(known: Mapping[str, type[Member]], name: str) -> Iterator[Member]:
    """Make a member with the options it has by itself; one that cannot be loaded is no way out."""
    with suppress(ShoalError, KeyError):
        yield known[name]()


def _options(member: Member) -> Iterator[tuple[str, Member]]:
    """Change one option that is a choice of words."""
    try:
        hints = get_type_hints(type(member))
    except NameError:  # another package may import its types for type checkers alone
        return
    for field in dataclasses.fields(member):  # type: ignore[arg-type]
        for value in _choices(hints[field.name]):
            if value != getattr(member, field.name):
                made: Any = replace(member, **{field.name: value})  # type: ignore[type-var]
                if makes_sense(made):
                    yield f'{USE}{field.name} = "{value}"', made


def _choices(hint: Any) -> Iterator[str]:
    if get_origin(hint) is Literal:
        yield from (each for each in get_args(hint) if isinstance(each, str))
    for part in get_args(hint) if get_origin(hint) is not Literal else ():
        yield from _choices(part)


def _sentence(found: Sequence[Alternative]) -> str:
    """Write ways as a sentence."""
    if not found:
        return "No installed method can do it: remove a requirement, or install a package that can."
    words = _joined(", or ", [alternative.words for alternative in found])
    return f"{words[0].upper()}{words[1:]}."


def _joined(between: str, parts: Sequence[str]) -> str:
    """Join phrases; "use" is not said twice in a row.

    Examples
    --------
    >>> _joined(", or ", ["use publication 'two-table'", "use method 'gaa-cp'"])
    "use publication 'two-table', or method 'gaa-cp'"
    """
    made = ""
    for part in filter(None, parts):
        again = made.startswith(USE) and "require '" not in made and part.startswith(USE)
        made += (between if made else "") + (part.removeprefix(USE) if again else part)
    return made
