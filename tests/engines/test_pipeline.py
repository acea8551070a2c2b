"""The way of the data, from any frame to a release of the same type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import InputError, ParameterError, SchemaError

REQUIRE = [shoal.KAnonymity(3)]


def frames() -> dict[str, Any]:
    frame = mixed(30, missing=0.1)
    return {
        "polars": frame,
        "lazy": frame.lazy(),
        "pandas": frame.to_pandas(),
        "pyarrow": frame.to_arrow(),
        "duckdb": duckdb.from_arrow(frame.to_arrow()),
    }


@pytest.mark.parametrize("kind", ["polars", "lazy", "pandas", "pyarrow", "duckdb"])
def test_the_release_has_the_type_of_the_input(kind: str) -> None:
    data = frames()[kind]
    made = shoal.anonymize(data, SCHEMA, require=REQUIRE, method=shoal.GAACP(seed=1))
    assert type(made.table) is type(data)
    reference = shoal.anonymize(
        mixed(30, missing=0.1), SCHEMA, require=REQUIRE, method=shoal.GAACP(seed=1)
    )
    assert made.grouping.labels.tolist() == reference.grouping.labels.tolist()
    assert made.tables["table"] is made.table
    assert "<b>Verified</b>" in made._repr_html_()


def test_pandas_input_keeps_nothing_of_its_index() -> None:
    data = mixed(30).to_pandas()
    data.index = pd.Index(np.arange(30)[::-1] * 7)
    data.attrs["owner"] = "someone"
    before = data.copy(deep=True)
    made = shoal.anonymize(data, SCHEMA, require=REQUIRE)
    pd.testing.assert_frame_equal(data, before)
    assert list(made.table.index) == list(range(30))
    assert made.table.attrs == {}


def test_a_path_and_a_frame_give_the_same_release(tmp_path: Path) -> None:
    frame = mixed(40, missing=0.1)
    frame.write_csv(tmp_path / "table.csv")
    frame.write_parquet(tmp_path / "table.parquet")
    method = shoal.GAACP(seed=3)
    made = [
        shoal.anonymize(data, SCHEMA, require=REQUIRE, method=method).frame.select(SCHEMA.quasi)
        for data in (frame, tmp_path / "table.csv", str(tmp_path / "table.parquet"))
    ]
    assert made[0].equals(made[1])
    assert made[0].equals(made[2])


def test_dropping_incomplete_rows_is_paid_for() -> None:
    frame = mixed(100, missing=0.1)
    incomplete = frame.select(pl.any_horizontal(pl.col(SCHEMA.quasi).is_null())).to_series().sum()
    made = shoal.anonymize(frame, SCHEMA, require=REQUIRE, missing="drop")
    assert made.n_dropped == incomplete > 0
    assert made.n_suppressed == 0
    assert made.frame.height == 100 - incomplete
    assert made.measures["iloss"] >= incomplete * 3
    both = shoal.measures.pair_of_release(frame, made.table, SCHEMA, rows=made.rows)
    assert shoal.measures.iloss.of(both) == pytest.approx(made.measures["iloss"])
    assert "*" not in made.frame["age"].to_list()


def test_a_group_with_a_missing_cell_shows_a_star_in_all_rows() -> None:
    frame = mixed(60, missing=0.2)
    made = shoal.anonymize(frame, SCHEMA, require=REQUIRE, missing="keep")
    assert made.frame.height == 60
    for label in range(made.grouping.n_groups):
        members = made.grouping.labels == label
        holes = frame["age"].filter(pl.Series(members)).is_null().any()
        shown = set(made.frame["age"].filter(pl.Series(members)))
        assert len(shown) == 1
        assert (shown == {"*"}) == holes


def test_rounded_bounds_hide_observed_ends() -> None:
    frame = mixed(300)
    made = shoal.anonymize(
        frame, SCHEMA, require=REQUIRE, method=shoal.GAACP(seed=1), bounds="rounded"
    )
    ends = made.frame["age"].str.extract_all(r"\d+").explode().cast(pl.Int64)
    assert (ends % 5 == 0).all()
    assert made.verification.passed


def test_people_are_counted_where_an_entity_is_named() -> None:
    frame = mixed(90).with_columns(id=pl.int_range(90) // 3)
    schema = shoal.Schema(dict(SCHEMA), entity="id")
    made = shoal.anonymize(frame, schema, require=REQUIRE)
    labels = pl.Series(made.grouping.labels)
    people = frame.group_by(labels.alias("g")).agg(pl.col("id").n_unique())
    assert people["id"].min() >= 3
    assert made.verification.counted == "people"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"publication": "secret"}, "publication"),
        ({"bounds": "round"}, "bounds"),
        ({"missing": "ignore"}, "missing"),
        ({"suppression_limit": 2}, "suppression_limit"),
        ({"require": []}, "Nothing is required"),
        ({"require": [shoal.KAnonymity(1)]}, "at least 2"),
        ({"method": shoal.GAACP(distance="far")}, "distance"),
    ],
)
def test_wrong_arguments_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        shoal.anonymize(mixed(20), SCHEMA, **{"require": REQUIRE, **options})


def test_a_plan_and_arguments_are_not_mixed() -> None:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    with pytest.raises(ParameterError, match="already says"):
        shoal.anonymize(shoal.datasets.adult(), plan, require=REQUIRE)


def test_not_a_table() -> None:
    with pytest.raises(InputError, match="type dict"):
        shoal.anonymize({"a": [1]}, SCHEMA, require=REQUIRE)
    with pytest.raises(InputError, match="no rows"):
        shoal.anonymize(mixed(5).clear(), SCHEMA, require=REQUIRE)
    with pytest.raises(SchemaError, match="Column 'x' has no role"):
        shoal.anonymize(mixed(5).with_columns(x=1), SCHEMA, require=REQUIRE)


def test_arrow_with_strange_types() -> None:
    table = pa.table(
        {"age": pa.array([1, 2, 3, 4], pa.int8()), "day": pa.array([0, 1, 0, 1], pa.date32())}
    )
    schema = shoal.Schema(
        {"age": shoal.quasi(), "day": shoal.quasi(hierarchy=shoal.hierarchies.Dates())}
    )
    made = shoal.anonymize(
        table, schema, require=[shoal.KAnonymity(2)], method=shoal.GAACP(picks="first")
    )
    assert isinstance(made.table, pa.Table)
    assert set(made.frame["day"]) <= {"1970-01", "1970-01-01", "1970-01-02"}


def test_the_original_of_a_file_is_read_again_whole(tmp_path: Path) -> None:
    frame = shoal.datasets.patients(1).cast(pl.String)
    frame.write_csv(tmp_path / "patients.csv")
    columns = {
        "name": shoal.identifier(),
        "age": shoal.quasi(kind="numeric"),
        "sex": shoal.quasi(),
        "zip": shoal.quasi(),
        "disease": shoal.sensitive(),
    }
    made = shoal.anonymize(tmp_path / "patients.csv", shoal.Schema(columns), require=2)
    assert made.source.columns == frame.columns
    assert made.source.equals(frame)
    again = shoal.measures.pair(made.source, made.frame, made.schema, rows=made.rows)
    assert again.n_rows == frame.height
