"""Texts that often stand for "missing", and whether a column seems to use them so."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import polars as pl

from shoal.steward.proposal.appearance import Appearance, appearance_of

# Nobody names a category like this.
_SIGNS = {"?", "??", "???", "n/a", "#n/a", "<na>", "(null)", "#null!", "k.a."}
# Real values here and there: NA is Namibia, - a negative finding, Null a surname.
_WORDS = {"na", "nan", "null", "nil", "-", "--", "---", ".", "..", "n.a."}
# Honest categories, unless the others are numbers, codes or dates.
_ANSWERS = {
    *("unknown", "unk", "none", "missing", "not available", "unbekannt", "keine angabe"),
    *("未知", "不详", "无"),
}
_LONGEST = 20  # bytes of a token, with some blanks around it
_SPELLED = {Appearance.INTEGER, Appearance.DECIMAL, Appearance.DATE, Appearance.CODE}
_NO_WORDS = {Appearance.INTEGER, Appearance.DECIMAL, Appearance.DATE}


@dataclass(frozen=True)
class Doubt:
    """A text that could mean "missing" in a column, or could be one of its values."""

    token: str
    """The text, as the column spells it. It comes from a fixed list of words."""
    cells: int
    """How many cells hold it."""
    believed: bool
    """Whether it is read as missing; if not, it is kept as a value."""


def suspects(
    counts: pl.DataFrame, elsewhere: Collection[str] = ()
) -> tuple[tuple[str, ...], tuple[Doubt, ...]]:
    """Name the texts that seem to mean "missing", and those nobody can be sure of.

    A text of the list that is kept as a value is always in doubt. One that is read as missing is in
    doubt where it could be a word among words: ``NA`` beside cities, but not beside numbers, and
    ``?`` never.

    `counts`: the distinct texts of the column (``value``), and how many cells hold each
    (``count``).
    `elsewhere`: texts that mean "missing" in other columns of the table.

    Returns
    -------
    tuple of str, tuple of Doubt
        Both spelled as in the column, sorted. The texts come from a fixed list of words, so
        that they say nothing about a person.

    Examples
    --------
    >>> suspects(pl.DataFrame({"value": ["NA", "DE"], "count": [3, 40]}))
    ((), (Doubt(token='NA', cells=3, believed=False),))
    >>> suspects(pl.DataFrame({"value": ["NA", "39"], "count": [3, 40]}))
    (('NA',), ())
    >>> suspects(pl.DataFrame({"value": ["NA", "yes"], "count": [3, 40]}), elsewhere={"NA"})
    (('NA',), (Doubt(token='NA', cells=3, believed=True),))
    """
    listed, believed, doubted = _sort_out(counts["value"], int(counts["count"].sum()))
    if len(listed) and elsewhere:
        # Among words of its own length, such as codes of countries, it may still be one of them.
        lengths = counts["value"].filter(~counts["value"].is_in(listed.implode())).str.len_chars()
        alike = (lengths.min() == lengths.max()) & (listed.str.len_chars() == lengths.max())
        believed = believed | (listed.is_in(list(elsewhere)) & ~alike)
    cells = dict(counts.filter(counts["value"].is_in(listed.implode())).iter_rows())
    return tuple(sorted(listed.filter(believed))), tuple(
        Doubt(token, cells[token], taken)
        for token, taken, doubt in sorted(zip(listed, believed, doubted, strict=True))
        if doubt
    )


def may_mean_missing(distinct: pl.Series) -> pl.Series:
    """Mark the texts that stand for "missing" here or there.

    Examples
    --------
    >>> may_mean_missing(pl.Series(["NA", "12", "?"])).to_list()
    [True, False, True]
    """
    words = distinct.str.strip_chars().str.to_lowercase()
    listed = words.is_in(list(_SIGNS | _WORDS | _ANSWERS))
    return (distinct.str.len_bytes() <= _LONGEST) & listed


def _sort_out(distinct: pl.Series, known: int) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Find the texts of the list: which are believed, and which of all are in doubt."""
    short = distinct.filter(distinct.str.len_bytes() <= _LONGEST)
    short = short.filter(may_mean_missing(short))
    words = short.str.strip_chars().str.to_lowercase()
    if short.is_empty():
        nothing = pl.Series(dtype=pl.Boolean)
        return short, nothing, nothing
    rest = distinct.filter(~distinct.is_in(short.implode()))
    appearance, _ = appearance_of(rest, known)
    meant = set(_SIGNS)
    if appearance in _SPELLED:
        meant |= _WORDS | _ANSWERS
    elif appearance is Appearance.NOTHING or int(str(rest.str.len_chars().min())) >= 4:
        meant |= _WORDS  # beside longer words, two letters are hardly a code
    believed = words.is_in(list(meant))
    sure = words.is_in(list(_SIGNS)) | (believed & (appearance in _NO_WORDS))
    return short, believed, ~sure
