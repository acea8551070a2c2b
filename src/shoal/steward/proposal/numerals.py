"""How a file writes numbers: with a decimal comma, with points between thousands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

import polars as pl

from shoal.io.decimals import with_point
from shoal.steward.proposal.tokens import may_mean_missing
from shoal.table.schema import is_missing

_SAMPLE = 500
# A point or a comma between thousands: then three digits follow, and no zero leads.
_COMMA = r"^\s*[+-]?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?\s*$"
_POINT = r"^\s*[+-]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?\s*$"
_MOST_NAMED = 3


class Writing(Enum):
    """How the numbers of a column are written."""

    COMMA = auto()
    """With a decimal comma, or with points between thousands: ``3.865,11``."""
    POINT = auto()
    """With a decimal point, or with commas between thousands: ``3,865.11``."""
    UNCLEAR = auto()
    """Either: ``1.234`` may be a little more than one, or more than a thousand."""


@dataclass(frozen=True)
class Numerals:
    """How a file writes numbers, as far as its columns show it."""

    decimal: str | None = None
    thousands: str | None = None
    """What stands before decimals and between thousands; ``None``: a point, and nothing."""
    columns: tuple[str, ...] = ()
    """The columns that hold numbers in this writing."""
    doubts: tuple[str, ...] = ()
    """What only a person can say; no cell is shown."""
    listed: tuple[str, ...] = ()
    """The columns that a plan lists as numbers, besides numeric quasi-identifiers."""

    @property
    def lines(self) -> dict[str, str]:
        """What a plan says of its signs under ``[input]``."""
        signs = {"decimal": self.decimal, "thousands": self.thousands}
        return {key: sign for key, sign in signs.items() if sign is not None}

    def read(self, table: pl.DataFrame) -> pl.DataFrame:
        """Write the numbers of a table as programs do, with a decimal point alone."""
        read = partial(with_point, decimal=self.decimal or ".", thousands=self.thousands or "")
        return table.with_columns(
            read(table[name].str.strip_chars()).fill_null(table[name]) for name in self.columns
        )


def find_numerals(table: pl.DataFrame, missing: Iterable[str] = ("", "*")) -> Numerals:
    """Find how the texts of a table write numbers; what is not shown beyond doubt is asked.

    `missing`: texts that mean missing.
    """
    tokens = tuple(missing)
    written: dict[Writing, list[str]] = {each: [] for each in Writing}
    signs: dict[str, str] = {}
    for values in table.iter_columns():
        if values.dtype != pl.String:
            continue
        first = _known(values.head(_SAMPLE), tokens)  # a few rows rule out most columns
        if not first.is_empty() and not _fitting(first):
            continue
        distinct = _known(values, tokens)
        found = writing_of(distinct)
        if found is not None:
            written[found].append(values.name)
            signs[values.name] = "".join(
                sign for sign in ".," if distinct.str.contains(sign, literal=True).any()
            )
    return _decide(table.columns, written, signs)


def writing_of(distinct: pl.Series) -> Writing | None:
    """Say how distinct texts write numbers; ``None`` if they do not, or are whole and plain."""
    fits = _fitting(distinct)
    if not fits or distinct.is_empty() or not distinct.str.contains(r"[.,]").any():
        return None
    return fits[0] if len(fits) == 1 else Writing.UNCLEAR


def _fitting(distinct: pl.Series) -> list[Writing]:
    patterns = {Writing.COMMA: _COMMA, Writing.POINT: _POINT}
    return [each for each, pattern in patterns.items() if distinct.str.contains(pattern).all()]


def _known(values: pl.Series, tokens: tuple[str, ...]) -> pl.Series:
    """Give the distinct texts that are hardly missing."""
    distinct = values.unique().drop_nulls()
    distinct = distinct.filter(~is_missing(distinct, tokens))
    return distinct.filter(~may_mean_missing(distinct))


def _decide(
    order: Sequence[str], written: Mapping[Writing, list[str]], signs: Mapping[str, str]
) -> Numerals:
    comma, point, unclear = (written[each] for each in Writing)
    if comma and point:
        doubt = (
            f"Numbers have a decimal comma in {_named(comma)} and a decimal point in "
            f"{_named(point)}, so those with a comma are read as texts. Use one decimal sign "
            'in the file; commas alone need decimal = "," under [input].'
        )
        return Numerals(doubts=(doubt,))
    if comma:
        points = any("." in signs[name] for name in (*comma, *unclear))
        found = [name for name in order if name in {*comma, *unclear}]
        return Numerals(",", "." if points else None, tuple(found))
    if point:
        found = [name for name in order if name in {*point, *unclear} and "," in signs[name]]
        return Numerals(None, "," if found else None, tuple(found))
    doubts = [_unclear(name, signs[name]) for name in unclear]
    return Numerals(doubts=tuple(doubts))


def _unclear(name: str, signs: str) -> str:
    if signs == ".":
        return (
            f"In column '{name}' each point comes before three digits: it is read as a decimal "
            'point. If it stands between thousands, write decimal = "," and thousands = "." '
            "under [input]."
        )
    return (
        f"In column '{name}' each comma comes before three digits, so its cells are read as texts. "
        'If the comma stands before decimals, write decimal = "," under [input]; if between '
        'thousands, thousands = ",". Then make the column numeric.'
    )


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:_MOST_NAMED])
    return shown + (", …" if len(names) > _MOST_NAMED else "")
