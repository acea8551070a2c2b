"""EBKC: gather what is near, merge what is small, cut what is large."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._plane import Plane
from docs.pictures.people import grouped
from shoal.methods.merging._boxes import make_boxes, telling_first
from shoal.methods.merging._scales import make_scales
from shoal.methods.merging.ebkc import _codes, _gather
from shoal.table import Table

METHOD = shoal.EBKC(delta=0.6)
TABLE = pl.DataFrame(
    {
        "age": [22, 24, 26, 28, 30, 31, 33, 55, 58, 61, 64],
        "height": [156, 163, 157, 168, 160, 172, 165, 180, 186, 179, 162],
    }
)


def draw() -> str:
    """Draw the clusters that are gathered, and the classes that they become."""
    picture = Picture(
        "EBKC on eleven people, k = 3",
        "EBKC gathers records that are near on average, merges clusters of fewer than k, and cuts "
        "those of more than 2k in the middle.",
        310,
    )
    gathered, labels = _gathered(), grouped(TABLE, METHOD, 3)
    picture.text(16, 24, "1. Gather within a distance", bold=True)
    first = Plane(picture, TABLE, 16, 46, 296, 210)
    first.hulls(gathered)
    first.dots(gathered)
    small = sum(1 for label in set(gathered) if gathered.count(label) < 3)
    large = sum(1 for label in set(gathered) if gathered.count(label) > 6)
    note = f"{len(set(gathered))} clusters: {small} smaller than k, {large} larger than 2k"
    picture.text(16, 298, note, size=12, colour="faint")
    picture.text(328, 24, "2. Merge small ones, 3. cut large ones", bold=True)
    done = Plane(picture, TABLE, 328, 46, 296, 210)
    done.boxes(labels)
    done.dots(labels)
    sizes = sorted({labels.count(label) for label in labels})
    note = f"{len(set(labels))} classes of {' and '.join(map(str, sizes))} people"
    picture.text(328, 298, note, size=12, colour="faint")
    return picture.svg()


def _gathered() -> list[int]:
    """Give the clusters after the first step of the method alone."""
    schema = shoal.Schema(dict.fromkeys(TABLE.columns, shoal.quasi()))
    columns = telling_first(Table.encode(TABLE, schema).quasi)
    n = len(TABLE)
    scales, limit = make_scales(columns, n, METHOD.delta, per=METHOD.per)
    boxes, order = make_boxes(columns, scales), np.arange(n)
    found, _ = _gather(columns, scales, boxes, _codes(columns), order, limit, lambda done: None)
    labels: list[int] = found.tolist()
    return labels
