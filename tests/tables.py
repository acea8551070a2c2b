"""Tables to try methods on, and helpers that their tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import strategies as st

import shoal
from shoal.methods import METHODS, Method
from shoal.methods.clustering import _greedy
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy

ROOT = Path(__file__).parents[1]


def parents(tree: Hierarchy) -> dict[str, str | None]:
    """A tree as a map from each label to the one above it, as slow twins want it."""
    return {
        label: None if parent < 0 else tree.labels[parent]
        for label, parent in zip(tree.labels, tree.parent.tolist(), strict=True)
    }


def run_without_jit(script: str) -> str:
    """Run a script with the compiler off, and give what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", script],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def by_scan_and_by_index(group: Callable[[], Grouping]) -> list[int]:
    """Group with both engines of the greedy methods; give the labels, which must be the same."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for limit in (0, 2**62):
            patch.setattr(_greedy, "SCANNED_CELLS", limit)
            patch.setattr(_greedy, "SCANNED_COSTS", limit)
            found.append(group().labels.tolist())
    assert found[0] == found[1]
    return found[0]


def adult_table(rows: int, seed: int, *, uneven: bool = False) -> Table:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    schema = plan.schema_()
    if uneven:
        tree = Hierarchy.from_dict(
            {
                "Paid": {
                    "Private": [],
                    "Public": {"Federal-gov": [], "Lower": ["State-gov", "Local-gov"]},
                    "Self": ["Self-emp-not-inc", "Self-emp-inc"],
                },
                "Without-pay": [],
                "Never-worked": [],
            }
        )
        schema = schema.with_column("workclass", hierarchy=tree)
        tree = Hierarchy.from_dict(
            {
                "White": [],
                "Rest": {"Black": [], "Fewer": ["Asian-Pac-Islander", "Amer-Indian-Eskimo"]},
                "Other": [],
            }
        )
        schema = schema.with_column("race", hierarchy=tree)
    frame = shoal.datasets.adult().sample(rows, seed=seed, shuffle=True)
    return Table.encode(frame, schema)


@st.composite
def trees(draw: st.DrawFn, prefix: str = "") -> dict[str, object]:
    """A tree of uneven depth with unique labels."""
    return {
        f"{prefix}{i}": draw(trees(prefix=f"{prefix}{i}."))
        if len(prefix) < 4 and draw(st.booleans())
        else {}
        for i in range(draw(st.integers(1, 3)))
    }


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, int, int]:
    n = draw(st.integers(2, 24))
    columns, frame = {}, {}
    for j in range(draw(st.integers(1, 3))):
        weight = draw(st.sampled_from([1.0, 2.0, 0.3]))
        if draw(st.booleans()):
            cell = st.one_of(st.none(), st.integers(-5, 20))
            values = draw(st.lists(cell, min_size=n, max_size=n))
            column = shoal.quasi(kind="numeric", weight=weight)
        else:
            tree = Hierarchy.from_dict(draw(trees()))
            cell = st.one_of(st.none(), st.sampled_from(tree.leaves))
            values = draw(st.lists(cell, min_size=n, max_size=n))
            column = shoal.quasi(hierarchy=tree, weight=weight)
        if all(v is None for v in values):
            values[0] = 3 if column.kind == "numeric" else tree.leaves[0]
        columns[f"c{j}"] = column
        frame[f"c{j}"] = pl.Series(
            values, dtype=pl.Int64 if column.kind == "numeric" else pl.String
        )
    entity = None
    if draw(st.booleans()):
        entity = "who"
        columns["who"] = shoal.identifier()
        frame["who"] = draw(st.lists(st.integers(0, n), min_size=n, max_size=n))
    table = Table.encode(pl.DataFrame(frame), shoal.Schema(columns, entity=entity))
    persons = n if table.people is None else len(set(table.people.tolist()))
    k = draw(st.integers(2, max(2, min(persons, 7))))
    return table, min(k, persons), draw(st.integers(0, n - 1))


def large_table(seed: int) -> tuple[Table, int, int]:
    """A table of several hundred rows: the index has levels, gets sparse, and is packed."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(150, 450))
    columns, frame = {}, {}
    for j in range(int(rng.integers(1, 6))):
        weight = float(rng.choice([1.0, 1.0, 2.0, 0.3]))
        holes = rng.random(n) < rng.choice([0.0, 0.0, 0.1, 0.5])
        holes[0] = False
        if rng.random() < 0.4:
            values = rng.integers(-50, rng.choice([-45, 0, 100_000]), n).tolist()
            columns[f"c{j}"] = shoal.quasi(kind="numeric", weight=weight)
        else:
            tree = Hierarchy.from_dict(random_tree(rng))
            # Few values in some columns, so that rows repeat.
            values = rng.choice(
                tree.leaves[: int(rng.integers(1, len(tree.leaves) + 1))], n
            ).tolist()
            columns[f"c{j}"] = shoal.quasi(hierarchy=tree, weight=weight)
        frame[f"c{j}"] = [
            None if hole else value for value, hole in zip(values, holes, strict=True)
        ]
    table = Table.encode(pl.DataFrame(frame), shoal.Schema(columns))
    return table, int(rng.choice([2, 3, 5, 11])), int(rng.integers(n))


def random_tree(rng: np.random.Generator, prefix: str = "") -> dict[str, object]:
    """A tree of uneven depth with unique labels."""
    deep = len(prefix) < 6
    return {
        f"{prefix}{i}": random_tree(rng, f"{prefix}{i}.") if deep and rng.random() < 0.6 else {}
        for i in range(int(rng.integers(1, 5)))
    }


def repeated_table(seed: int) -> tuple[Table, int, int]:
    """A table of few distinct records, each many times: seeds go back and forth."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(200, 500))
    tree = Hierarchy.from_dict({"P": ["a", "b"], "Q": {"R": ["c", "d"]}, "e": []})
    words = [
        None if hole else str(word)
        for word, hole in zip(
            rng.choice(tree.leaves, n), rng.random(n) < rng.choice([0.0, 0.1]), strict=True
        )
    ]
    frame = pl.DataFrame({"x": rng.integers(0, rng.choice([2, 4]), n), "y": ["a", *words[1:]]})
    columns = {"x": shoal.quasi(), "y": shoal.quasi(hierarchy=tree)}
    return Table.encode(frame, shoal.Schema(columns)), int(rng.choice([2, 3, 5])), 0


def carriers(requirement: str) -> list[type[Method]]:
    """List the methods that can hold a requirement."""
    return [
        each for each in METHODS.values() if each.carries is None or requirement in each.carries
    ]


def seeded(kind: type[Method], seed: int = 1, **options: Any) -> Method:
    """Make a method, with a seed if it draws."""
    return kind(**options, **({"seed": seed} if kind.draws() else {}))
