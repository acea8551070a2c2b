"""Small tables that the checks try everything on."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from shoal.models import Private, Requirement
from shoal.table.hierarchies import Hierarchy
from shoal.table.schema import Schema, identifier, other, quasi, sensitive

_REGIONS = Hierarchy.from_dict(
    {
        "north": ["n1", "n2"],
        "far": {"east": ["n3", "n4"], "west": []},
        "south": ["s1", "s2"],
        "sea": [],
    }
)
SCHEMA = Schema(
    {
        "id": identifier(),
        "age": quasi(kind="numeric"),
        "region": quasi(hierarchy=_REGIONS),
        "sex": quasi(),
        "illness": sensitive(),
        "note": other(),
    }
)
"""A number, an uneven tree, a flat one; something to remove, to protect, to leave alone."""


def mixed(n: int, *, seed: int = 0, missing: float = 0.0) -> pl.DataFrame:
    """Make a table of ``SCHEMA`` with some cells missing."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "id": [f"person-{row}" for row in range(n)],
            "age": rng.integers(18, 90, n),
            "region": rng.choice(_REGIONS.leaves, n),
            "sex": rng.choice(["f", "m"], n),
            "illness": rng.choice([f"i{i}" for i in range(6)], n),
            "note": rng.integers(0, 5, n),
        }
    )
    for name in SCHEMA.quasi:
        emptied = pl.Series(rng.random(n) < missing)
        emptied[0] = False  # a column that is missing everywhere is an error of its own
        frame = frame.with_columns(frame[name].set(emptied, None))
    return frame


def equal_rows(n: int) -> pl.DataFrame:
    """Make a table whose quasi-identifiers are the same in every row."""
    return mixed(n).with_columns(age=pl.lit(40), region=pl.lit("n1"), sex=pl.lit("f"))


def with_wishes(
    frame: pl.DataFrame, schema: Schema, require: Iterable[Requirement]
) -> tuple[pl.DataFrame, Schema]:
    """Add the private columns that the examples of requirements read, with values in turn."""
    for each in require:
        for name, values in (
            type(each).private_examples().items() if isinstance(each, Private) else ()
        ):
            cells = [values[row % len(values)] for row in range(frame.height)]
            frame = frame.with_columns(pl.Series(name, cells, dtype=pl.String))
            schema = Schema(
                {**schema, name: identifier()},
                entity=schema.entity,
                linkage=schema.linkage,
                missing=schema.missing,
            )
    return frame, schema
