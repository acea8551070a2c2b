"""How groups are found: the methods of the papers and their baselines.

One file per method, in the folder of its family; files that begin with an underscore are helpers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from shoal.base import options
from shoal.base.members import Members, lazily
from shoal.errors import ParameterError, a_type
from shoal.methods.base import Method as Method, Progress as Progress

if TYPE_CHECKING:
    from shoal.methods._names import *  # noqa: F403


METHODS: Members[type[Method]] = Members("shoal.methods", noun="method", fits=Method, folders=None)
"""Every method by its name in plans."""


def from_spec(spec: Mapping[str, Any]) -> Method:
    """Make a method from a plan's table.

    Examples
    --------
    >>> from_spec({"name": "gaa-cp", "seed": 7})
    GAACP(distance='paper', picks='random', seed=7)
    """
    name = spec.get("name") if isinstance(spec, Mapping) else None
    kind = METHODS.get(name) if isinstance(name, str) else None
    if kind is not None and not kind.draws() and {"seed", "picks"} & set(spec):
        option = "seed" if "seed" in spec else "picks"
        raise ParameterError(
            f"'{kind.name}' has no option '{option}', because it makes no random choices.",
            "Leave it out; the seed of the publication makes the order of rows repeatable.",
        )
    return options.from_spec(METHODS, "name", spec, noun="method")


def has_option(spec: Mapping[str, Any], option: str) -> bool:
    """Say whether the method of a plan's table has an option of that name.

    Examples
    --------
    >>> has_option({"name": "datafly"}, "suppression_limit"), has_option({}, "seed")
    (True, False)
    """
    name = spec.get("name")
    kind = METHODS.get(name) if isinstance(name, str) else None
    return kind is not None and any(field.name == option for field in fields(kind))  # type: ignore[arg-type]


def method_of(given: Method | str | Mapping[str, Any] | None) -> Method:
    """Take a method, its name, or a plan's table; `Auto` if none is given.

    Examples
    --------
    >>> method_of("k-member").name, method_of({"name": "kaim", "seed": 3}).seed
    ('k-member', 3)
    """
    if given is None:
        return METHODS["auto"]()
    if isinstance(given, Method):
        return given
    if isinstance(given, str | Mapping):
        return from_spec({"name": given} if isinstance(given, str) else given)
    raise ParameterError(
        f"A method cannot be made of {a_type(given)}.",
        'Give its name such as "kaca", a table such as {"name": "kaim", "seed": 3}, or '
        "shoal.KACA().",
    )


if not TYPE_CHECKING:  # type checkers report names that `_names` lacks
    __getattr__, __dir__ = lazily(
        __name__, METHODS, ["METHODS", "Method", "Progress", "from_spec", "method_of"], {}
    )
