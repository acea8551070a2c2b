"""tree: groups by meaning."""

from __future__ import annotations

import json

import polars as pl

from docs.pictures.hierarchies._built import built
from shoal.table.hierarchies import Tree

GROUPS = {"married": ["civil", "church"], "single": []}


def draw() -> str:
    """Draw nested groups, and the tree of uneven depth that they make."""
    return built(
        "The builder tree",
        "Tree takes nested groups as you write them, named by their meaning, and branches may be "
        "of different depth.",
        [f"{json.dumps(name)}: {json.dumps(values)}" for name, values in GROUPS.items()],
        Tree(GROUPS).build(pl.Series(["civil"])),
        head="Nested groups",
        step=48,
    )
