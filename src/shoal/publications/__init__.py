"""How groups are released: one file per form of publication, found by being here."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from shoal.base import options
from shoal.base.members import Members, lazily
from shoal.errors import InputError, ParameterError, did_you_mean
from shoal.publications.base import Made as Made, Publication as Publication, option as option

if TYPE_CHECKING:
    from shoal.publications._names import *  # noqa: F403


FORMS: Members[type[Publication]] = Members(
    "shoal.publications", noun="form of publication", fits=Publication
)
"""Every form by its name in plans."""


def from_spec(spec: Mapping[str, Any]) -> Publication:
    """Make a form of publication from a plan's table.

    Examples
    --------
    >>> from_spec({"form": "two-table", "sensitive_cells": "counts"})
    TwoTable(quasi_cells='exact', sensitive_cells='counts', bounds=None)
    """
    made = options.from_spec(FORMS, "form", spec, noun=FORMS.noun)
    made.validate()
    return made


def from_facts(facts: Mapping[str, Any]) -> Publication:
    """Make the form of a release again from its facts, for its sentences.

    Options that facts do not give are the defaults.

    Examples
    --------
    >>> facts = {"publication": "two-table", "two_table": {"quasi_cells": "generalized"}}
    >>> from_facts(facts).cells[:61]
    'generalized, and the link to the sensitive values is lost, be'
    """
    if facts["publication"] not in FORMS:
        raise InputError(
            "The release's form of publication is not known here.",
            "Install the package that adds it, or restore the release.",
        )
    return FORMS[facts["publication"]].from_facts(facts)


def require_option(name: str, form: str, *, beside: Collection[str] = ()) -> None:
    """Refuse an option that a form does not have, and say which one does.

    Parameters
    ----------
    beside
        What else may stand under ``[publication]``.

    Examples
    --------
    >>> require_option("quasi_cells", "generalized")
    Traceback (most recent call last):
    shoal.errors.ParameterError: The form of publication 'generalized' has no option 'quasi_cells'.
    Only 'sensitive-groups' and 'two-table' can have it: name one of these forms.
    """
    if form not in FORMS or name in _fields(form):
        return
    if name in ("quasi", "sensitive"):
        raise ParameterError(
            f"The publication's option '{name}' is now called '{name}_cells'.",
            f"Rename it: '{name}' now only names a column's role.",
        )
    having = [f"'{each}'" for each in FORMS if name in _fields(each)]
    if having:
        raise ParameterError(
            f"The form of publication '{form}' has no option '{name}'.",
            f"Only {' and '.join(having)} can have it: name one of these forms.",
        )
    known = [*beside, *_fields(form)]
    raise ParameterError(
        f"The publication has an unknown option '{name}'.", did_you_mean(name, known)
    )


def _fields(form: str) -> list[str]:
    return [field.name for field in dataclasses.fields(FORMS[form])]  # type: ignore[arg-type]


if not TYPE_CHECKING:  # type checkers report names that `_names` lacks
    __getattr__, __dir__ = lazily(
        __name__,
        FORMS,
        ["FORMS", "Made", "Publication", "from_facts", "from_spec", "option", "require_option"],
        {},
    )
