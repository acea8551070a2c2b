"""Classes that grow record by record: the order in which records join, replayed step by step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._plane import Plane
from docs.pictures.people import grouped
from docs.pictures.style import class_colour
from shoal.methods._closeness import NearestRecords
from shoal.table import Table

__all__ = ["draw_growth", "growth"]


def growth(table: pl.DataFrame, method: Any, k: int) -> tuple[list[list[int]], list[int]]:
    """Replay how a method grows classes of k; gives each class in order, and all labels.

    It asks the method's own closeness who begins a class and who is nearest, and refuses to show
    steps that do not end in the classes that the method gives.
    """
    schema = shoal.Schema(dict.fromkeys(table.columns, shoal.quasi()))
    near = NearestRecords(
        method.closeness(Table.encode(table, schema), rng=np.random.default_rng(0))
    )
    left, classes = np.arange(len(table)), []
    while len(left) >= k:
        grown = [near.seed(left, np.ones(len(left), dtype=bool))]
        left = left[left != grown[0]]
        while len(grown) < k:
            grown.append(near.join(left, np.ones(len(left), dtype=bool)))
            left = left[left != grown[-1]]
        classes.append(grown)
    labels = grouped(table, method, k)
    _require_equal(classes, labels, left.tolist())
    return classes, labels


def draw_growth(
    picture: Picture,
    table: pl.DataFrame,
    method: Any,
    k: int,
    *,
    note: str,
    begin: int | None = None,
    far_from_class: bool = True,
) -> None:
    """Draw how the first class grows and where the next begins, then all classes.

    Parameters
    ----------
    note
        What the numbers of the steps mean.
    begin
        The record from which the first seed is the farthest, where there is one.
    far_from_class
        Whether the next seed is far from the class, not from the last record that joined.
    """
    classes, labels = growth(table, method, k)
    first, second = classes[0], classes[1]
    picture.text(16, 24, "One class grows, one record at a time", bold=True)
    steps = Plane(picture, table, 16, 46, 296, 210)
    points = steps.points
    picture.hull([points[row] for row in first], class_colour(labels[first[0]]))
    for row, follows in pairwise(first):
        picture.line(points[row], points[follows], colour="faint", width=1.2, gap=9, arrow=True)
    inside = [points[row] for row in first]
    middle = (sum(x for x, _ in inside) / k, sum(y for _, y in inside) / k)
    start = middle if far_from_class else points[first[-1]]
    picture.line(start, points[second[0]], colour="ink", dashed=True, gap=11, arrow=True)
    if begin is not None:
        picture.dot(points[begin], 9, fill=None, line="ink")
        picture.line(points[begin], points[first[0]], colour="ink", dashed=True, gap=11, arrow=True)
    colours = [own if row in first else -1 for row, own in enumerate(labels)]
    steps.dots(colours, {row: str(step) for step, row in enumerate(first, 1)})
    picture.text(16, 298, note, size=12, colour="faint")

    picture.text(328, 24, "All classes, as they are published", bold=True)
    done = Plane(picture, table, 328, 46, 296, 210)
    done.boxes(labels)
    done.dots(labels)
    picture.text(328, 298, "a class shows its ranges of age and height", size=12, colour="faint")


def _require_equal(
    classes: Sequence[Sequence[int]], labels: Sequence[int], left: Sequence[int]
) -> None:
    of_method = [
        {row for row, own in enumerate(labels) if own == label} - {*left}
        for label in range(max(labels) + 1)
    ]
    if sorted(map(sorted, classes)) != sorted(map(sorted, of_method)):
        raise ValueError(f"Steps give {classes}, and the method {of_method}.")
