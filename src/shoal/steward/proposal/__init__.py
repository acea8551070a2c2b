"""Propose a plan for a table nobody described yet: what ``shoal plan TABLE`` does.

`profile` finds facts about each column, `propose_roles` turns them into roles with
reasons, and `propose` makes a `Proposal`: a plan that runs at once, with draft hierarchies
and levels of sensitivity, all for a data steward to edit.

Examples
--------
>>> import shoal
>>> made = propose(shoal.datasets.patients(4))
>>> [name for name, role in made.roles.items() if role == "sensitive"]
['disease', 'salary']
"""

from shoal.steward.proposal.appearance import Appearance
from shoal.steward.proposal.distribution import Distribution, distribution
from shoal.steward.proposal.doubts import TokenWarning
from shoal.steward.proposal.draft import propose
from shoal.steward.proposal.generalizing import ColumnProposal
from shoal.steward.proposal.numerals import Numerals
from shoal.steward.proposal.offers import Offer
from shoal.steward.proposal.one_column import propose_column
from shoal.steward.proposal.profile import ColumnProfile, profile
from shoal.steward.proposal.rarity import DraftLevels, levels_by_rarity
from shoal.steward.proposal.result import Proposal
from shoal.steward.proposal.roles import propose_roles
from shoal.steward.proposal.tokens import Doubt

__all__ = [
    "Appearance",
    "ColumnProfile",
    "ColumnProposal",
    "Distribution",
    "Doubt",
    "DraftLevels",
    "Numerals",
    "Offer",
    "Proposal",
    "TokenWarning",
    "distribution",
    "levels_by_rarity",
    "profile",
    "propose",
    "propose_column",
    "propose_roles",
]
