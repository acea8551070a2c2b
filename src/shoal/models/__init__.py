"""What must hold: requirements that judge the groups of a release, one file each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias

from shoal.base import options
from shoal.base.members import Members, lazily
from shoal.errors import ParameterError, a_type
from shoal.models._cases import HandCase as HandCase, written as written
from shoal.models._private import Private as Private, private_columns as private_columns
from shoal.models._statistics import GroupStatistics as GroupStatistics, Histogram as Histogram
from shoal.models.base import Outcome as Outcome, Requirement as Requirement, holding as holding
from shoal.models.exact.shares import ShareBounds as ShareBounds

if TYPE_CHECKING:
    from shoal.models._names import *  # noqa: F403

_OWN = [
    "MODELS",
    "GroupStatistics",
    "HandCase",
    "Histogram",
    "Outcome",
    "Private",
    "Requirement",
    "RequirementLike",
    "Requirements",
    "ShareBounds",
    "from_spec",
    "holding",
    "private_columns",
    "requirements",
    "written",
]


MODELS: Members[type[Requirement]] = Members("shoal.models", noun="requirement", fits=Requirement)
"""Every requirement by its name in plans."""

RequirementLike: TypeAlias = Requirement | int | Mapping[str, Any]
"""A requirement, a k, or a plan's table such as ``{"model": "k-anonymity", "k": 10}``."""

Requirements: TypeAlias = RequirementLike | Iterable[RequirementLike]
"""One of these, or several."""

_SUCH_AS = 'Give 10, shoal.KAnonymity(10) or {"model": "k-anonymity", "k": 10}, or a list of these.'


def from_spec(spec: Mapping[str, Any]) -> Requirement:
    """Make a requirement from a plan's table.

    Examples
    --------
    >>> from_spec({"model": "k-anonymity", "k": 5})
    KAnonymity(k=5)
    """
    return options.from_spec(MODELS, "model", spec, noun="requirement")


def requirements(given: Requirements | None) -> list[Requirement]:
    """Take one requirement or several, each in any form in which people give it, and check them.

    Parameters
    ----------
    given
        A requirement, a whole number for k-anonymity, a plan's table, or a list of these.

    Examples
    --------
    >>> requirements(10)
    [KAnonymity(k=10)]
    >>> from shoal.models import KAnonymity
    >>> requirements([{"model": "alpha-k", "alpha": 0.5, "k": 3}, KAnonymity(5)])
    [AlphaK(alpha=0.5, k=3, value=None, column=None), KAnonymity(k=5)]
    >>> requirements("ten")
    Traceback (most recent call last):
    shoal.errors.ParameterError: A requirement cannot be made of a str. Give 10, ...
    """
    if isinstance(given, Requirement | Mapping | str) or not isinstance(given, Iterable):
        given = () if given is None else (given,)
    made = [_requirement(each) for each in given]
    for each in made:
        options.require_texts(each, each.name)
        each.validate()
    if not made:
        raise ParameterError("No requirement was given.", _SUCH_AS)
    return made


def _requirement(given: object) -> Requirement:
    if isinstance(given, Requirement):
        return given
    if isinstance(given, Mapping):
        return from_spec(given)
    if isinstance(given, Integral) and not isinstance(given, bool):
        return from_spec({"model": "k-anonymity", "k": int(given)})
    raise ParameterError(f"A requirement cannot be made of {a_type(given)}.", _SUCH_AS)


if not TYPE_CHECKING:  # type checkers report names that `_names` lacks
    __getattr__, __dir__ = lazily(__name__, MODELS, _OWN, {})
