"""Incognito: all minimal nodes, then the best of them."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._lattice import ROLES, TABLE, K, chosen, draw_lattice
from shoal.table import Table


def draw() -> str:
    """Draw the lattice with a line around every minimal node."""
    picture = Picture(
        "The minimal nodes of a lattice",
        "Incognito finds every minimal node, one that holds while no node below it does, and takes "
        "the best of them.",
        360,
    )
    method = shoal.Incognito(suppression_limit=0)
    table = Table.encode(TABLE, shoal.Schema(ROLES))
    found = [(each["age"], each["zip"]) for each in method.nodes(table, [shoal.KAnonymity(K)])]
    notes = [
        f"{len(found)} nodes are minimal (ringed):",
        "all below them fail, all above",
        "them hold anyway.",
    ]
    draw_lattice(picture, chosen(method), ringed=found, notes=notes)
    return picture.svg()
