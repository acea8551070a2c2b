"""Options by name, as plans give them, turned into the object they describe."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from shoal.errors import ParameterError, did_you_mean

__all__ = ["build"]

T = TypeVar("T")


def build(kind: type[T], name: str, options: Mapping[str, Any]) -> T:
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
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}  # type: ignore[arg-type]
    for option in options:
        if option not in fields:
            raise ParameterError(
                f"'{name}' has no option '{option}'.",
                did_you_mean(option, fields) if fields else "It has none.",
            )
    for field in fields.values():
        required = (
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        )
        if required and field.name not in options:
            raise ParameterError(f"'{name}' needs the option '{field.name}'.")
    return kind(**options)
