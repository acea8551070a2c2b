"""Warn of texts that could mean "missing" or could be a value, and say what to do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shoal.base.plural import counted
from shoal.steward.proposal.generalizing import ColumnProposal
from shoal.steward.proposal.profile import ColumnProfile
from shoal.steward.proposal.tokens import Doubt
from shoal.table.schema import Kind, Role


@dataclass(frozen=True)
class TokenWarning:
    """A text of a column that only a person can judge."""

    column: str
    doubt: Doubt
    """The text, how many cells hold it, and what it was taken for."""
    instead: tuple[str, ...]
    """The texts to list as ``missing`` under the column if that is wrong."""
    also: str = ""
    """What else must change then; empty if nothing."""

    @property
    def problem(self) -> str:
        """What stands in the column, and what it was taken for."""
        cells = counted(self.doubt.cells, "cell")
        taken = "is read as missing" if self.doubt.believed else "is kept as a value"
        return f"{_quoted(self.doubt.token)} occurs in {cells} and {taken}."

    @property
    def condition(self) -> str:
        """When the guess is wrong."""
        return "If it is a real value" if self.doubt.believed else "If it means missing"

    @property
    def line(self) -> str:
        """What to write under the column in the plan then."""
        return f"missing = [{', '.join(map(_quoted, self.instead))}]"


def token_warnings(
    profiles: Iterable[ColumnProfile], proposals: Iterable[ColumnProposal], missing: Sequence[str]
) -> tuple[TokenWarning, ...]:
    """Collect the doubts about all columns that are published.

    `profiles`, `proposals`: the columns, and what is proposed for each, in the same order.
    `missing`: texts that mean "missing" in all columns.
    """
    return tuple(
        TokenWarning(
            column.name,
            doubt,
            _toggled(doubt, (*missing, *made.missing)),
            _also(made) if doubt.believed else "",
        )
        for column, made in zip(profiles, proposals, strict=True)
        if made.role is not Role.IDENTIFIER
        for doubt in column.doubts
    )


def _toggled(doubt: Doubt, tokens: Sequence[str]) -> tuple[str, ...]:
    if doubt.believed:
        return tuple(token for token in tokens if token != doubt.token)
    return (*tokens, doubt.token)


def _also(made: ColumnProposal) -> str:
    """Say what a value that was not counted as one needs."""
    if made.kind is Kind.NUMERIC:
        return "make the column categorical"
    return "add it to the hierarchy" if made.hierarchy is not None else ""


def _quoted(token: str) -> str:
    return json.dumps(token, ensure_ascii=False)
