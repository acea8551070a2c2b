"""Bounds on shares in one table make no giant classes: auto mixes values, and refinement cuts."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import AlphaK, KAnonymity, LDiversity, LeveledAlphaK, LeveledGCA
from shoal.improve import Refinement, refine
from shoal.improve.running import LARGEST_IN_K
from shoal.publications.groups.grouping import Grouping
from shoal.steward.proposal import levels_by_rarity
from shoal.table import Table

ROWS, K = 1_000, 5


def leveled(frame: pl.DataFrame) -> LeveledAlphaK:
    """Levels as a drafted plan has them, and shares that are hard to hold near k."""
    counts = {value or "": count for value, count in frame["occupation"].value_counts().iter_rows()}
    levels = levels_by_rarity(counts)
    return LeveledAlphaK(levels, [0.2, 0.2, 0.25, 0.3, 0.3][: max(levels.values())], K)


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize("model", ["alpha", "alphas"])
def test_auto_makes_no_giants_and_loses_no_more_than_gca_refined(model, seed) -> None:
    frame = shoal.datasets.adult().head(ROWS)
    schema = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    require = [AlphaK(0.3, K) if model == "alpha" else leveled(frame)]
    auto = shoal.anonymize(frame, schema, require=require, method=shoal.Auto(seed=seed))
    assert auto.n_suppressed == 0
    assert auto.grouping.sizes.max() <= LARGEST_IN_K * K
    if model == "alphas":
        beside = shoal.anonymize(
            frame,
            schema,
            require=require,
            method=LeveledGCA(within="nearest", seed=seed),
            publication="generalized",
            refine={"times": 1},
        )
        assert auto.measures["iloss"] <= 1.02 * beside.measures["iloss"]


@pytest.mark.parametrize(
    "further",
    [
        AlphaK(0.6, K, column="marital-status"),
        LDiversity(3, column="occupation"),
        KAnonymity(K + 3),
    ],
    ids=["another-column", "diversity", "a-larger-k"],
)
def test_auto_makes_no_giants_where_more_than_shares_of_one_column_is_required(further) -> None:
    frame = shoal.datasets.adult().head(2 * ROWS)
    schema = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    schema = shoal.Schema({**schema, "marital-status": shoal.sensitive()})
    require = [AlphaK(0.25, K, column="occupation"), further]
    auto = shoal.anonymize(
        frame,
        schema,
        require=require,
        method=shoal.Auto(seed=1),
        bound=None,
        refine={"times": 0.05},
    )
    assert auto.n_suppressed == 0
    assert auto.grouping.sizes.max() <= LARGEST_IN_K * (K + 3)


@pytest.mark.parametrize(
    "need",
    [
        AlphaK(0.48, K, value=">50K"),
        AlphaK(0.8, K),
        LeveledAlphaK({">50K": 1, "<=50K": 2}, [0.3, 1], K),
    ],
    ids=["one-value", "two-values", "levels"],
)
@pytest.mark.parametrize("entity", [None, "who"])
def test_auto_makes_no_giants_of_a_column_of_two_values(need, entity) -> None:
    frame = shoal.datasets.adult().head(2 * ROWS).with_columns(who=pl.int_range(2 * ROWS) // 2)
    schema = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    schema = shoal.Schema(
        {
            **schema,
            "occupation": shoal.identifier(),
            "salary-class": shoal.sensitive(),
            "who": shoal.identifier(),
        },
        entity=entity,
    )
    auto = shoal.anonymize(
        frame, schema, require=need, method=shoal.Auto(seed=1), bound=None, refine={"times": 0.05}
    )
    assert auto.n_suppressed == 0
    assert auto.grouping.sizes.max() <= LARGEST_IN_K * 2 * K


def test_what_holds_is_cut_off_a_giant_though_a_piece_fails() -> None:
    # The eldest have one illness: pieces of them fail, all others hold.
    ill = [str(i % 7) if i < 850 else "same" for i in range(900)]
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    table = Table.encode(pl.DataFrame({"age": np.arange(900) / 9, "ill": ill}), schema)
    require = [AlphaK(0.5, 5).bind(schema)]
    start = Grouping(np.zeros(table.n_rows, dtype=np.int32))
    made = refine(table, start, require, Refinement(steps=1), rng=np.random.default_rng(1))
    assert made.grouping.n_groups > 60  # 33 where one failing piece left all as they were
    assert np.median(made.grouping.sizes) <= 20
