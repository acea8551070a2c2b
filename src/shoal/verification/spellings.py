"""Values that agree but for case, spaces or Unicode form, found anew.

Nothing here is shared with the code that prepares tables.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import polars as pl

from shoal.cells import STAR, parse_set, texts
from shoal.plural import counted
from shoal.published import Published
from shoal.schema import Role, Schema, is_missing

__all__ = ["plain_form", "spelled_apart", "spelling_remarks"]

_SPACES = re.compile(r"\s+")


def plain_form(text: str) -> str:
    """Write a text in the compatibility form of Unicode, in one case, with single spaces inside.

    Examples
    --------
    >>> plain_form("HIV "), plain_form("  Straße   9")
    ('hiv', 'strasse 9')
    """
    for step in (_composed, str.casefold, _composed):
        text = step(text)
    return _SPACES.sub(" ", text).strip()


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def spelled_apart(values: pl.Series) -> int:
    """Count the different values that agree with another but for their spelling.

    Examples
    --------
    >>> spelled_apart(pl.Series(["HIV", "HIV ", "hiv", "flu", None]))
    3
    """
    if values.dtype != pl.String:
        return 0
    known = values.drop_nulls().unique().to_list()
    forms = Counter(map(plain_form, known))
    return sum(count for count in forms.values() if count > 1)


def spelling_remarks(published: Published, schema: Schema) -> list[str]:
    """Say of which columns published values agree but for their spelling, and how many."""
    made = []
    for name in (*schema.quasi, *schema.sensitive):
        if name in published.secrets:
            values = published.secrets[name].values
        elif name in published.coded.columns:
            values = published.coded[name].values
        else:
            continue
        role = schema[name].role
        missing = is_missing(values, schema.missing_of(name))
        known = texts(values).set(missing, None).filter(~missing & (texts(values) != STAR))
        if role is Role.QUASI:  # a cell may be a set of values
            known = pl.Series([value for cell in known for value in parse_set(cell) or (cell,)])
        alike = spelled_apart(known) if values.dtype == pl.String else 0
        if alike:
            made.append(
                f"{counted(alike, 'value')} of column '{name}' ({role}) agree with another one but "
                "for case, spaces or Unicode form, and count as different. With normalize = true "
                "in the plan they are one."
            )
    return made
