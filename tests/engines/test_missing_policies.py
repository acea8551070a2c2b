"""What becomes of missing quasi-identifiers: kept, dropped, or their columns suppressed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import InfeasibleError, InputError

REQUIRE = [shoal.KAnonymity(3)]


def release(frame: pl.DataFrame, policy: str, **options: Any) -> shoal.Release:
    options = {"require": REQUIRE, "method": shoal.GAACP(seed=1), **options}
    return shoal.anonymize(frame, options.pop("schema", SCHEMA), missing=policy, **options)


def holey(n: int = 100, *columns: str) -> pl.DataFrame:
    """A table with holes in some columns."""
    full, frame = mixed(n), mixed(n, missing=0.1)
    return full.with_columns(frame[name] for name in columns or ("age", "region"))


def test_columns_with_holes_are_suppressed() -> None:
    frame = holey()
    made = release(frame, "suppress-column")
    assert made.suppressed_columns == ("age", "region")
    assert made.frame.height == 100
    assert set(made.frame["age"]) == set(made.frame["region"]) == {"*"}
    assert made.frame["sex"].to_list() == frame["sex"].to_list()
    known = 200 - frame.select("age", "region").null_count().sum_horizontal().item()
    assert made.measures["iloss"] == known
    assert made.measures["starred_rate"] == pytest.approx(known / 300)
    assert made.measures["iloss_rate"] == pytest.approx(known / 300)
    again = shoal.measures.iloss_rate(frame, made.table, SCHEMA)
    assert again == pytest.approx(made.measures["iloss_rate"])


def test_groups_go_by_the_other_columns_only() -> None:
    frame = holey(100, "age")
    made = release(frame, "suppress-column")
    alone = shoal.Schema({**SCHEMA, "age": shoal.identifier()})
    other = release(frame, "keep", schema=alone)
    assert made.grouping.labels.tolist() == other.grouping.labels.tolist()


def test_without_holes_the_policies_agree() -> None:
    made = [release(mixed(60), policy) for policy in ("keep", "drop", "suppress-column")]
    assert made[0].frame.equals(made[1].frame)
    assert made[0].frame.equals(made[2].frame)
    assert {each.facts()["missing"]["done"] for each in made} == {
        "No quasi-identifier has a missing cell."
    }


def test_a_table_whose_columns_all_have_holes_cannot_be_suppressed() -> None:
    with pytest.raises(InfeasibleError, match="All 3 quasi-identifiers have missing") as caught:
        release(mixed(60, missing=0.2), "suppress-column")
    assert '"keep" or "drop"' in caught.value.hint


def test_rows_that_are_all_incomplete_cannot_be_dropped() -> None:
    frame = mixed(9).with_columns(
        age=pl.when(pl.int_range(9) % 2 == 0).then(pl.col("age")),
        region=pl.when(pl.int_range(9) % 2 == 1).then(pl.col("region")),
    )
    with pytest.raises(InfeasibleError, match=r"All 9 rows") as caught:
        release(frame, "drop")
    assert "suppress-column" in caught.value.hint


@pytest.mark.parametrize("name", SCHEMA.quasi)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_column_that_is_missing_everywhere(tmp_path: Path, name: str, kind: str) -> None:
    frame = mixed(40)
    frame = frame.with_columns(pl.lit(None, dtype=frame[name].dtype).alias(name))
    for policy in ("keep", "drop"):
        with pytest.raises(InputError, match=f"'{name}' is missing in every row") as caught:
            release(frame, policy)
        assert "identifier" in caught.value.hint
        assert "suppress-column" in caught.value.hint
    made = release(frame, "suppress-column")
    assert made.suppressed_columns == (name,)
    assert made.measures["starred_rate"] == sum(f.starred for f in made.outcomes.values()) / 120
    assert made.outcomes[name].starred == 0
    assert made.outcomes[name].already_missing == 40
    assert made.facts()["missing"]["columns"][name] == {"missing": 40, "share": 1.0}
    folder = made.write(tmp_path / "out", format=kind)
    frame.write_parquet(tmp_path / "in.parquet")
    # The private plan repeats it, and anyone with the original can measure it.
    plan = shoal.Plan.read(tmp_path / "out.private" / "plan.toml")
    again = shoal.anonymize(tmp_path / "in.parquet", plan)
    assert again.frame.equals(made.frame)
    assert again.measures == made.measures
    assert (folder / "release.json").is_file()


def test_a_row_that_is_missing_everywhere_is_kept() -> None:
    frame = mixed(30).with_columns(
        pl.when(pl.int_range(30) != 4).then(pl.col(name)).alias(name) for name in SCHEMA.quasi
    )
    made = release(frame, "keep")
    assert made.frame.height == 30
    assert made.frame.select(SCHEMA.quasi).row(4) == ("*", "*", "*")
    assert made.missingness.patterns[-1].columns == tuple(SCHEMA.quasi)
    assert release(frame, "drop").n_dropped == 1


def test_a_missing_entity_is_refused() -> None:
    frame = mixed(30).with_columns(id=pl.when(pl.int_range(30) > 1).then(pl.col("id")))
    schema = shoal.Schema(dict(SCHEMA), entity="id")
    for policy in ("keep", "drop", "suppress-column"):
        with pytest.raises(InputError, match="'id' is missing in 2 rows"):
            release(frame, policy, schema=schema)


TOKENS = pl.DataFrame({"land": ["NA", "NA", "?", "?", "DE", "DE"], "n": [1, 1, 1, 1, 1, 1]})


@pytest.mark.parametrize(
    ("tokens", "missing"),
    [(None, 0), ([], 0), (["NA"], 2), (["NA", "?"], 4), ("NA", 2), (["", "*"], 0)],
)
def test_the_tokens_that_were_named_are_the_only_ones(tokens: Any, missing: int) -> None:
    schema = shoal.Schema({"land": shoal.quasi(missing=tokens), "n": shoal.quasi()})
    made = shoal.anonymize(TOKENS, schema, require=[shoal.KAnonymity(2)])
    assert made.missingness.columns["land"] == missing
    assert made.frame["land"].to_list().count("*") == missing


def test_an_empty_list_of_tokens_makes_every_text_a_value() -> None:
    frame = pl.DataFrame({"land": ["", "", "x", "x"], "n": [1, 1, 1, 1]})
    schema = shoal.Schema({"land": shoal.quasi(missing=[]), "n": shoal.quasi()})
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(2)])
    assert made.missingness.cells == 0
    assert made.frame["land"].to_list() == ["", "", "x", "x"]
    nulls = frame.with_columns(land=pl.Series([None, None, "x", "x"]))
    made = shoal.anonymize(nulls, schema, require=[shoal.KAnonymity(2)])
    assert made.missingness.columns == {"land": 2, "n": 0}  # a null is always missing


def test_a_star_that_is_declared_a_value_is_refused() -> None:
    """It could not be told from a missing cell once it is published."""
    frame = pl.DataFrame({"land": ["*", "*", "x", "x"]})
    schema = shoal.Schema({"land": shoal.quasi(missing=[])})
    with pytest.raises(shoal.errors.HierarchyError, match="'land'"):
        shoal.anonymize(frame, schema, require=[shoal.KAnonymity(2)])


def test_a_missing_sensitive_value_is_a_value_of_its_own() -> None:
    frame = mixed(30).with_columns(illness=pl.when(pl.int_range(30) > 9).then(pl.col("illness")))
    made = release(frame, "keep")
    said = made.facts()["missing"]["sensitive"]["illness"]
    assert said == {
        "missing": 10,
        "rule": "A missing sensitive value counts as a separate value.",
    }
    assert made.frame["illness"].null_count() == 10
    assert made.verification.passed


def _wide(seed: int) -> pl.DataFrame:
    """A small table whose extreme numbers are often in rows that are dropped."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 30))
    pay = rng.lognormal(3, 1, n).round(int(rng.integers(0, 3)))
    pay[: int(rng.integers(1, 4))] *= 20
    holes = rng.random(n) < 0.1
    holes[0] = True
    return pl.DataFrame(
        {
            "pay": pay,
            "sex": pl.Series([None if hole else "mf"[i % 2] for i, hole in enumerate(holes)]),
            "ill": rng.choice(["flu", "HIV", "gout"], n),
        }
    )


