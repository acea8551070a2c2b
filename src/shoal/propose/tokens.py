"""Texts that often stand for "missing", and whether a column seems to use them so."""

from __future__ import annotations

import polars as pl

from shoal.propose.looks import Looks, looks_of

__all__ = ["missing_tokens"]

# Nobody names a category like this.
_SIGNS = {"?", "??", "???", "n/a", "#n/a", "<na>", "(null)", "#null!", "k.a."}
# Real values here and there: NA is Namibia, - a negative finding, Null a surname.
_WORDS = {"na", "nan", "null", "nil", "-", "--", "---", ".", "..", "n.a."}
# Honest categories, unless the others are numbers, codes or dates.
_ANSWERS = {
    "unknown",
    "unk",
    "none",
    "missing",
    "not available",
    "unbekannt",
    "keine angabe",
    "未知",
    "不详",
    "无",
}
_LONGEST = 20  # bytes of a token, with some blanks around it
_SPELLED = {Looks.INTEGER, Looks.DECIMAL, Looks.DATE, Looks.CODE}


def missing_tokens(distinct: pl.Series, known: int) -> tuple[str, ...]:
    """Name the texts of a column that seem to mean "missing".

    Parameters
    ----------
    distinct
        The distinct texts of the column.
    known
        How many cells hold them.

    Returns
    -------
    tuple of str
        Spelled as in the column, sorted. They come from a fixed list of words, so that
        they say nothing about a person.

    Examples
    --------
    >>> missing_tokens(pl.Series(["39", "NA", "50"]), 3)
    ('NA',)
    >>> missing_tokens(pl.Series(["NA", "DE", "FR"]), 3), missing_tokens(pl.Series(["?", "DE"]), 2)
    ((), ('?',))
    """
    short = distinct.filter(distinct.str.len_bytes() <= _LONGEST)
    words = short.str.strip_chars().str.to_lowercase()
    suspects = words.is_in(list(_SIGNS | _WORDS | _ANSWERS))
    if not suspects.any():
        return ()
    rest = distinct.filter(~distinct.is_in(short.filter(suspects).implode()))
    looks, _ = looks_of(rest, known)
    believed = set(_SIGNS)
    if looks in _SPELLED:
        believed |= _WORDS | _ANSWERS
    elif looks is Looks.NOTHING or int(str(rest.str.len_chars().min())) >= 4:
        believed |= _WORDS  # beside longer words, two letters are hardly a code
    return tuple(sorted(short.filter(words.is_in(list(believed)))))
