"""64 quasi-identifiers and more, which are more than a machine word has bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import ParameterError
from shoal.kernels.lattice.roll_up import LevelCells
from shoal.methods import METHODS
from shoal.methods.lattice._subtuples import SubTupleNumbers
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.tables import seeded

TREE = Hierarchy.from_dict(
    {f"{i}": {f"{i}{k}": [f"{i}{k}{m}" for m in range(4)] for k in range(3)} for i in range(4)}
)
GROWING = [shoal.GAACP(picks="first"), shoal.KMember(picks="first"), shoal.KAIM(picks="first")]


def labels(table: Table, method: shoal.Method) -> list[int]:
    found = method.group(table, [shoal.KAnonymity(4)], rng=np.random.default_rng(0))
    return found.labels.tolist()


@pytest.mark.parametrize("method", GROWING, ids=lambda method: method.name)
def test_columns_that_tell_nothing_change_nothing(method: shoal.Method) -> None:
    """Two pairs of columns lie 64 apart, so that their bits in a word would be the same ones."""
    for seed in (3, 9, 33, 36):
        rng = np.random.default_rng(seed)
        n, told = 200, (0, 1, 64, 65)
        cells: dict[str, Any] = {f"c{j}": ["x"] * n for j in range(66)}
        columns = {name: shoal.quasi() for name in cells}
        for j in told:
            holes = rng.random(n) < rng.choice([0.05, 0.2, 0.5])
            holes[0] = False
            drawn = zip(rng.choice(TREE.leaves, n), holes, strict=True)
            cells[f"c{j}"] = [None if hole else str(value) for value, hole in drawn]
            columns[f"c{j}"] = shoal.quasi(hierarchy=TREE)
        few = {f"c{j}": columns[f"c{j}"] for j in told}
        frame = pl.DataFrame(cells)
        wide = Table.encode(frame, shoal.Schema(columns))
        narrow = Table.encode(frame.select(*few), shoal.Schema(few))
        assert labels(wide, method) == labels(narrow, method), seed


def people(width: int) -> tuple[pl.DataFrame, shoal.Schema]:
    """Pairs of people who are nearly alike, known by many columns, some cells missing."""
    rng = np.random.default_rng(width)
    base = np.repeat(rng.integers(0, 4, (10, width)), 2, axis=0)
    base = np.where(rng.random(base.shape) < 0.05, rng.integers(0, 4, base.shape), base)
    holes = np.repeat(rng.random((10, width)) < 0.005, 2, axis=0)
    holes[:, -2:] = False
    cells: dict[str, Any] = {}
    for j in range(width):
        values = [
            None if hole else v for v, hole in zip(base[:, j].tolist(), holes[:, j], strict=True)
        ]
        cells[f"c{j}"] = values if j % 2 else pl.Series(values).cast(pl.String)
    cells["ill"] = ["flu", "HIV"] * 10
    columns = {f"c{j}": shoal.quasi() for j in range(width)}
    levels = {"flu": 2, "HIV": 1}
    return pl.DataFrame(cells), shoal.Schema({**columns, "ill": shoal.sensitive(levels=levels)})


NEEDS: dict[str, shoal.Requirement] = {
    **dict.fromkeys(("gca", "anatomy"), shoal.AlphaK(0.5, 2)),
    "leveled-gca": shoal.LeveledAlphaK(None, [0.5, 0.5], 2),
    **dict.fromkeys(
        ("micd", "decomposition", "decomposition-plus"), shoal.MultiLDiversity({"ill": 2})
    ),
}
SEARCHING = {"incognito": "time_limit", "samarati": "time_limit", "local-recoding": "mondrian"}
"""Methods that look at all nodes of a lattice, and what they offer where these are too many."""


@pytest.mark.parametrize(
    ("name", "width"),
    [
        *((name, 65) for name in METHODS if name not in SEARCHING),
        *(("gaa-cp", width) for width in (63, 64, 130)),
        *(("full-domain", width) for width in (63, 64)),
        ("micd", 64),
        ("leveled-gca", 64),
        ("top-down", 64),
    ],
)
def test_every_method_publishes(name: str, width: int, tmp_path: Path) -> None:
    frame, schema = people(width)
    options = {"time_limit": 0.2, "suppression_limit": 1.0} if name == "full-domain" else {}
    made = shoal.anonymize(
        frame,
        schema,
        require=[NEEDS.get(name, shoal.KAnonymity(2))],
        method=seeded(METHODS[name], **options),
        missing=("keep", "drop", "suppress-column")[width % 3],
        suppression_limit=1.0,
    )
    assert sum(pattern.rows for pattern in made.missingness.patterns) == frame.height
    assert all(f"c{j}" in made.table.columns for j in range(width))
    if width == 65:
        assert (made.write(tmp_path / "out") / "report.html").is_file()


@pytest.mark.parametrize("name", [*SEARCHING, "full-domain"])
def test_a_search_that_would_never_end_is_refused(name: str) -> None:
    frame, schema = people(64)
    with pytest.raises(ParameterError, match=r"The lattice has about 10\^\d+ nodes") as caught:
        shoal.anonymize(frame, schema, require=[shoal.KAnonymity(2)], method=METHODS[name]())
    assert SEARCHING.get(name, "time_limit") in caught.value.hint


def test_tuples_are_numbered_by_thousands_of_columns() -> None:
    """Column by column, not one call inside the other, of which Python allows a thousand."""
    width = 3300
    codes = np.zeros((width, 3), dtype=np.int32)
    codes[-1] = [0, 1, 0]
    every = np.arange(width, dtype=np.int64)
    up = np.tile(np.array([0, 1, 2, 0, 0, 0], dtype=np.int32), width)
    wide = np.full(width, 3, dtype=np.int64)
    level_cells = LevelCells(codes, up, 6 * every, wide, np.tile(np.array([3, 1]), (width, 1)))
    first, second, third = SubTupleNumbers(level_cells, (1,) * width).at((0,) * width)
    assert (first.size, second.size) == (1, 1)
    assert third.number.tolist() == [0, 1, 0]
