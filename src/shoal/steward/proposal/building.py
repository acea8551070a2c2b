"""Build the draft of a hierarchy, and write down how, as a plan says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from shoal.base.cells import texts
from shoal.errors import HierarchyError
from shoal.table.hierarchies import BUILDERS, Builder, Flat, Hierarchy, tree_spec
from shoal.table.schema import is_missing


def build_draft(
    values: pl.Series, proposed: Builder, missing: Sequence[str]
) -> tuple[Hierarchy, Builder]:
    """Build the draft of a hierarchy; if values are named like groups, one without any.

    `missing`: the texts that mean "missing" in the column.
    """
    known = texts(values.filter(~is_missing(values, missing)))
    try:
        return proposed.build(known), proposed
    except HierarchyError:
        return Flat().build(known), Flat()


def spec_of(builder: Builder, tree: Hierarchy) -> dict[str, Any]:
    """Write how a hierarchy is built, or the tree where no plan can name its builder.

    Examples
    --------
    >>> spec_of(*reversed(build_draft(pl.Series(["f", "m"]), Flat(), ())))
    {'builder': 'flat'}
    """
    if BUILDERS.get(builder.name) is type(builder):
        return builder.to_spec()
    return tree_spec(tree)
