"""Stars in published tables: in memory, from files, and as other tools read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.csv
import pytest

import shoal
from shoal import GAACP, KAnonymity, io
from shoal.judging.verification import Verification

SCHEMA = shoal.Schema(
    {
        "age": shoal.quasi(kind="numeric"),
        "size": shoal.quasi(kind="numeric"),
        "work": shoal.quasi(hierarchy=shoal.hierarchies.Flat(root="any")),
        "illness": shoal.sensitive(),
    }
)
ORIGINAL = pl.DataFrame(
    {
        "age": [30, 30, None, 30, 41, None, 50, 50],
        "size": [1.5, 1.5, 2.5, 2.5, None, None, None, 7.5],
        "work": ["a", "a", "b", "b", None, None, "a", "b"],
        "illness": ["flu", None, "", "flu", "gout", "*", "NA", "flu"],
    }
)
# Four classes of two; in the third, work is missing, in the fourth it reaches the root.
PUBLISHED = pl.DataFrame(
    {
        "age": ["30", "30", "*", "*", "*", "*", "50", "50"],
        "size": ["1.5", "1.5", "2.5", "2.5", "*", "*", "*", "*"],
        "work": ["a", "a", "b", "b", "*", "*", "any", "any"],
        "illness": ORIGINAL["illness"],
    }
)


def verdict(published: Any, k: int = 2) -> Verification:
    return shoal.verify(published, SCHEMA, [KAnonymity(k)], original=ORIGINAL)


def test_the_table_in_memory() -> None:
    result = verdict(PUBLISHED)
    assert result.reasons() == []
    assert (result.classes, result.achieved) == (4, {"k": 2})


@pytest.mark.parametrize("column", ["age", "size", "work"])
@pytest.mark.parametrize("row", range(8))
def test_a_star_among_others_makes_a_class_of_its_own(column: str, row: int) -> None:
    cells = PUBLISHED[column].to_list()
    if cells[row] == "*":
        return
    cells[row] = "*"
    result = verdict(PUBLISHED.with_columns(pl.Series(column, cells)))
    # A star covers any cell, but its row has left the others.
    assert result.classes == 5
    assert result.achieved == {"k": 1}
    assert [f.passed for f in result.findings].count(False) == 0


def test_a_star_is_not_the_root_of_another_name() -> None:
    mixed = PUBLISHED.with_columns(work=pl.Series([*"aabb", "*", "any", "any", "any"]))
    assert verdict(mixed).achieved == {"k": 1}


def test_a_missing_cell_does_not_equal_a_known_one() -> None:
    """Unlike in tools that let a null match everything."""
    frame = pl.DataFrame({"age": ["30", "*", "30", "*"], "illness": [*"abcd"]})
    schema = shoal.Schema({"age": SCHEMA["age"], "illness": SCHEMA["illness"]})
    result = shoal.verify(frame, schema, [KAnonymity(3)])
    assert (result.classes, result.judgements[0].failing_rows) == (2, 4)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_verifies_as_the_table_does(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"table.{kind}"
    {"csv": io.write_csv, "parquet": io.write_parquet}[kind](PUBLISHED, path)
    for k in (2, 3):
        assert verdict(io.read(path).frame, k) == verdict(PUBLISHED, k)


def read_by_others(folder: Path) -> dict[str, Any]:
    """The published file as other tools read it, each with its own word for missing."""
    io.write_csv(PUBLISHED, folder / "table.csv")
    io.write_parquet(PUBLISHED, folder / "table.parquet")
    path = folder / "table.csv"
    polars = pl.read_csv(path, null_values="*")
    pandas = pd.read_csv(path, na_values=["*"])
    stars = {"age": "int64", "size": "double"}
    arrow = pyarrow.csv.read_csv(
        path,
        convert_options=pyarrow.csv.ConvertOptions(
            null_values=["*"], column_types=stars, strings_can_be_null=True
        ),
    )
    return {
        "polars": pl.read_csv(path, infer_schema=False),
        "polars nulls": polars,
        "polars NaN": polars.with_columns(pl.col("age", "size").cast(pl.Float64).fill_null(np.nan)),
        "pandas text": pd.read_csv(path, dtype=str, keep_default_na=False),
        "pandas NaN": pandas,
        "pandas nullable": pandas.convert_dtypes(),
        "pandas parquet": pd.read_parquet(folder / "table.parquet"),
        "arrow nulls": arrow,
    }


@pytest.mark.parametrize(
    "tool",
    [
        "polars",
        "polars nulls",
        "polars NaN",
        "pandas text",
        "pandas NaN",
        "pandas nullable",
        "pandas parquet",
        "arrow nulls",
    ],
)
def test_other_tools_may_read_the_file(tmp_path: Path, tool: str) -> None:
    found = read_by_others(tmp_path)[tool]
    mine, theirs = verdict(PUBLISHED), verdict(found)
    assert theirs.classes == mine.classes
    assert theirs.achieved == mine.achieved
    covered = [f.passed for f in theirs.findings if f.check == "cells cover their originals"]
    assert covered == [True]
    # Measures read the same cells.
    quasi = shoal.Schema({name: SCHEMA[name] for name in SCHEMA.quasi})
    ours = shoal.measures.iloss_rate(ORIGINAL.select(quasi.quasi), PUBLISHED, quasi)
    assert shoal.measures.iloss_rate(ORIGINAL.select(quasi.quasi), found, quasi) == ours


@pytest.mark.parametrize("policy", ["keep", "drop", "suppress-column"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_release_from_disk(tmp_path: Path, policy: str, kind: str) -> None:
    rng = np.random.default_rng(5)
    n = 120
    frame = pl.DataFrame(
        {
            "age": [None if rng.random() < 0.2 else int(v) for v in rng.integers(20, 24, n)],
            "size": [None if rng.random() < 0.2 else v / 2 for v in rng.integers(2, 5, n)],
            "work": rng.choice(["a", "b"], n),
            "illness": [None if rng.random() < 0.2 else "flu" for _ in range(n)],
        }
    )
    made = shoal.anonymize(
        frame, SCHEMA, require=[KAnonymity(3)], method=GAACP(seed=1), missing=policy
    )
    folder = made.write(tmp_path / "out", format=kind)
    again = io.read(folder / f"table.{kind}").frame
    rows = pl.read_parquet(tmp_path / "out.private" / "rows.parquet")["original_row"].to_numpy()
    result = shoal.verify(again, SCHEMA, [KAnonymity(3)], original=frame, rows=rows)
    assert result == made.verification


def test_a_column_that_is_missing_everywhere_shows_only_stars() -> None:
    nothing = ORIGINAL.with_columns(
        age=pl.lit(None, dtype=pl.Int64), work=pl.lit(None, dtype=pl.String)
    )
    stars = PUBLISHED.with_columns(age=pl.lit("*"), work=pl.lit("*"))
    result = shoal.verify(stars, SCHEMA, [KAnonymity(2)], original=nothing)
    assert result.reasons() == []
    invented = stars.with_columns(work=pl.lit("a"))
    result = shoal.verify(invented, SCHEMA, [KAnonymity(2)], original=nothing)
    assert result.reasons() == ["cells cover their originals: not in column 'work' in 8 rows"]
