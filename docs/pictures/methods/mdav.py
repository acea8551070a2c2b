"""MDAV: groups of k around the records that lie farthest out, and their means."""

from __future__ import annotations

import numpy as np

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._plane import Plane
from docs.pictures.people import plane
from docs.pictures.style import class_colour

K = 3


def draw() -> str:
    """Draw the mean, the two far records with their groups, then the published centres."""
    picture = Picture(
        "MDAV on twelve people, k = 3",
        "MDAV takes the record farthest from the mean with its nearest ones as a group, then the "
        "record farthest from that one, and publishes the mean of each group.",
        310,
    )
    table = plane()
    release = shoal.anonymize(table, quasi=table.columns, require=K, method=shoal.MDAV())
    labels = release.grouping.labels.tolist()
    mean, r, s = _far(table.to_numpy(), labels)

    picture.text(16, 24, "Far records open groups", bold=True)
    steps = Plane(picture, table, 16, 46, 296, 210)
    points = steps.points
    opened = (labels[r], labels[s])
    steps.hulls([own if own in opened else -1 for own in labels])
    centre = steps.at(*mean)
    steps.cross(centre)
    picture.line(centre, points[r], colour="ink", dashed=True, gap=12, arrow=True)
    picture.line(points[r], points[s], colour="ink", dashed=True, gap=12, arrow=True)
    steps.dots([own if own in opened else -1 for own in labels], {r: "r", s: "s"})
    note = "r: farthest from the mean (+), s: from r"
    picture.text(16, 298, note, size=12, colour="faint")

    picture.text(328, 24, "Each group shows its mean", bold=True)
    done = Plane(picture, table, 328, 46, 296, 210)
    centres = [done.at(float(age), float(height)) for age, height in release.table.rows()]
    for point, middle, own in zip(done.points, centres, labels, strict=True):
        picture.line(point, middle, colour=class_colour(own), width=1.5)
    done.dots(labels)
    for middle in sorted(set(centres)):
        done.cross(middle)
    picture.text(328, 298, "+ is published for every member", size=12, colour="faint")
    return picture.svg()


def _far(cells: np.ndarray, labels: list[int]) -> tuple[tuple[float, float], int, int]:
    """Find the mean, the record farthest from it, and the one farthest from that of those left."""
    scaled = cells / cells.std(axis=0)
    r = int(((scaled - scaled.mean(axis=0)) ** 2).sum(axis=1).argmax())
    left = np.array(labels) != labels[r]
    s = int(np.where(left, ((scaled - scaled[r]) ** 2).sum(axis=1), -1).argmax())
    for row in (r, s):
        near = ((scaled - scaled[row]) ** 2).sum(axis=1)
        near[(np.array(labels) == labels[r]) & (row == s)] = np.inf
        if {*near.argsort(kind="stable")[:K].tolist()} != {
            each for each, own in enumerate(labels) if own == labels[row]
        }:
            raise ValueError("The group of a far record is not that of its nearest ones.")
    middle = cells.mean(axis=0)
    return (float(middle[0]), float(middle[1])), r, s
