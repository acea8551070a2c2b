import hashlib

import polars as pl
import pytest

from shoal.datasets import adult
from shoal.datasets.files import DATA

QUASI = [
    "age",
    "sex",
    "education",
    "marital-status",
    "race",
    "workclass",
    "native-country",
    "salary-class",
]


def test_every_cell_is_the_source_file_s() -> None:
    # SHA-256 of the source csv with its line ends as "\n"; row order and columns included.
    text = adult().write_csv().encode()
    assert hashlib.sha256(text).hexdigest() == (
        "a5285dcbb21f02ae7024f608e16238a8601d638c5e5b8e17fd691b9359776461"
    )


def test_shape_and_types() -> None:
    table = adult()
    assert table.shape == (48842, 15)
    assert set(table.dtypes) == {pl.Int64, pl.String}
    numbers = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    assert [name for name in table.columns if table[name].dtype == pl.Int64] == numbers


def test_complete_rows() -> None:
    assert adult(complete=True).height == 45222
    assert adult().head(32561).drop_nulls().height == 30162
    paper_1 = adult().drop_nulls([*QUASI, "occupation"])
    assert paper_1.equals(adult(complete=True))


def test_missing_cells() -> None:
    holes = adult().null_count().row(0, named=True)
    assert {name: count for name, count in holes.items() if count} == {
        "workclass": 2799,
        "occupation": 2809,
        "native-country": 857,
    }


def test_known_shares() -> None:
    table = adult()
    assert (table["sex"] == "Male").mean() == pytest.approx(0.668482, abs=5e-7)
    assert adult(complete=True).select(QUASI).n_unique() == 16581


def test_each_call_gives_a_fresh_frame() -> None:
    changed = adult()
    changed[0, "age"] = 99
    assert adult()["age"][0] == 39


def test_bundle_is_small_and_attributed() -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 1_000_000
    text = (DATA / "ATTRIBUTION.md").read_text(encoding="utf-8")
    assert "10.24432/C5XW20" in text
    assert "CC BY 4.0" in text
