"""Lines of measured numbers, as a paper's data file names them.

A claim may be about lines one by one, or about pairs of lines: of two methods, or of one method at
two values of a setting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

from shoal_papers.claims import course, line, means
from shoal_papers.results import Results
from shoal_papers.rules import NAMES, Points, place_of

__all__ = ["Line", "Pair", "Settings", "groups"]


@dataclass(frozen=True)
class Line:
    """The repetitions of a number over a setting, or over several.

    Parameters
    ----------
    names
        What a sentence may call it.
    place
        The settings that are the same in all of it.
    over
        The settings that change.
    """

    names: Mapping[str, str]
    place: Mapping[str, Any]
    over: tuple[str, ...]
    points: Points

    @property
    def course(self) -> str:
        """Its means in words, if one setting changes."""
        axis = NAMES.get(self.over[0], self.over[0])
        place = "{:g} %" if axis == "VMR" else f"{axis} = {{:g}}"
        return course(means(self.points), place) if len(self.over) == 1 else ""


Pair: TypeAlias = tuple[Line, Line]
"""Two lines that are compared."""


@dataclass(frozen=True)
class Settings:
    """The settings that were measured, and the methods that claims are about.

    Parameters
    ----------
    methods
        Those that were measured, with their names.
    values
        The values of each setting by which claims are judged.
    usual
        The value of each setting where a claim does not name it.
    facts
        What texts may name besides.
    """

    methods: Mapping[str, str]
    values: Mapping[str, Sequence[Any]]
    usual: Mapping[str, Any]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def lines(
        self,
        results: Results,
        number: str,
        over: str | Sequence[str],
        methods: Sequence[str] | None = None,
        each: Mapping[str, Sequence[Any]] | None = None,
        at: Mapping[str, Any] | None = None,
        also: Sequence[Any] = (),
        start: Any = None,
        before: Any = None,
        only: Sequence[Any] | None = None,
        without: Sequence[Any] = (),
        least: int = 1,
    ) -> Iterator[Line]:
        """Give the lines of some methods, one per value of the settings in ``each``.

        Parameters
        ----------
        also, without, only
            Further values of the setting that changes; those left out; the only ones.
        start, before
            The first value that may be, and the first that is too large.
        least
            How many points a line must have.
        """
        names = (over,) if isinstance(over, str) else tuple(over)
        for method in self.methods if methods is None else methods:
            if method not in self.methods:
                continue
            for panel in product(*(each or {}).values()):
                place = dict(zip(each or {}, panel, strict=True))
                fixed = {**self.usual, **(at or {}), **place, "method": method}
                found = self.points(results, number, names, fixed, also)
                points = {
                    x: sample
                    for x, sample in found.items()
                    if (start is None or x >= start) and (before is None or x < before)
                    if (only is None or x in only) and not {x, *_parts(x)} & {*without}
                }
                if len(points) >= least:
                    shown = {"shown": self.methods[method]}
                    yield Line(shown, place_of(tuple(place), tuple(place.values())), names, points)

    def points(
        self,
        results: Results,
        number: str,
        over: tuple[str, ...],
        fixed: Mapping[str, Any],
        also: Sequence[Any] = (),
    ) -> Points:
        """Give the repetitions at the values that were measured."""
        same = {name: value for name, value in fixed.items() if name not in over}
        if len(over) == 1:
            return line(results, number, over[0], [*self.values[over[0]], *also], **same)
        return results.samples(number, over, **same)


def _parts(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else ()


def groups(
    spec: Mapping[str, Any] | Sequence[Mapping[str, Any]], settings: Settings, results: Results
) -> Iterator[tuple[Mapping[str, str], Sequence[Line | Pair]]]:
    """Sort lines by method; or pairs of lines by their methods, if lines are set side by side."""
    first, *_ = specs = [spec] if isinstance(spec, Mapping) else spec

    def lines(methods: Sequence[str] | None = None, **at: Any) -> list[Line]:
        found: list[Line] = []
        for each in specs:
            wanted = {name: value for name, value in each.items() if name != "pairs"}
            if methods is not None:
                wanted |= {"methods": methods, "at": {**each.get("at", {}), **at}}
            found += settings.lines(results, **wanted)
        return found

    pairs = first.get("pairs")
    if pairs is None:
        every = lines()
        for names in {each.names["shown"]: each.names for each in every}.values():
            yield names, [each for each in every if each.names == names]
    elif isinstance(pairs, Mapping):
        [(setting, values)] = pairs.items()
        for method in first.get("methods", settings.methods):
            shown = settings.methods.get(method, "")
            panels = [lines(methods=[method], **{setting: value}) for value in values]
            yield {"shown": shown}, list(zip(*panels, strict=False))
    else:
        for methods in pairs:
            both = [lines(methods=[each]) for each in methods]
            if all(both):
                named = zip(("first", "second"), methods, strict=True)
                names = {name: settings.methods[each] for name, each in named}
                yield names, list(zip(*both, strict=True))
