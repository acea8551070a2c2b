"""How groups are released: one file per form of publication, found by being here."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shoal import options
from shoal.members import Members, lazily
from shoal.publications.base import Made as Made, Publication as Publication, option as option

if TYPE_CHECKING:
    from shoal.publications._names import *  # noqa: F403


def _is_form(thing: object) -> bool:
    return (
        inspect.isclass(thing) and issubclass(thing, Publication) and not inspect.isabstract(thing)
    )


FORMS: Members[type[Publication]] = Members(
    "shoal.publications", noun="form of publication", fits=_is_form
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


__getattr__, __dir__ = lazily(
    __name__, FORMS, ["FORMS", "Made", "Publication", "from_spec", "option"], {}
)
