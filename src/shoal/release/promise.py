"""What a release promises, and what it does not: one source of words for all who tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal import models
from shoal.models import Requirement
from shoal.plural import counted
from shoal.publications import FORMS

__all__ = ["Promise", "named"]


@dataclass(frozen=True)
class Promise:
    """What holds, as a clause, and what that does not promise, as a sentence.

    Examples
    --------
    >>> import shoal
    >>> made = Promise.of([shoal.KAnonymity(10)], counts="people", sensitive=["ill"])
    >>> print(made.holds)
    every published row looks like rows of at least 9 other people (k = 10, counted in people)
    >>> print(made.leaves_open)
    It does not promise that nobody learns 'ill' of a person whose class shares it, nor protection
    against someone who knows more of a person than the quasi-identifiers.
    >>> Promise.of([shoal.LDiversity(3)], counts="rows", sensitive=["ill"]).leaves_open[:61]
    "It does not promise that nobody guesses 'ill' of a person bet"
    """

    holds: str
    leaves_open: str

    @classmethod
    def of(
        cls,
        require: Sequence[Requirement],
        *,
        counts: str,
        sensitive: Sequence[str] = (),
        exact: bool = False,
    ) -> Promise:
        """Say what requirements promise.

        Parameters
        ----------
        counts
            What k counts: ``"rows"`` or ``"people"``.
        sensitive
            The sensitive columns.
        exact
            Whether quasi-identifiers are published as they are, so that no rows look alike.
        """
        size = max([1, *(each.least_size for each in require)])
        more = [each.describe() for each in require if size < 2 or not each.size_only]
        clauses = ([_alike(size, counts, exact)] if size > 1 else []) + more
        return cls("; ".join(clauses), _open(require, counts, sensitive, size))

    @classmethod
    def told_by(cls, facts: Mapping[str, Any]) -> Promise:
        """Say what the public facts of a release promise."""
        told = facts.get(FORMS[facts["publication"]].key(), {})
        return cls.of(
            [models.from_spec(spec) for spec in facts["require"]],
            counts=facts["counted"],
            sensitive=[name for name, role in facts["columns"].items() if role == "sensitive"],
            exact=told.get("quasi_cells") == "exact",
        )


def named(columns: Sequence[str]) -> str:
    """Name a few columns, or say how many there are.

    Examples
    --------
    >>> named(["age", "sex", "zip"]), named(list("abcdef"))
    ("'age', 'sex' and 'zip'", '6 columns')
    """
    quoted = [f"'{name}'" for name in columns]
    if len(quoted) > 5:
        return f"{counted(len(quoted), 'column')}"
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def _alike(size: int, counts: str, exact: bool) -> str:
    others = size - 1
    company = f"at least {counted(others, 'other')}"
    if counts == "people":
        company = f"rows of at least {counted(others, 'other person', 'other people')}"
    # Exact cells do not look alike: what rows share is a class of sensitive values.
    like = "shares its class of sensitive values with" if exact else "looks like"
    return f"every published row {like} {company} (k = {size}, counted in {counts})"


def _open(require: Sequence[Requirement], counts: str, sensitive: Sequence[str], size: int) -> str:
    gaps = []
    if size < 2:
        gaps.append("that nobody stands alone in the table")
    bounded = any("histograms" in each.needs for each in require)
    if sensitive and bounded:
        gaps.append(f"that nobody guesses {named(sensitive)} of a person better than by chance")
    elif sensitive:
        gaps.append(f"that nobody learns {named(sensitive)} of a person whose class shares it")
    if counts == "rows":
        gaps.append("as much to a person who has several rows")
    gaps.append("protection against someone who knows more of a person than the quasi-identifiers")
    return f"It does not promise {', nor '.join(gaps)}."
