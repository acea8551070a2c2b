"""Large tables in blocks: cut where values lie far apart, grouped at the same time, then mended.

`cutting`  where to cut: a function of points and how many rows lie at each
`points`   the points of a table, and one order of rows, whatever order they came in
`working`  the blocks grouped one by one, and what lies badly grouped once more
"""
