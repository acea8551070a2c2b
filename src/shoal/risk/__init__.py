"""Attacks on a publication: what an adversary who finds a person's class learns.

The answers are for the steward and stay in the house: they say how many people a publication
fails, and counts of fewer than k people must not be made public (see `shoal.release.guard`).
"""

from shoal.risk.attack.homogeneity import homogeneity
from shoal.risk.attack.linkage import Linkage, linkage
from shoal.risk.attack.probability import probability
from shoal.risk.attack.sensitivity import sensitivity
from shoal.risk.attack.similarity import similarity
from shoal.risk.attacks import attacks
from shoal.risk.result import PRIVATE_NOTE, Attack
from shoal.risk.sight import Sight, sight

__all__ = [
    "PRIVATE_NOTE",
    "Attack",
    "Linkage",
    "Sight",
    "attacks",
    "homogeneity",
    "linkage",
    "probability",
    "sensitivity",
    "sight",
    "similarity",
]
