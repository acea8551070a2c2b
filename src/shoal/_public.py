"""The public names, all at once; `shoal` itself imports them when one is used."""

from shoal import (
    checks,
    datasets,
    errors,
    hierarchies,
    measures,
    methods,
    models,
    query,
    risk,
    utility,
)
from shoal.api import anonymize
from shoal.grouping import Grouping
from shoal.hierarchies import Hierarchy
from shoal.methods import (
    EBKC,
    GAACP,
    GCA,
    KACA,
    KAIM,
    MICD,
    Anatomy,
    Datafly,
    Decomposition,
    DecompositionPlus,
    FullDomain,
    Incognito,
    KMember,
    LeveledGCA,
    Samarati,
    TopDown,
)
from shoal.models import (
    AlphaK,
    KAnonymity,
    LDiversity,
    LeveledAlphaK,
    MultiLDiversity,
    TCloseness,
)
from shoal.pipeline import run
from shoal.plan import Plan
from shoal.proposal import Proposal, propose
from shoal.release import Release
from shoal.schema import Schema, identifier, other, quasi, sensitive
from shoal.verification import Verification, verify

__all__ = [
    "EBKC",
    "GAACP",
    "GCA",
    "KACA",
    "KAIM",
    "MICD",
    "AlphaK",
    "Anatomy",
    "Datafly",
    "Decomposition",
    "DecompositionPlus",
    "FullDomain",
    "Grouping",
    "Hierarchy",
    "Incognito",
    "KAnonymity",
    "KMember",
    "LDiversity",
    "LeveledAlphaK",
    "LeveledGCA",
    "MultiLDiversity",
    "Plan",
    "Proposal",
    "Release",
    "Samarati",
    "Schema",
    "TCloseness",
    "TopDown",
    "Verification",
    "anonymize",
    "checks",
    "datasets",
    "errors",
    "hierarchies",
    "identifier",
    "measures",
    "methods",
    "models",
    "other",
    "propose",
    "quasi",
    "query",
    "risk",
    "run",
    "sensitive",
    "utility",
    "verify",
]
