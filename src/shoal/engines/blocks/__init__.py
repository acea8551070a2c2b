"""Large tables in blocks: cut where values lie far apart, grouped at the same time, then mended.

`cutting`   where to cut: a function of points and how many rows lie at each
`points`    the points of a table
`ordering`  one order of rows, whatever order they came in
`working`   the blocks grouped one by one, and what lies badly grouped once more
"""

from shoal.engines.blocks.cutting import Axis, Cuts, blocks_for, cut
from shoal.engines.blocks.ordering import canonical_order
from shoal.engines.blocks.points import Points, mean_axes
from shoal.engines.blocks.working import (
    MOST_AGAIN,
    costly_above,
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
    "costly_above",
    "cut",
    "group_block",
    "group_in_blocks",
    "group_widths",
    "join_blocks",
    "mean_axes",
]
