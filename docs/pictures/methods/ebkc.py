"""EBKC: gather what is near, merge what is small, cut what is large."""

from __future__ import annotations

import numpy as np

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._plane import Plane
from docs.pictures.people import grouped, plane
from shoal.methods.merging._boxes import make_boxes, telling_first
from shoal.methods.merging._scales import make_scales
from shoal.methods.merging.ebkc import _codes, _gather
from shoal.table import Table

METHOD = shoal.EBKC(delta=0.35)


def draw() -> str:
    """Draw the clusters that are gathered, and the classes that they become."""
    picture = Picture(
        "EBKC on twelve people, k = 3",
        "EBKC gathers records that are near on average, merges clusters of fewer than k, and cuts "
        "those of more than 2k in the middle.",
        310,
    )
    table = plane()
    gathered, labels = _gathered(), grouped(table, METHOD, 3)
    picture.text(16, 24, "1. Gather within a distance", bold=True)
    first = Plane(picture, table, 16, 46, 296, 210)
    first.hulls(gathered)
    first.dots(gathered)
    small = sum(1 for label in set(gathered) if gathered.count(label) < 3)
    note = f"{len(set(gathered))} clusters, {small} of them smaller than k"
    picture.text(16, 298, note, size=12, colour="faint")
    picture.text(328, 24, "2. Merge small ones, 3. cut large ones", bold=True)
    done = Plane(picture, table, 328, 46, 296, 210)
    done.boxes(labels)
    done.dots(labels)
    sizes = sorted({labels.count(label) for label in labels})
    note = f"{len(set(labels))} classes of {' and '.join(map(str, sizes))} people"
    picture.text(328, 298, note, size=12, colour="faint")
    return picture.svg()


def _gathered() -> list[int]:
    """Give the clusters after the first step of the method alone."""
    schema = shoal.Schema(dict.fromkeys(plane().columns, shoal.quasi()))
    columns = telling_first(Table.encode(plane(), schema).quasi)
    n = len(plane())
    scales, limit = make_scales(columns, n, METHOD.delta, per=METHOD.per)
    boxes, order = make_boxes(columns, scales), np.arange(n)
    found, _ = _gather(columns, scales, boxes, _codes(columns), order, limit, lambda done: None)
    labels: list[int] = found.tolist()
    return labels
