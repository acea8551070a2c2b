"""Values that agree but for case, spaces or Unicode form, found anew.

Nothing here is shared with the code that prepares tables.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

import polars as pl

from shoal.base.cells import STAR, parse_set
from shoal.base.plural import counted
from shoal.publications.published import Published
from shoal.table.schema import Role, Schema, is_missing

_SPACES = re.compile(r"\s+")


def plain_form(text: str) -> str:
    """Write a text in the compatibility form of Unicode, in one case, with single spaces inside."""
    for step in (_composed, str.casefold, _composed):
        text = step(text)
    return _SPACES.sub(" ", text).strip()


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def spelled_apart(values: pl.Series) -> int:
    """Count the different values that agree with another but for their spelling."""
    if values.dtype != pl.String:
        return 0
    known = values.drop_nulls().unique().to_list()
    forms = Counter(map(plain_form, known))
    return sum(count for count in forms.values() if count > 1)


def spelling_remarks(published: Published, schema: Schema) -> list[str]:
    """Say of which columns published values agree but for their spelling, and how many."""
    tables = {name: published.coded[name].values for name in published.coded.columns}
    tables |= {name: table.values for name, table in published.value_tables.items()}
    return spelling_remarks_on(tables, schema)


def spelling_remarks_on(cells: Mapping[str, pl.Series], schema: Schema) -> list[str]:
    """Say the same of the different cells of each published column."""
    made = []
    for name in (*schema.quasi, *schema.sensitive):
        values, role = cells.get(name), schema[name].role
        if values is None or values.dtype != pl.String:
            continue
        known = values.filter(~is_missing(values, schema.missing_of(name)) & (values != STAR))
        if role is Role.QUASI:  # a cell may be a set of values
            known = pl.Series([value for cell in known for value in parse_set(cell) or (cell,)])
        if alike := spelled_apart(known):
            made.append(
                f"{counted(alike, 'value')} of column '{name}' ({role}) differ from another "
                "only in case, spaces or Unicode form, and count as different values. Set "
                "normalize = true in the plan to merge them."
            )
    return made
