"""Propose a plan for a table nobody described yet: what ``shoal plan TABLE`` does.

`profile` finds facts about each column, `propose_roles` turns them into roles with
reasons, and `propose` makes a `Draft`: a plan that runs at once, and draft hierarchies
and levels of sensitivity beside it, all for a data steward to edit.

Examples
--------
>>> import shoal
>>> draft = propose(shoal.datasets.patients(4), source="patients.csv")
>>> [made.name for made in draft.proposals if made.role == "sensitive"]
['disease', 'salary']
"""

from shoal.propose.doubts import TokenWarning
from shoal.propose.draft import Draft, propose
from shoal.propose.looks import Looks
from shoal.propose.profile import ColumnProfile, profile
from shoal.propose.rarity import DraftLevels, levels_by_rarity
from shoal.propose.roles import Proposal, propose_roles
from shoal.propose.tokens import Doubt

__all__ = [
    "ColumnProfile",
    "Doubt",
    "Draft",
    "DraftLevels",
    "Looks",
    "Proposal",
    "TokenWarning",
    "levels_by_rarity",
    "profile",
    "propose",
    "propose_roles",
]
