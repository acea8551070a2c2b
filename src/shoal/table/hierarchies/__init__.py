"""Hierarchies: how a value becomes less exact, step by step, up to ``*``.

`Hierarchy` is the tree itself. A builder makes one from the values of a column. Which one?

===========  ======================================================================
`CsvFile`    someone made the hierarchy already, in the layout of ARX
`Tree`       a small hierarchy by meaning, written in the plan or in a JSON file
`Intervals`  numbers: equal widths, your own cuts, or a number of bins
`Prefixes`   codes whose first characters say most: postal codes, ICD codes
`Dates`      dates: day, month, quarter, year, decade
`Order`      values with an order but no distances: degrees, grades, sizes
`Auto`       nothing is known: a balanced tree from how often values occur
`Flat`       two or three values: published as they are, or as ``*``
===========  ======================================================================

A builder is a file in `builders/`. Plan files name builders by `BUILDERS` and are read with
`from_spec`; `tree_spec` writes a whole tree into a plan. `check` refuses a hierarchy that misses
values of its column, and `editing` moves, groups, renames, dissolves and merges nodes by hand.

Examples
--------
>>> import polars as pl
>>> from shoal.hierarchies import Prefixes
>>> zips = pl.Series(["23208", "23219", "10115"])
>>> tree = Prefixes(step=2).build(zips)
>>> check(tree, zips, "zip")
>>> tree.codes(zips).tolist()
[1, 2, 0]
>>> tree.labels[tree.lca_of_codes(1, 2)]
'232**'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.base.members import lazily
from shoal.table.hierarchies.base import Builder as Builder
from shoal.table.hierarchies.check import check as check
from shoal.table.hierarchies.specs import (
    BUILDERS as BUILDERS,
    from_spec as from_spec,
    tree_spec as tree_spec,
)
from shoal.table.hierarchies.tree import Hierarchy as Hierarchy

if TYPE_CHECKING:
    from shoal.table.hierarchies._names import *  # noqa: F403

_OWN = ["BUILDERS", "Builder", "Hierarchy", "check", "from_spec", "tree_spec"]

if not TYPE_CHECKING:  # type checkers report names that `_names` lacks
    __getattr__, __dir__ = lazily(__name__, BUILDERS, _OWN, {"CsvFile": "builders.csv"})
