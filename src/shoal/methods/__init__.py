"""How groups are found: the methods of the papers and their baselines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.errors import ParameterError, did_you_mean
from shoal.methods.base import Method, Progress
from shoal.methods.gaacp import GAACP
from shoal.options import build

__all__ = ["GAACP", "METHODS", "Method", "Progress", "from_spec"]

METHODS: dict[str, type[Method]] = {method.name: method for method in (GAACP,)}
"""Every method by its name in plans."""


def from_spec(spec: Mapping[str, Any]) -> Method:
    """Make a method from a plan's table.

    Examples
    --------
    >>> from_spec({"name": "gaa-cp", "seed": 7})
    GAACP(distance='paper', picks='random', seed=7)
    """
    options = dict(spec)
    name = options.pop("name", None)
    if not isinstance(name, str) or name not in METHODS:
        raise ParameterError(f"Unknown method {name!r}.", did_you_mean(str(name), METHODS))
    return build(METHODS[name], name, options)
