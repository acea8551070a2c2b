"""Large tables in blocks: cut where values lie far apart, grouped at the same time, then mended.

`cutting`  which rows go together: a function of arrays
`working`  the blocks grouped one by one, and what lies badly grouped once more
"""

from shoal.blocks.cutting import Axis, blocks_for, cut
from shoal.blocks.working import group_block, group_in_blocks, join_blocks

__all__ = [
    "Axis",
    "blocks_for",
    "cut",
    "group_block",
    "group_in_blocks",
    "join_blocks",
]
