"""Large tables in blocks: cut where values lie far apart, grouped at the same time, then mended.

`cutting`   where to cut: a function of points and how many rows lie at each
`points`    the points of a table
`ordering`  one order of rows, whatever order they came in
`working`   the blocks grouped one by one, and what lies badly grouped once more
"""

from shoal.run.blocks.cutting import Axis, Cuts, blocks_for, cut
from shoal.run.blocks.ordering import canonical_order
from shoal.run.blocks.points import Points, mean_axes
from shoal.run.blocks.working import (
    MOST_AGAIN,
    dear_above,
    group_block,
    group_in_blocks,
    group_widths,
    join_blocks,
)

__all__ = [
    "MOST_AGAIN",
    "Axis",
    "Cuts",
    "Points",
    "blocks_for",
    "canonical_order",
    "cut",
    "dear_above",
    "group_block",
    "group_in_blocks",
    "group_widths",
    "join_blocks",
    "mean_axes",
]
