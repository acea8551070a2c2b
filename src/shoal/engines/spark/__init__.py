"""Releases of Spark tables: the plan of one machine, for tables that none holds alone.

`release`    `anonymize` and `run`: what is asked, and refused
`running`    one release, from the table to the folders
`columns`    which columns are used, and how rows are laid out
`domain`     what the whole table says of its columns, and remarks on them
`encoding`   rows as codes
`points`     where rows lie, counted in Spark
`grouping`   blocks, grouped where they lie; then what lost most
`levels`     or one level per column, found from all points
`publishing` published cells, and the two folders
`measuring`  what was lost
`recount`    the independent recount of what was written
`catalog`    a table of Spark's catalog, besides the folders
`facts`      what may be known in public
`spreads`    how rows lie over values, cells and classes
`sampling`   a few rows, drawn by the seed
`private_report`  the private report
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.engines.spark.release import SparkRelease, anonymize, run, start

__all__ = ["SparkRelease", "anonymize", "run", "start"]


def __getattr__(name: str) -> object:
    """Import what works with Spark when it is used: most releases do without."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from shoal.engines.spark import release

    return getattr(release, name)