WIDE = shoal.Schema({"pay": shoal.quasi(), "sex": shoal.quasi(), "ill": shoal.sensitive()})


@pytest.mark.parametrize(
    "method",
    [
        shoal.FullDomain(),
        shoal.Incognito(),
        shoal.Samarati(),
        shoal.Datafly(),
    ],
    ids=lambda method: method.name,
)
def test_cells_cover_what_is_left_when_rows_are_dropped(method: shoal.Method) -> None:
    """Groups are found in the tree of numbers that cells are published from."""
    for seed in range(75):
        frame = _wide(seed)
        made = release(
            frame,
            "drop",
            schema=WIDE,
            method=method,
            require=[shoal.KAnonymity(2)],
            suppression_limit=1.0,
        )
        proof = shoal.verify(
            made.frame, WIDE, [shoal.KAnonymity(2)], original=frame, rows=made.rows
        )
        assert proof.passed, (seed, proof.reasons())


def test_a_degree_of_a_value_that_only_dropped_rows_hold() -> None:
    frame = mixed(40).with_columns(
        age=pl.when(pl.int_range(40) > 0).then(pl.col("age")),
        illness=pl.when(pl.int_range(40) > 0).then(pl.col("illness")).otherwise(pl.lit("rare")),
    )
    schema = shoal.Schema({**SCHEMA, "illness": shoal.sensitive(degrees={"rare": 9})})
    made = release(frame, "drop", schema=schema)
    assert made.n_dropped == 1
    assert "rare" not in made.frame["illness"]
