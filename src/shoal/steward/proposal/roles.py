"""Propose a role for each column, and say why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shoal.errors import InputError
from shoal.judging.remarks.near_unique import SMALL_TABLE_ROWS, is_near_unique
from shoal.judging.remarks.words import Name
from shoal.steward.proposal.appearance import Appearance
from shoal.steward.proposal.generalizing import ColumnProposal, generalize
from shoal.steward.proposal.profile import ColumnProfile
from shoal.table.schema import Role

MOST_LEAVES = 50_000
"""A larger hierarchy is too large to edit."""

MOST_LEVELED = 1_000
"""A person must check the level of each value."""

_GIVEN = "As specified."


def propose_roles(
    profiles: Sequence[ColumnProfile], given: Mapping[str, Role] | None = None
) -> list[ColumnProposal]:
    """Propose a role for each column from its profile and its name.

    A proposal is where a data steward starts, not where he ends: only people know what
    others may know.

    `given`: the roles that were given already; they stay.
    Raises `InputError` if no column could be a quasi-identifier.

    Examples
    --------
    >>> import shoal
    >>> from shoal.steward.proposal import profile
    >>> for made in propose_roles(profile(shoal.datasets.patients(1))):
    ...     print(made.name, made.role, made.reason, sep=": ")
    name: identifier: Its name suggests that it identifies a person.
    age: quasi: 5 different whole numbers. An attacker may know it, so it becomes a range.
    sex: quasi: 2 different values. An attacker may know it; published unchanged or as *.
    zip: quasi: A postal code, by its name. Each step hides another character at its end.
    disease: sensitive: Its name suggests something that an attacker must not learn about a person.
    """
    given = given or {}
    open_ = [each for each in profiles if each.name not in given and not _identifies(each)]
    tiers = sorted({t for each in open_ if (t := Name(each.name).sensitive_tier) is not None})
    # A job is protected if nothing worse is there; else others know it, as they know an age.
    for tier in [*tiers[:1], None]:
        made = [
            _as_given(column, given[column.name])
            if column.name in given
            else _propose(column, tier)
            for column in profiles
        ]
        made = _decide_twins(made, {column.name: column for column in profiles}, given)
        if any(proposal.role is Role.QUASI for proposal in made):
            return made
        if not tier:
            break
    raise InputError(
        "No column looks like a quasi-identifier: all columns would be removed or published "
        "unchanged.",
        "Add columns that an attacker may know, such as age, sex or zip code, or write the "
        "plan by hand.",
    )


def _as_given(column: ColumnProfile, role: Role) -> ColumnProposal:
    """Keep a role that was given; how a quasi-identifier is generalized is still proposed."""
    if role is Role.QUASI:
        made = _quasi(column)
        return replace(made, reason=f"{_GIVEN} {made.reason}")
    if role is Role.SENSITIVE:
        return _sensitive(column, _GIVEN)
    return ColumnProposal(column.name, role, _GIVEN)


def _propose(column: ColumnProfile, tier: int | None) -> ColumnProposal:
    if reason := _identifies(column):
        entity = Name(column.name).is_person_number and column.distinct < column.known
        return ColumnProposal(
            column.name, Role.IDENTIFIER, reason, is_entity=entity, doubtful=_may_measure(column)
        )
    own = Name(column.name).sensitive_tier
    if own is not None and own == tier:
        return _sensitive(column, _suspicion(column))
    if column.distinct == 1 and not column.missing:
        return ColumnProposal(
            column.name, Role.OTHER, "The same in every row, so it identifies no one."
        )
    made = _quasi(column)
    if own is not None:
        given = f"{made.reason} Make it sensitive if an attacker must not learn it about a person."
        made = replace(made, reason=given, doubtful=True)
    return made


def _identifies(column: ColumnProfile) -> str:
    """Say why a column must be left out; empty if it need not."""
    name = Name(column.name)
    if column.appearance is Appearance.NOTHING:
        return "Missing in every row."
    if name.is_identifier and column.appearance is not Appearance.BOOLEAN:
        return "Its name suggests that it identifies a person."
    if column.appearance is Appearance.TEXT:
        return "Free text can hold anything, including names."
    if name.is_survey_weight:
        return "A survey weight, by its name. It differs from row to row and would identify rows."
    if name.is_person_number:
        return "Its name suggests that it numbers people."
    near = _is_near_unique(column)
    if name.is_number_of_something and near:
        return f"Named like a number, and nearly every row has its own ({_share(column)})."
    if column.appearance is Appearance.DATE:
        return _too_many(column)
    if name.sensitive_tier is not None or name.is_postal:
        return ""
    if column.appearance.is_number:
        return _identifies_as_number(column, name, near)
    if near and not name.is_known:
        return f"Nearly every row has its own value ({_share(column)})."
    return _too_many(column)


def _identifies_as_number(column: ColumnProfile, name: Name, near: bool) -> str:
    if name.is_measure or name.is_known or column.is_amount:
        return ""
    if column.is_counter:
        return "It numbers the rows."
    if column.appearance is Appearance.INTEGER and column.rows >= 5 * SMALL_TABLE_ROWS:
        if near:
            return (
                f"Nearly every row has its own number ({_share(column)}), like an id. Make it "
                "quasi if it measures something."
            )
        return _too_many(column)
    return ""


def _may_measure(column: ColumnProfile) -> bool:
    """Say whether a column that is left out, though its name does not say so, holds numbers."""
    name = Name(column.name)
    named = name.is_identifier or name.is_person_number or name.is_survey_weight
    return column.appearance.is_number and not named and not column.is_counter


def _is_near_unique(column: ColumnProfile) -> bool:
    return is_near_unique(column.rows, column.known, column.distinct)


def _too_many(column: ColumnProfile) -> str:
    if column.distinct <= MOST_LEAVES:
        return ""
    return f"{column.distinct:,} different values are too many. Make them coarser to keep it."


def _quasi(column: ColumnProfile) -> ColumnProposal:
    made = generalize(column)
    if column.most_frequent >= 0.8 and column.distinct > 2:
        often = f"One value fills {_percent(column.most_frequent)} of the known cells."
        return replace(made, reason=f"{made.reason} {often}")
    return made


def _suspicion(column: ColumnProfile) -> str:
    reason = "Its name suggests something that an attacker must not learn about a person."
    if column.rows >= SMALL_TABLE_ROWS and _is_near_unique(column):
        reason += (
            f" But nearly every row has its own value ({_share(column)}) and keeps it: an "
            "attacker who knows it finds the row. Make it coarser, or quasi."
        )
    return reason


def _sensitive(column: ColumnProfile, reason: str) -> ColumnProposal:
    ordered = column.appearance.is_number or column.appearance is Appearance.DATE
    small = 2 <= column.distinct <= MOST_LEVELED
    levels = small and not ordered and not _is_near_unique(column)
    tokens = column.missing_tokens
    return ColumnProposal(column.name, Role.SENSITIVE, reason, missing=tokens, has_levels=levels)


def _decide_twins(
    proposals: Sequence[ColumnProposal],
    profiles: Mapping[str, ColumnProfile],
    given: Mapping[str, Role],
) -> list[ColumnProposal]:
    """Decide about quasi-identifiers that say the same as another column, in other words."""
    by_name = {proposal.name: proposal for proposal in proposals}
    # Of several, one that was given stays, else one in words, or else the first.
    rank = {
        proposal.name: (proposal.name not in given, _is_coded(profiles[proposal.name]), place)
        for place, proposal in enumerate(proposals)
    }
    return [
        _decide(made, [by_name[name] for name in profiles[made.name].twins], rank)
        if made.role is Role.QUASI and made.name not in given
        else made
        for made in proposals
    ]


def _decide(
    made: ColumnProposal,
    twins: Sequence[ColumnProposal],
    rank: Mapping[str, tuple[bool, bool, int]],
) -> ColumnProposal:
    for twin in twins:
        if twin.role is Role.SENSITIVE:
            reason = f"Holds the same information as '{twin.name}', which is sensitive."
            return ColumnProposal(made.name, Role.SENSITIVE, reason, missing=made.missing)
    quasi = [twin.name for twin in twins if twin.role is Role.QUASI]
    kept = min([made.name, *quasi], key=rank.__getitem__)
    if kept == made.name:
        return made
    reason = f"Holds the same information as '{kept}' and would undo its generalization."
    return ColumnProposal(made.name, Role.IDENTIFIER, reason)


def _is_coded(column: ColumnProfile) -> bool:
    return column.appearance.is_number or column.appearance is Appearance.CODE


def _share(column: ColumnProfile) -> str:
    return f"{_percent(column.unique_share)} different"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
