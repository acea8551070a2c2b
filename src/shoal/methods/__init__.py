"""How groups are found: the methods of the papers and their baselines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal import options
from shoal.methods.anatomy import Anatomy
from shoal.methods.base import Method, Progress
from shoal.methods.decomposition import Decomposition
from shoal.methods.decomposition_plus import DecompositionPlus
from shoal.methods.ebkc import EBKC
from shoal.methods.gaacp import GAACP
from shoal.methods.gca import GCA
from shoal.methods.kaca import KACA
from shoal.methods.kaim import KAIM
from shoal.methods.kmember import KMember
from shoal.methods.leveled_gca import LeveledGCA
from shoal.methods.micd import MICD
from shoal.methods.top_down import TopDown

__all__ = [
    "EBKC",
    "GAACP",
    "GCA",
    "KACA",
    "KAIM",
    "METHODS",
    "MICD",
    "Anatomy",
    "Decomposition",
    "DecompositionPlus",
    "KMember",
    "LeveledGCA",
    "Method",
    "Progress",
    "TopDown",
    "from_spec",
]

METHODS: dict[str, type[Method]] = {
    method.name: method
    for method in (
        Anatomy,
        Decomposition,
        DecompositionPlus,
        EBKC,
        GAACP,
        GCA,
        KACA,
        KAIM,
        KMember,
        LeveledGCA,
        MICD,
        TopDown,
    )
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
