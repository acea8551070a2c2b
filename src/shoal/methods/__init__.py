"""How groups are found: the methods of the papers and their baselines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal import options
from shoal.errors import ParameterError, a_type
from shoal.methods.base import Method, Progress
from shoal.methods.buckets.anatomy import Anatomy
from shoal.methods.buckets.gca import GCA
from shoal.methods.buckets.leveled_gca import LeveledGCA
from shoal.methods.clustering.gaa_cp import GAACP
from shoal.methods.clustering.k_member import KMember
from shoal.methods.clustering.kaim import KAIM
from shoal.methods.inverse.decomposition import Decomposition
from shoal.methods.inverse.decomposition_plus import DecompositionPlus
from shoal.methods.inverse.micd import MICD
from shoal.methods.lattice.datafly import Datafly
from shoal.methods.lattice.full_domain import FullDomain
from shoal.methods.lattice.incognito import Incognito
from shoal.methods.lattice.samarati import Samarati
from shoal.methods.merging.ebkc import EBKC
from shoal.methods.merging.kaca import KACA
from shoal.methods.partition.top_down import TopDown

__all__ = [
    "EBKC",
    "GAACP",
    "GCA",
    "KACA",
    "KAIM",
    "METHODS",
    "MICD",
    "Anatomy",
    "Datafly",
    "Decomposition",
    "DecompositionPlus",
    "FullDomain",
    "Incognito",
    "KMember",
    "LeveledGCA",
    "Method",
    "Progress",
    "Samarati",
    "TopDown",
    "from_spec",
    "method_of",
]

METHODS: dict[str, type[Method]] = {
    method.name: method
    for method in (
        Anatomy,
        Datafly,
        Decomposition,
        DecompositionPlus,
        EBKC,
        FullDomain,
        GAACP,
        GCA,
        Incognito,
        KACA,
        KAIM,
        KMember,
        LeveledGCA,
        MICD,
        Samarati,
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


def method_of(given: Method | str | Mapping[str, Any] | None) -> Method:
    """Take a method, its name, or a plan's table; `GAACP` if none is given.

    Examples
    --------
    >>> method_of("k-member").name, method_of({"name": "kaim", "seed": 3}).seed
    ('k-member', 3)
    """
    if given is None:
        return GAACP()
    if isinstance(given, Method):
        return given
    if isinstance(given, str | Mapping):
        return from_spec({"name": given} if isinstance(given, str) else given)
    raise ParameterError(
        f"A method cannot be made of {a_type(given)}.",
        'Give its name such as "kaca", a table such as {"name": "kaim", "seed": 3}, or '
        "shoal.KACA().",
    )
