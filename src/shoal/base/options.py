"""Things by name, as plans ask for them: a word picks the kind, named options fill it."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from shoal.base.arguments import refuse_unknown
from shoal.errors import ParameterError, ShoalError, did_you_mean

T = TypeVar("T")

OPEN = {"open": True}
"""Metadata of a field that Python must give, if only as ``None``, and a plan may leave out."""


def from_spec(
    known: Mapping[str, type[T]],
    key: str,
    spec: Mapping[str, Any],
    *,
    noun: str,
    hidden: Collection[str] = (),
) -> T:
    """Make what a plan's table describes: ``spec[key]`` names it, the rest are its options.

    `known`: what there is, by name.
    `noun`: what to call such a thing in a message.
    `hidden`: fields that are not options of a plan.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Net:
    ...     mesh: int
    >>> from_spec({"net": Net}, "name", {"name": "nett", "mesh": 3}, noun="tool")
    Traceback (most recent call last):
    shoal.errors.ParameterError: There is no tool 'nett'. Did you mean 'net'?
    """
    options = dict(spec) if isinstance(spec, Mapping) else {}
    name = options.pop(key, None)
    if not isinstance(name, str):
        raise ParameterError(
            f"A {noun} must be named by '{key}'.", f"Known: {', '.join(sorted(known))}."
        )
    if name not in known:
        raise ParameterError(f"There is no {noun} '{name}'.", did_you_mean(name, known))
    return build(known[name], name, options, hidden=hidden)


def build(
    kind: type[T], name: str, options: Mapping[str, Any], *, hidden: Collection[str] = ()
) -> T:
    """Make a dataclass from options; unknown and absent ones are refused by name.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Net:
    ...     mesh: int
    >>> build(Net, "net", {"mesh": 3})
    Net(mesh=3)
    >>> build(Net, "net", {"mesch": 3})
    Traceback (most recent call last):
    shoal.errors.ParameterError: 'net' has no option 'mesch'. Did you mean 'mesh'?
    """
    fields = {
        field.name: field
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        if field.init and field.name not in hidden
    }
    refuse_unknown(name, options, fields)
    for field in fields.values():
        required = (
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        )
        if required and field.name not in options:
            if field.metadata.get("open"):
                options = {**options, field.name: None}
                continue
            raise ParameterError(f"'{name}' needs the option '{field.name}'.", "Add it.")
    made = kind(**options)
    require_texts(made, name)
    return made


def makes_sense(member: Any) -> bool:
    """Say whether the options of a member are allowed.

    Examples
    --------
    >>> import shoal
    >>> makes_sense(shoal.KAnonymity(2)), makes_sense(shoal.KAnonymity(0))
    (True, False)
    """
    try:
        member.validate()
    except ShoalError:
        return False
    return True


def require_texts(made: object, name: str) -> None:
    """Refuse anything else where a dataclass declares a text, such as the name of a column.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Net:
    ...     maker: str | None
    >>> require_texts(Net(3), "net")
    Traceback (most recent call last):
    shoal.errors.ParameterError: The option 'maker' of 'net' must be a text, not 3. Write it in
    quotes.
    """
    for field in dataclasses.fields(made):  # type: ignore[arg-type]
        value = getattr(made, field.name)
        if field.type in ("str", "str | None") and not isinstance(value, str):
            if value is None and field.type == "str | None":
                continue
            raise ParameterError(
                f"The option '{field.name}' of '{name}' must be a text, not {value!r}.",
                "Write it in quotes.",
            )
