"""Ways to cut a part in two or more, one attribute at a time (Mondrian's cuts).

The rows of a part lie side by side. A cut gives each of them the number of a segment; nothing is
moved before the cut is taken. Codes of numbers ascend with the numbers, codes of categories follow
the tree, and a missing cell has the largest code.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.compiled import compiled_with_arrays

MISSING, NEARER, FARTHER, HALVES, CHILDREN = range(5)
CUTS = 5
"""Ways to cut, in the order in which they are tried: missing cells from known ones; beside the
median number, where the sides are more even, or on its other side; in the middle, records of the
median going to both sides; a node into its children."""

REST = 0
"""The segment of what goes to no child."""


class Attributes(NamedTuple):
    """The quasi-identifiers, laid end to end."""

    codes: Small
    """Per row and attribute: the code of its cell."""
    missing: Ints
    """Per attribute: the code of a missing cell."""
    numeric: Bools
    """Per attribute: whether it is cut at numbers; else at nodes of its tree."""
    whole: Ints
    """Per attribute: how wide ``*`` is."""
    start: Ints
    """Per attribute: where its codes begin in ``place``."""
    place: Ints
    """Per code: where on its scale a number lies, or the leaf of a category."""
    parent: Small
    """Per node: the one above it."""
    last: Small
    """Per node: the code of the last leaf below it."""
    span: Ints
    """Per node: how wide it is."""
    depth: Small
    """Per node: its edges from the root."""
    path: Small
    """Per node and depth: the node above it at that depth; itself at its own and below."""


class Segments(NamedTuple):
    """What a part is cut into.

    A part that begins at row b has its segments from 2b on: there may be one more than it has
    rows.
    """

    segment: Small
    """Per row of a part: the number of its segment, from 0 on."""
    size: Ints
    """Per segment: its rows."""
    child: Small
    """Per segment: the node that it goes to."""
    slot: Small
    """Per node: its segment while a part is being cut, −1 otherwise."""
    scratch: Small
    """Room for a number per row, or per segment, of a part."""


@compiled_with_arrays
def _lowest_common(attributes: Attributes, j: int, lo: int, hi: int) -> int:
    """Find the lowest node above two leaves."""
    node = attributes.place[attributes.start[j] + lo]
    while attributes.last[node] < hi:
        node = attributes.parent[node]
    return node


@compiled_with_arrays
def width(attributes: Attributes, j: int, lo: int, hi: int, mixed: bool) -> int:
    """How wide cells from one known code to another are; mixed with missing ones, they show ``*``.

    Without a known cell, ``lo`` is above ``hi``.
    """
    if lo > hi:
        return 0
    if mixed:
        return attributes.whole[j]
    if attributes.numeric[j]:
        start = attributes.start[j]
        return attributes.place[start + hi] - attributes.place[start + lo]
    return attributes.span[_lowest_common(attributes, j, lo, hi)]


@compiled_with_arrays
def _select(values: Small, wanted: int) -> int:
    """Find the value that would stand at a place if all were sorted; they are moved about."""
    lo, hi = 0, len(values) - 1
    while lo < hi:
        pivot = values[(lo + hi) // 2]
        i, j = lo, hi
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if wanted <= j:
            hi = j
        elif wanted >= i:
            lo = i
        else:
            break
    return values[wanted]


@compiled_with_arrays
def lay(attributes: Attributes, made: Segments, rows: Ints, begin: int, j: int, cut: int) -> int:
    """Cut a part on an attribute in one of the ways; give the number of segments.

    0 if that way does not apply, or if a side would be empty.
    """
    if attributes.numeric[j]:
        if cut == CHILDREN:
            return 0
    elif cut in (NEARER, FARTHER, HALVES):
        return 0
    if cut == CHILDREN:
        return _lay_children(attributes, made, rows, begin, j)
    n, missing = len(rows), attributes.missing[j]
    segment = made.segment[begin : begin + n]
    if cut == MISSING:
        left = 0
        for i in range(n):
            segment[i] = attributes.codes[rows[i], j] == missing
            left += segment[i] == 0
    else:
        left = _lay_numbers(attributes, made, rows, begin, j, cut)
    made.size[2 * begin], made.size[2 * begin + 1] = left, n - left
    return 2 if 0 < left < n else 0


@compiled_with_arrays
def _lay_numbers(
    attributes: Attributes, made: Segments, rows: Ints, begin: int, j: int, cut: int
) -> int:
    """Cut at the median; give the number of rows on the left."""
    n = len(rows)
    segment, codes = made.segment[begin : begin + n], made.scratch[:n]
    for i in range(n):
        codes[i] = attributes.codes[rows[i], j]
    median = _select(codes, n // 2)
    below, upto = 0, 0
    for i in range(n):
        below += codes[i] < median
        upto += codes[i] <= median
    # As in the paper, the median goes to the left where both cuts are as even.
    above_is_nearer = abs(2 * upto - n) <= abs(2 * below - n)
    left = upto if above_is_nearer == (cut == NEARER) else below
    ties = left - below
    if cut == HALVES:
        ties = n // 2 - below
        left = n // 2
    for i in range(n):
        code = attributes.codes[rows[i], j]
        if code == median:
            segment[i] = ties <= 0
            ties -= 1
        else:
            segment[i] = code > median
    return left


@compiled_with_arrays
def _lay_children(attributes: Attributes, made: Segments, rows: Ints, begin: int, j: int) -> int:
    """Cut the lowest common node into its children; missing cells are the rest."""
    n, missing, start = len(rows), attributes.missing[j], attributes.start[j]
    segment, first = made.segment[begin : begin + n], 2 * begin
    lo, hi = missing, -1
    for i in range(n):
        code = attributes.codes[rows[i], j]
        if code != missing:
            lo, hi = min(lo, code), max(hi, code)
    if lo >= hi:
        return 0
    below = attributes.depth[_lowest_common(attributes, j, lo, hi)] + 1
    made.size[first] = 0
    segments = 1
    for i in range(n):
        code = attributes.codes[rows[i], j]
        if code == missing:
            segment[i] = REST
            made.size[first] += 1
            continue
        node = attributes.path[attributes.place[start + code], below]
        if made.slot[node] < 0:
            made.slot[node] = segments
            made.child[first + segments] = node
            made.size[first + segments] = 0
            segments += 1
        segment[i] = made.slot[node]
        made.size[first + segment[i]] += 1
    for s in range(1, segments):
        made.slot[made.child[first + s]] = -1
    return segments
