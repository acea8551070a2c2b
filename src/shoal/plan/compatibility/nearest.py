"""The way out of a combination that cannot work: the nearest one that can.

A combination is near if few of its parts change. Of equally few, parts change in the order of
`PARTS`: blocks, whether a bound is sought, whether groups are refined, then what becomes of missing
cells, then the publication, and only then the method. What is required is never weakened; at last a
requirement may be added, where the method needs one more to group by.

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
from itertools import combinations
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from shoal.errors import ParameterError, ShoalError
from shoal.methods import METHODS, Method, method_of
from shoal.models import MODELS
from shoal.plan.compatibility.judging import Combination, refusals
from shoal.publications import FORMS, Publication
from shoal.publications.groups.missing_policy import POLICIES
from shoal.table.schema import Schema

__all__ = ["PARTS", "Way", "require_compatible", "ways"]

USE = "use "

Member = TypeVar("Member", Method, Publication)


@dataclass(frozen=True)
class Way:
    """A combination, and in words how to get there from another one."""

    words: str
    combination: Combination


def require_compatible(asked: Combination, schema: Schema | None = None) -> None:
    """Refuse a combination that cannot work, with the reason and the nearest that can.

    Examples
    --------
    >>> from shoal.models import TCloseness
    >>> from shoal.publications import Generalized
    >>> require_compatible(Combination(METHODS["gca"](), (TCloseness(0.2),), Generalized()))
    Traceback (most recent call last):
    shoal.errors.ParameterError: The method 'gca' cannot carry 't-closeness': it carries alpha-k,
    k-anonymity, leveled-alpha-k and any that limit only sizes and shares. Use method '...'.
    """
    found = refusals(asked, schema)
    if found:
        raise ParameterError(found[0].problem, _sentence(ways(asked, schema)))


def ways(asked: Combination, schema: Schema | None = None) -> list[Way]:
    """Find the nearest combinations that can work: one, or two that change different parts.

    Empty if there is none with all that is installed.

    Examples
    --------
    >>> from shoal.models import AlphaK
    >>> from shoal.publications import SensitiveGroups
    >>> asked = Combination(METHODS["kaca"](), (AlphaK(0.5, 3),), SensitiveGroups())
    >>> [way.words for way in ways(asked)]
    ['use sensitive_cells = "rows"']
    """
    for count in range(1, len(PARTS) + 1):
        found = []
        for parts in combinations(PARTS.values(), count):
            way = next((way for way in _changed(asked, parts) if _fits(way, schema)), None)
            if way is not None:
                found.append(way)
        if found:
            return found[:2]
    return []


def _fits(way: Way, schema: Schema | None) -> bool:
    return not refusals(way.combination, schema)


def _changed(asked: Combination, parts: Sequence[Change]) -> Iterator[Way]:
    """Change each of some parts, in every way there is."""
    if not parts:
        yield Way("", asked)
        return
    for first in parts[0](asked):
        for rest in _changed(first.combination, parts[1:]):
            words = _joined(" and ", [first.words, rest.words])
            yield Way(words, rest.combination)


def _bound(asked: Combination) -> Iterator[Way]:
    if asked.bounded:
        yield Way("leave out bound", replace(asked, bounded=False))


def _blocks(asked: Combination) -> Iterator[Way]:
    if asked.blocks:
        yield Way("leave out blocks", replace(asked, blocks=False))


def _refine(asked: Combination) -> Iterator[Way]:
    if asked.refined:
        yield Way("leave out refine", replace(asked, refined=False))


def _missing(asked: Combination) -> Iterator[Way]:
    for policy in POLICIES:
        if policy != asked.missing:
            yield Way(f'{USE}missing = "{policy}"', replace(asked, missing=policy))


def _publication(asked: Combination) -> Iterator[Way]:
    for words, form in _options(asked.publication):
        yield Way(words, replace(asked, publication=form))
    made_for = asked.method.publication
    for name in sorted(FORMS, key=lambda name: (name != made_for, name)):
        if name != asked.publication.name:
            for form in _made(FORMS, name):
                words = f"{USE}publication '{name}'"
                yield Way(words, replace(asked, publication=form, follows=False))


def _method(asked: Combination) -> Iterator[Way]:
    for words, method in _options(asked.method):
        yield Way(words, replace(asked, method=method))
    usual = method_of(None).name
    others = [each for name in METHODS for each in _made(METHODS, name)]
    for method in sorted(others, key=lambda each: _distance(asked.method, each, usual)):
        if method.name == asked.method.name:
            continue
        words = f"{USE}method '{method.name}'"
        if not asked.follows:
            yield Way(words, replace(asked, method=method))
        else:
            for form in _made(FORMS, method.publication):
                yield Way(words, replace(asked, method=method, publication=form))


def _distance(asked: Method, other: Method, usual: str) -> tuple[bool, bool, bool, str]:
    """Say how unlike two methods are, by what they are made for and what they carry."""
    return (
        other.publication != asked.publication,
        other.carries != asked.carries,
        other.name != usual,
        other.name,
    )


def _require(asked: Combination) -> Iterator[Way]:
    for name in MODELS:
        with suppress(ShoalError):
            more = MODELS[name].example()
            yield Way(f"require '{name}', too", replace(asked, require=(*asked.require, more)))


Change = Callable[[Combination], Iterator[Way]]

PARTS: dict[str, Change] = {
    "blocks": _blocks,
    "bound": _bound,
    "refine": _refine,
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
                with suppress(ShoalError):
                    made.validate()
                    yield f'{USE}{field.name} = "{value}"', made


def _choices(hint: Any) -> Iterator[str]:
    if get_origin(hint) is Literal:
        yield from (each for each in get_args(hint) if isinstance(each, str))
    for part in get_args(hint) if get_origin(hint) is not Literal else ():
        yield from _choices(part)


def _sentence(found: Sequence[Way]) -> str:
    """Write ways as a sentence."""
    if not found:
        return "No installed method can do it: remove a requirement, or install a package that can."
    words = _joined(", or ", [way.words for way in found])
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
