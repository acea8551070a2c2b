"""Datafly: always raise the column of most distinct cells."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._lattice import AGES, TABLE, ZIPS, Node, chosen, draw_lattice, losses


def draw() -> str:
    """Draw the lattice, and the way up that Datafly takes."""
    picture = Picture(
        "The way of Datafly through a lattice",
        "Datafly climbs from the bottom, each time one level in the column that shows most "
        "distinct cells, and stops at the first node that holds.",
        360,
    )
    best = chosen(shoal.Datafly(suppression_limit=0))
    path: list[Node] = [(0, 0)]
    while losses()[path[-1]] is None:
        age, zipped = path[-1]
        up = _distinct(AGES, "age", age) >= _distinct(ZIPS, "zip", zipped)
        path.append((age + 1, zipped) if up else (age, zipped + 1))
    if path[-1] != best:
        raise ValueError(f"The way ends at {path[-1]}, and Datafly at {best}.")
    optimum = losses()[chosen(shoal.FullDomain(suppression_limit=0))]
    notes = [
        "It stops at the first node that",
        f"holds, of loss {losses()[best]:.2f}. The best",
        f"has {optimum:.2f}.",
    ]
    draw_lattice(picture, best, path=path, ringed=path, notes=notes)
    return picture.svg()


def _distinct(builder: shoal.hierarchies.Builder, column: str, level: int) -> int:
    """Count the distinct cells of a column at a level."""
    texts = TABLE[column].cast(pl.String)
    tree = builder.build(texts)
    return len({int(node) for node in tree.at_level(level)[tree.codes(texts)]})
