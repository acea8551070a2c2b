"""How groups are found: the methods of the papers and their baselines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal import options
from shoal.methods.base import Method, Progress
from shoal.methods.ebkc import EBKC
from shoal.methods.gaacp import GAACP
from shoal.methods.kaca import KACA
from shoal.methods.kaim import KAIM
from shoal.methods.kmember import KMember

__all__ = [
    "EBKC",
    "GAACP",
    "KACA",
    "KAIM",
    "METHODS",
    "KMember",
    "Method",
    "Progress",
    "from_spec",
]

METHODS: dict[str, type[Method]] = {
    method.name: method for method in (EBKC, GAACP, KACA, KAIM, KMember)
}
"""Every method by its name in plans."""


def from_spec(spec: Mapping[str, Any]) -> Method:
    """Make a method from a plan's table.

    Examples
    --------
    >>> from_spec({"name": "gaa-cp", "seed": 7})
    GAACP(distance='paper', picks='random', seed=7)
    """
    return options.from_spec(METHODS, "name", spec, noun="method")
