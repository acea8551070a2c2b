"""A paper's data file: its claims, the rule and sentence of each, and how its text can be read.

`paper.toml` in the folder of an experiment holds the words. A text may name figures in braces, such
as ``{by:g}``: those that the rule is given, the settings of the run, and in sentences about what
was measured those that the rule found. A claim has

- ``where``, ``words``, ``judged_by`` and maybe ``why_not``: what the page shows of it;
- ``lines``: the numbers that it is about (`Settings.lines`), or ``pairs`` of lines to compare;
- ``rules``: each with its name, its figures and the part of the claim that it judges;
- ``say``, ``say_each`` (per method, or pair of methods) and ``say_all``: what was measured.

A rule of one paper alone is given all settings, and needs neither lines nor sentences.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from shoal_papers.claims import Claim, between
from shoal_papers.lines import Line, Pair, Settings, groups
from shoal_papers.readings import OpenPoint, Quote, Reading, View, counting, replacing
from shoal_papers.results import Results
from shoal_papers.rules import NAMES, Judged, judge_line, judge_pair, place_of
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["PaperFile", "fill"]

Table: TypeAlias = Mapping[str, Any]

VIEWS: Mapping[str, Callable[[Any], View]] = {
    "counting": counting,
    "replacing": lambda others: replacing("method", others),
}
"""Ways to show results that any paper may use."""


@dataclass(frozen=True)
class PaperFile:
    """What a paper's data file holds.

    Parameters
    ----------
    tables
        The parsed file.
    rules
        Rules of this paper alone, which are given the settings and the results.
    views
        Ways of this paper alone to show results; each is given what the file says of it.
    """

    tables: Table
    rules: Mapping[str, Callable[..., Finding]] = field(default_factory=dict)
    views: Mapping[str, Callable[[Any], View]] = field(default_factory=dict)

    @classmethod
    def beside(cls, module: str, **more: Any) -> PaperFile:
        """Read the file in the folder of a module."""
        text = Path(module).with_name("paper.toml").read_text(encoding="utf-8")
        return cls(tomllib.loads(text), **more)

    def about(self, facts: Mapping[str, Any]) -> list[tuple[str, str]]:
        """List what was run: each a label and a text."""
        return [(label, self._fill(text, facts)) for label, text in self.tables.get("about", ())]

    def texts(self, kind: str, facts: Mapping[str, Any]) -> list[str]:
        """Give a list of texts; one that is empty is left out."""
        filled = (self._fill(text, facts) for text in self.tables.get(kind, ()))
        return [text for text in filled if text]

    def _fill(self, text: str, facts: Mapping[str, Any]) -> str:
        return fill(text, {**self.tables.get("texts", {}), **facts})

    def claims(
        self, settings: Settings, kind: str = "claims", changes: Table | None = None
    ) -> list[Claim]:
        """List claims, or questions; a reading may change some, by their number."""
        made = []
        for place, table in enumerate(self.tables.get(kind, ()), start=1):
            changed = {**table, **(changes or {}).get(str(place), {})}
            facts = {**settings.facts, **_given(changed)}
            words, judged_by, why_not = (
                self._fill(changed.get(name, ""), facts)
                for name in ("words", "judged_by", "why_not")
            )
            judged = self._judge(changed, settings)
            made.append(Claim(changed["where"], words, judged_by, judged, why_not))
        return made

    def points(
        self, settings: Settings, others: Mapping[str, Settings] | None = None
    ) -> list[OpenPoint]:
        """List the open points; a reading may be judged at other settings, by their name."""
        return [
            OpenPoint(
                point["question"],
                tuple(self._reading(each, settings, others or {}) for each in point["readings"]),
                self._fill(point["why"], settings.facts),
                point.get("remark", ""),
            )
            for point in self.tables.get("points", ())
        ]

    def _reading(self, table: Table, settings: Settings, others: Mapping[str, Settings]) -> Reading:
        views = {**VIEWS, **self.views}
        made = [views[name](given) for name, given in table.get("view", {}).items()]
        claims = None
        if "claims" in table or "settings" in table:
            chosen = others[table["settings"]] if "settings" in table else settings
            claims = self.claims(chosen, changes=table.get("claims"))
        support = tuple(Quote(*each) for each in table["support"])
        return Reading(
            self._fill(table["name"], settings.facts), support, made[0] if made else None, claims
        )

    def _judge(self, table: Table, settings: Settings) -> Callable[[Results], Finding]:
        first, *more = table["rules"]
        if not more and first["rule"] in self.rules:
            given = {name: value for name, value in first.items() if name != "rule"}
            return lambda results: self.rules[first["rule"]](settings, results, **given)
        return lambda results: _judged(table, settings, results)


def fill(text: str, facts: Mapping[str, Any]) -> str:
    """Put figures where a text names them.

    Examples
    --------
    >>> fill("{by:g} times the mean of {1, 2}", {"by": 1.5})
    '1.5 times the mean of {1, 2}'
    """
    return re.sub(
        r"\{([a-z_]+)(?::([^}]*))?\}", lambda found: format(facts[found[1]], found[2] or ""), text
    )


def _given(table: Table) -> dict[str, Any]:
    """Collect the figures that the rules of a claim are given."""
    return {name: value for rule in table["rules"] for name, value in rule.items()}


def _judged(table: Table, settings: Settings, results: Results) -> Finding:
    """Judge lines by the rules that are named, and write the sentences about them."""
    cases: list[Case] = []
    sentences: list[str] = []
    every: dict[str, list[Any]] = {}
    for names, group in groups(table["lines"], settings, results):
        own: dict[str, list[Any]] = {}
        before = len(cases)
        for each, rule in ((each, rule) for each in group for rule in table["rules"]):
            line, made = _by_rule(rule, each)
            part = fill(rule.get("part", "{shown}"), names)
            for place, found in made.found:
                every_name = {**line.place, **place}
                cases.append(Case(part, _ordered(every_name, table, settings), found))
            for name, values in {**made.figures, **_courses(each)}.items():
                words = [f"{each}{_at(line.place)}" for each in values] if name == "top" else values
                own.setdefault(name, []).extend(words)
                every.setdefault(name, []).extend(words)
        if "say_each" in table and len(cases) > before:
            sentences.append(fill(table["say_each"], {**names, **_written(own)}))
    if not cases:
        return judge(cases)
    if "say" in table:
        ends = settings.values.get(_axis(table), ("", ""))
        facts = {**settings.facts, "least": ends[0], "most": ends[-1], **_written(every)}
        sentences.append(fill(table["say"], facts))
    if "say_all" in table:
        spec = {k: value for k, value in table["lines"].items() if k not in ("pairs", "methods")}
        for line in settings.lines(results, **spec):
            sentences.append(fill(table["say_all"], {**line.names, **_written(_courses(line))}))
    return judge(cases, " ".join(sentences))


def _courses(each: Line | Pair) -> dict[str, list[str]]:
    """Write lines in words."""
    if isinstance(each, Line):
        return {"course": [each.course]}
    return {"first_course": [each[0].course], "second_course": [each[1].course]}


def _axis(table: Table) -> str:
    spec = table["lines"]
    over = spec["over"] if isinstance(spec, Mapping) else ""
    return over if isinstance(over, str) else ""


def _at(place: Mapping[str, Any]) -> str:
    return f" ({', '.join(f'{name} = {value}' for name, value in place.items())})" if place else ""


def _ordered(place: Mapping[str, Any], table: Table, settings: Settings) -> dict[str, Any]:
    """Name settings in the order that a claim wants, and some only where they are not the usual."""
    order = [NAMES.get(name, name) for name in table.get("places", ())] or place
    hidden = {name: settings.usual[name] for name in table.get("unless_usual", ())}
    usual = place_of(tuple(hidden), tuple(hidden.values()))
    return {name: place[name] for name in order if usual.get(name) != place[name]}


def _written(figures: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Write the least and the largest of numbers, and all of words."""
    return {
        name: ", ".join(values) if values and isinstance(values[0], str) else between(values)
        for name, values in figures.items()
    }


def _by_rule(rule: Table, each: Line | Pair) -> tuple[Line, Judged]:
    given = {name: value for name, value in rule.items() if name not in ("rule", "part")}
    if isinstance(each, Line):
        return each, judge_line(rule["rule"], each.points, each.over, **given)
    first, second = each
    return first, judge_pair(rule["rule"], first.points, second.points, first.over, **given)
