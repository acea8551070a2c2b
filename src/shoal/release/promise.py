"""What a release promises, and what it does not: one source of words for all who tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal import models
from shoal.base.plural import counted
from shoal.models import Requirement
from shoal.publications import Publication, from_facts


@dataclass(frozen=True)
class Promise:
    """What holds, as a clause, and what that leaves open, as a sentence.

    What rows of a class have in common, and what is open whatever is required, is what the form of
    publication states.

    >>> import shoal
    >>> from shoal.publications import Generalized, TwoTable
    >>> asked = [shoal.KAnonymity(10)]
    >>> made = Promise.of(asked, Generalized(), counts="people", sensitive=["ill"])
    >>> print(made.holds)
    every published row looks like the rows of at least 9 other people (k = 10, counted in people)
    >>> print(made.leaves_open)
    k-anonymity does not hide a value of 'ill' that everyone in a class shares, and does not protect
    against an attacker who knows more about a person than the quasi-identifiers.
    >>> Promise.of(asked, TwoTable(), counts="rows").leaves_open[:70]
    'k-anonymity does not hide who is in the table or which row is whose, s'
    """

    holds: str
    leaves_open: str

    @classmethod
    def of(
        cls,
        require: Sequence[Requirement],
        form: Publication,
        *,
        counts: str,
        sensitive: Sequence[str] = (),
    ) -> Promise:
        """Say what requirements promise of a publication.

        ``form``: the form of publication, with its options.
        ``counts``: what k counts: ``"rows"`` or ``"people"``.
        """
        size = _least_class(require, counts)
        more = [each.describe() for each in require if size < 2 or each.name != "k-anonymity"]
        clauses = ([_company(form, size, counts)] if size > 1 else []) + more
        return cls("; ".join(clauses), _open(require, form, counts, sensitive, size))

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Promise:
        """Say what the public facts of a release promise."""
        return cls.of(
            [models.from_spec(spec) for spec in facts["require"]],
            from_facts(facts),
            counts=facts["counted"],
            sensitive=[name for name, role in facts["columns"].items() if role == "sensitive"],
        )


def stated(facts: Mapping[str, Any]) -> dict[str, str]:
    """Say what the form of a release states of it: cells, what an attacker finds, what was added.

    ``facts``: the facts of a release, with its verification.
    """
    form = from_facts(facts)
    cells = cells_stated(form, suppressed_columns(facts))
    made = {
        "cells": f"The cells of quasi-identifiers are {cells}.",
        "attacker": attacker_finds(facts),
        "added": form.added(facts),
    }
    return {what: text for what, text in made.items() if text}


def attacker_finds(facts: Mapping[str, Any]) -> str:
    """Say what an attacker who knows the quasi-identifiers of a person finds in a release."""
    proof = facts["verification"]
    size = int(proof["achieved"].get("k", 1))
    if proof["passed"]:
        require = [models.from_spec(spec) for spec in facts["require"]]
        size = max(size, _least_class(require, proof["counted"]))
    return from_facts(facts).finds(size if size > 1 else None, proof["counted"])


def suppressed_columns(facts: Mapping[str, Any]) -> Sequence[str]:
    """Name the columns that show ``*`` in every row because cells of theirs are missing."""
    return list(facts.get("missing", {}).get("suppressed_columns", []))


def cells_stated(form: Publication, suppressed: Sequence[str]) -> str:
    """Say what becomes of the cells of quasi-identifiers, as what follows "the cells are".

    ``suppressed``: columns that show ``*`` in every row, whatever the form does with cells.

    >>> from shoal.publications import Generalized
    >>> cells_stated(Generalized(), ["age"])
    "generalized; 'age' shows * in every row"
    """
    if not suppressed:
        return form.cells
    show = "shows" if len(suppressed) == 1 else "show"
    return f"{form.cells}; {named(suppressed)} {show} * in every row"


def named(columns: Sequence[str], last: str = "and") -> str:
    """Name a few columns, or say how many there are.

    >>> named(["age", "sex", "zip"]), named(["age", "sex"], "or"), named(list("abcdef"))
    ("'age', 'sex' and 'zip'", "'age' or 'sex'", '6 columns')
    """
    quoted = [f"'{name}'" for name in columns]
    if len(quoted) > 5:
        return f"{counted(len(quoted), 'column')}"
    return f" {last} ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def _least_class(require: Sequence[Requirement], counts: str) -> int:
    """Say how many rows, or people, the requirements give every class at least.

    Where they concern several releases, rows of a class may be counterfeits.
    """
    least = [
        each.least_people if counts == "people" or each.across_releases else each.least_size
        for each in require
    ]
    return max([1, *least])


def _company(form: Publication, size: int, counts: str) -> str:
    company = f"at least {counted(size - 1, 'other')}"
    if counts == "people":
        company = f"the rows of at least {counted(size - 1, 'other person', 'other people')}"
    return f"every published row {form.company} {company} (k = {size}, counted in {counts})"


def _open(
    require: Sequence[Requirement],
    form: Publication,
    counts: str,
    sensitive: Sequence[str],
    size: int,
) -> str:
    gaps = list(form.gaps)
    if size < 2:
        alone = "alone in their class" if form.exact else "unique in the table"
        gaps.append(f"may leave some people {alone}")
    if any(each.presence_unknown and size < getattr(each, "k", 2) for each in require):
        known = "people who are known to be in the table"
        gaps.append(f"protects {known} less well" if size > 1 else f"does not protect {known}")
    bounded = _bounded(require, sensitive)
    if bounded:
        gaps.append(f"still lets an attacker guess {named(bounded)} better than chance")
    open_ = [name for name in sensitive if name not in bounded]
    if open_:
        gaps.append(
            f"does not hide a value of {named(open_, 'or')} that everyone in a class shares"
        )
    if counts == "rows":
        gaps.append("protects people with several rows less well")
    gaps.append(
        "does not protect against an attacker who knows more about a person than the "
        "quasi-identifiers"
    )
    what = "k-anonymity" if {each.name for each in require} == {"k-anonymity"} else "This"
    return f"{what} {', and '.join([', '.join(gaps[:-1])] * (len(gaps) > 1) + gaps[-1:])}."


def _bounded(require: Sequence[Requirement], sensitive: Sequence[str]) -> list[str]:
    """Name the sensitive columns all values of which are limited in a class."""
    found: set[str] = set()
    for each in require:
        if "histograms" in each.needs and getattr(each, "value", None) is None:
            column = getattr(each, "column", None)
            found.update([column] if column is not None else each.required_values or sensitive)
    return [name for name in sensitive if name in found]
