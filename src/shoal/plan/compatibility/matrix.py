"""The table of what goes together: a row per method and publication, a column per requirement.

A cell asks for one requirement alone. Missing policies and refinement have columns of their own,
because neither depends on what is required.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from string import ascii_lowercase
from typing import Self

from shoal.methods import METHODS, Method
from shoal.models import MODELS, Requirement
from shoal.plan.compatibility.judging import (
    Combination,
    Part,
    conditions,
    form_conditions,
    refusals,
)
from shoal.publications import FORMS, Publication
from shoal.publications.groups.missing_policy import POLICIES, MissingPolicy


@dataclass(frozen=True)
class Verdict:
    """Whether something goes together: why not, or under which conditions."""

    reason: str | None = None
    """Why not; the first reason, where there are several."""
    conditions: tuple[str, ...] = ()
    """What an allowed combination depends on, besides what the publication itself needs."""

    @property
    def allowed(self) -> bool:
        """Whether it goes together."""
        return self.reason is None


@dataclass(frozen=True)
class Row:
    """What a method can hold, published in one form."""

    method: str
    publication: str
    """Their names in plans; both with the options they have by themselves."""
    require: Mapping[str, Verdict]
    missing: Mapping[MissingPolicy, Verdict]
    """A verdict per requirement, and per policy for missing cells."""
    refine: Verdict
    """Whether groups can be refined afterwards."""
    conditions: tuple[str, ...]
    """What the publication needs, whatever is required."""


@dataclass(frozen=True)
class Matrix:
    """The whole table, and its footnotes: a number per reason, a letter per condition."""

    requirements: tuple[str, ...]
    rows: tuple[Row, ...]

    @classmethod
    def of(
        cls,
        methods: Sequence[str] | None = None,
        models: Sequence[str] | None = None,
        forms: Sequence[str] | None = None,
    ) -> Self:
        """Judge every combination, of all that is installed or of what is named."""
        wanted = {name: MODELS[name].example() for name in models or MODELS}
        rows = [
            _row(METHODS[method](), FORMS[form](), wanted)
            for method, form in product(methods or METHODS, forms or FORMS)
        ]
        return cls(tuple(wanted), tuple(rows))

    @property
    def reasons(self) -> dict[str, str]:
        """Why cells are refused, numbered from 1 on in the order in which the table shows them."""
        found = [each.reason for row in self.rows for each in _verdicts(row)]
        shown = dict.fromkeys(reason for reason in found if reason is not None)
        return {reason: str(number) for number, reason in enumerate(shown, start=1)}

    @property
    def conditions(self) -> dict[str, str]:
        """What rows and allowed cells depend on, lettered likewise."""
        found: list[str] = []
        for row in self.rows:
            found += row.conditions
            found += [condition for each in _verdicts(row) for condition in each.conditions]
        return dict(zip(dict.fromkeys(found), ascii_lowercase, strict=False))


def _row(method: Method, form: Publication, wanted: Mapping[str, Requirement]) -> Row:
    one = Combination(method, (), form)
    alone = {name: replace(one, require=(each,)) for name, each in wanted.items()}
    return Row(
        method.name,
        form.name,
        {name: _verdict(each, ("require", "publication")) for name, each in alone.items()},
        {policy: _verdict(replace(one, missing=policy), ("missing",)) for policy in POLICIES},
        _verdict(replace(one, refined=True), ("refine",)),
        tuple(form_conditions(form)),
    )


def _verdict(wanted: Combination, parts: Sequence[Part]) -> Verdict:
    found = [each.rule or each.problem for each in refusals(wanted) if each.part in parts]
    if found or not wanted.require:
        return Verdict(found[0] if found else None)
    of_form = form_conditions(wanted.publication)
    return Verdict(conditions=tuple(s for s in conditions(wanted) if s not in of_form))


def _verdicts(row: Row) -> Iterator[Verdict]:
    yield from row.require.values()
    yield from row.missing.values()
    yield row.refine
