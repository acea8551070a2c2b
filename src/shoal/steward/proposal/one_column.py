"""Propose what a plan says of one column, once its role is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import polars as pl

from shoal.base.cells import STAR
from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.judging.remarks.seen import as_numbers
from shoal.steward.proposal.appearance import Appearance
from shoal.steward.proposal.generalizing import build_draft, generalize, spec_of
from shoal.steward.proposal.profile import ColumnProfile, profile
from shoal.steward.proposal.roles import MOST_LEAVES
from shoal.table.schema import Kind, Role, column_of


def propose_column(
    values: pl.Series,
    role: Role | str,
    *,
    kind: Kind | str | None = None,
    missing: Iterable[str] = ("", STAR),
    own: Iterable[str] | None = None,
) -> dict[str, Any]:
    """Give a column the table that a proposed plan would have for it in a role.

    A quasi-identifier gets its kind and the draft of a hierarchy. `propose` does the same for
    all columns at once, and proposes roles, too.

    `values`: the column, with its name.
    `kind`: what kind of quasi-identifier it is, where that is not left to its values.
    `missing`: texts that mean "missing" in every column.
    `own`: texts that mean "missing" in this one, instead; without them, they are guessed.
    Raises `InputError` if the values cannot be of that kind, or are too many for a hierarchy.

    Examples
    --------
    >>> town = pl.Series("town", ["Bonn", "Ulm", "NA", "Bonn"])
    >>> propose_column(town, "quasi")["hierarchy"], propose_column(town, "sensitive")
    ({'builder': 'flat'}, {'role': 'sensitive'})
    >>> propose_column(pl.Series("age", ["39", "NA", "40", "41"]), "quasi")
    {'role': 'quasi', 'kind': 'numeric', 'missing': ['', '*', 'NA']}
    """
    given = column_of({"role": role} if kind is None else {"role": role, "kind": kind})
    shared = tuple(missing)
    tokens = shared if own is None else tuple(own)
    made: dict[str, Any] = {"role": given.role.value}
    if own is None or given.role is Role.QUASI:  # else its values are of no matter
        found = profile(values.to_frame(), tokens, guess=own is None)[0]
        tokens = (*tokens, *found.missing_tokens)
        if given.role is Role.QUASI:
            made |= _quasi(values, found, given.kind, tokens)
    if tokens != shared and given.role is not Role.IDENTIFIER:
        made["missing"] = list(tokens)
    return made


def _quasi(
    values: pl.Series, found: ColumnProfile, kind: Kind | None, tokens: tuple[str, ...]
) -> dict[str, Any]:
    generalization = generalize(found)
    if kind is not None and kind is not generalization.kind:
        if kind is Kind.NUMERIC:
            if as_numbers(values, tokens) is None:
                raise InputError(
                    f"Column '{found.name}' holds cells that are not numbers.",
                    "Make it categorical, or list the texts that mean missing.",
                )
            return {"kind": kind.value}
        if kind is Kind.DATE:
            raise InputError(
                f"The cells of column '{found.name}' are not dates without a time of day.",
                "Make it categorical, or list the texts that mean missing.",
            )
        # As categories, dates climb the calendar, and numbers are names.
        apart = Appearance.DATE if found.appearance is Appearance.DATE else Appearance.CATEGORY
        generalization = generalize(replace(found, appearance=apart, plain_dates=False))
    made: dict[str, Any] = {"kind": str(generalization.kind)}
    if generalization.date_format is not None:
        made["format"] = generalization.date_format
    if generalization.hierarchy is None:
        return made
    if found.distinct > MOST_LEAVES:
        raise InputError(
            f"Column '{found.name}' has {counted(found.distinct, 'different value')}, too many for "
            "a hierarchy.",
            "Make them coarser first, or leave the column out.",
        )
    tree, builder = build_draft(values, generalization.hierarchy, tokens)
    made["hierarchy"] = spec_of(builder, tree)
    if generalization.draft or builder != generalization.hierarchy:
        made["draft"] = True
    return made
