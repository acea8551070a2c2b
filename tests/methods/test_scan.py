"""Small tables are scanned: the same labels as by the index, and no compiler."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.checks.methods import EvenRows
from shoal.methods.base import Method
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.tables import by_scan_and_by_index, tables

METHODS: list[Method] = [
    shoal.GAACP(),
    shoal.GAACP(distance="loss"),
    shoal.KMember(),
    shoal.KAIM(),
    shoal.KAIM(distance="equation-9"),
]


@settings(max_examples=examples(150), deadline=None)
@given(tables(), st.sampled_from(METHODS), st.integers(0, 99))
def test_the_same_draws_and_left_overs_with_further_requirements(
    case: tuple[Table, int, int], method: Method, seed: int
) -> None:
    table, k, _ = case
    require = [shoal.KAnonymity(k), EvenRows()]
    by_scan_and_by_index(
        lambda: method.group(table, require, rng=np.random.default_rng(seed)),
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_many_left_overs(method: Method, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 300
    frame = pl.DataFrame(
        {
            "x": pl.Series(
                [None if v < 2 else v for v in rng.integers(0, 40, n).tolist()], dtype=pl.Int64
            ),
            "y": rng.choice(["a", "b", "c", None], n),
            "s": ["often"] * 220 + rng.choice(["b", "c", "d"], 80).tolist(),
        }
    )
    tree = Hierarchy.from_dict({"P": {"a": [], "Q": ["b"]}, "c": []})
    schema = shoal.Schema(
        {"x": shoal.quasi(weight=0.3), "y": shoal.quasi(hierarchy=tree), "s": shoal.sensitive()}
    )
    table = Table.encode(frame, schema)
    require = [shoal.AlphaK(0.5, 4)]
    labels = by_scan_and_by_index(
        lambda: method.group(table, require, rng=np.random.default_rng(seed))
    )
    assert labels.count(-1) >= 100


def test_a_tree_of_many_leaves_costs_what_its_values_cost() -> None:
    tree = Hierarchy.from_dict({f"g{i}": [f"v{i}.{j}" for j in range(100)] for i in range(200)})
    values = np.random.default_rng(1).choice(tree.leaves, 400)
    schema = shoal.Schema({"v": shoal.quasi(hierarchy=tree)})
    table = Table.encode(pl.DataFrame({"v": values}), schema)
    by_scan_and_by_index(
        lambda: shoal.GAACP().group(table, [shoal.KAnonymity(3)], rng=np.random.default_rng(1))
    )


RUN = """
import sys
from pathlib import Path
import shoal
frame = shoal.datasets.adult().head(300)
plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
release = shoal.anonymize(frame, plan.schema_(), require=[shoal.KAnonymity(5)], method={method})
release.write(Path(sys.argv[1]) / "release")
print(*[name for name in ("numba", "scipy") if name in sys.modules])
"""


@pytest.mark.parametrize("method", ["GAACP", "KMember", "KAIM"])
def test_a_small_table_is_published_without_the_compiler(method: str, tmp_path: object) -> None:
    code = RUN.format(method=f"shoal.{method}(seed=1)")
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
