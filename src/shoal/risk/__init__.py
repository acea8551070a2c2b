"""Attacks on a publication: what an adversary who finds a person's class learns.

The answers are for the steward and stay in the house: they say how many people a publication
fails, and counts of fewer than k people must not be made public (see `shoal.disclosure`).
"""

from shoal.risk.attack import PRIVATE_NOTE, Attack
from shoal.risk.attacks import attacks
from shoal.risk.homogeneity import homogeneity
from shoal.risk.linkage import Linkage, linkage
from shoal.risk.probability import probability
from shoal.risk.sensitivity import sensitivity
from shoal.risk.sight import Sight, sight
from shoal.risk.similarity import similarity

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
