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

Plan files name builders by `BUILDERS` and are read with `from_spec`; `check` refuses a
hierarchy that misses values of its column.

Examples
--------
>>> import polars as pl
>>> zips = pl.Series(["23208", "23219", "10115"])
>>> tree = Prefixes(step=2).build(zips)
>>> check(tree, zips, "zip")
>>> tree.codes(zips).tolist()
[1, 2, 0]
>>> tree.labels[tree.lca_of_codes(1, 2)]
'232**'
"""

from shoal.hierarchies.base import Builder
from shoal.hierarchies.builders.auto import Auto
from shoal.hierarchies.builders.csv import CsvFile
from shoal.hierarchies.builders.dates import Dates
from shoal.hierarchies.builders.flat import Flat
from shoal.hierarchies.builders.intervals import Intervals
from shoal.hierarchies.builders.order import Order
from shoal.hierarchies.builders.prefixes import Prefixes
from shoal.hierarchies.builders.tree import Tree
from shoal.hierarchies.check import check
from shoal.hierarchies.specs import BUILDERS, from_spec
from shoal.hierarchies.tree import Hierarchy

__all__ = [
    "BUILDERS",
    "Auto",
    "Builder",
    "CsvFile",
    "Dates",
    "Flat",
    "Hierarchy",
    "Intervals",
    "Order",
    "Prefixes",
    "Tree",
    "check",
    "from_spec",
]
