"""What missing cells cost, and nothing else."""

from __future__ import annotations

from io import StringIO

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli.missing import handled
from shoal.release.missing_cost import MissingCost


def release(frame: pl.DataFrame, method: str = "gaa-cp", **options: object) -> shoal.Release:
    return shoal.anonymize(
        frame, SCHEMA, require=[shoal.KAnonymity(6)], method=method, seed=1, **options
    )


@pytest.mark.parametrize("method", ["gaa-cp", "mondrian", "full-domain", "kaca"])
def test_generalization_is_no_cost_of_holes(method: str) -> None:
    made = release(mixed(120), method)
    assert MissingCost.of(made) == MissingCost(0, 0, 0.0)
    if method != "kaca":
        assert any(outcomes.starred or outcomes.generalized for outcomes in made.outcomes.values())


@pytest.mark.parametrize("seed", range(3))
def test_known_cells_beside_a_hole_are_counted(seed: int) -> None:
    made = release(mixed(90, seed=seed, missing=0.15))
    cost = made.missing_cost
    table, total = made.source, 0
    groups = made.grouping.labels[made.rows]
    for name in SCHEMA.quasi:
        tree = made.schema[name].hierarchy
        for group in np.unique(groups):
            mine = pl.Series(groups == group)
            values = table[name].gather(made.rows).filter(mine)
            known = values.drop_nulls()
            if not values.null_count() or known.is_empty():
                continue
            assert set(made.frame[name].filter(mine)) == {"*"}
            if name == "age" or _share_a_node(tree, known.cast(pl.String).to_list()):
                total += len(known)
    assert cost.cells == total > 0
    assert cost.share == total / (3 * 90)


def _share_a_node(tree: shoal.Hierarchy, values: list[str]) -> bool:
    """Say whether values meet below the root."""
    ways = []
    for value in values:
        node, way = tree.node(value), set()
        while node:
            way.add(node)
            node = int(tree.parent[node])
        ways.append(way)
    return bool(set.intersection(*ways))


def test_dropped_rows_and_starred_columns_are_costs() -> None:
    frame = mixed(120).with_columns(age=pl.when(pl.int_range(120) >= 12).then("age"))
    assert release(frame, missing="drop", suppression_limit=0.5).missing_cost == MissingCost(
        12, 0, 0.1
    )
    starred = release(frame, missing="suppress-column").missing_cost
    assert starred == MissingCost(0, 108, 108 / 360)


def test_the_terminal_says_what_holes_cost_and_no_more() -> None:
    out = Console(width=200, file=StringIO(), record=True)
    frame = mixed(120).with_columns(age=pl.when(pl.int_range(120) >= 12).then("age"))
    out.print(handled(release(frame, missing="drop", suppression_limit=0.5)))
    assert "Cost: 10.0% of all cells: 12 rows were dropped because of them." in out.export_text()
    out.print(handled(release(frame, "full-domain")))
    assert "Cost: nothing" in out.export_text()
