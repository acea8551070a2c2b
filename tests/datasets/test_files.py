import csv
import itertools
import re
import tomllib
from pathlib import Path

import polars as pl
import pytest

from shoal.base.cells import interval_text
from shoal.datasets import adult, folder
from shoal.errors import ParameterError

NAMES = sorted(path.stem for path in (folder("adult") / "hierarchies").glob("*.csv"))


def rows_of(name: str) -> list[list[str]]:
    with (folder("adult") / "hierarchies" / f"{name}.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        return list(csv.reader(file, delimiter=";"))


def test_every_column_that_can_be_generalized_has_a_hierarchy() -> None:
    categories = [name for name in adult().columns if adult()[name].dtype == pl.String]
    assert sorted([*categories, "age"]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_leaves_cover_the_values_once(name: str) -> None:
    leaves = [row[0] for row in rows_of(name)]
    assert len(leaves) == len(set(leaves))
    assert {str(value) for value in adult()[name].drop_nulls()} <= set(leaves)


@pytest.mark.parametrize("name", NAMES)
def test_is_a_tree_with_the_root_star(name: str) -> None:
    rows = rows_of(name)
    assert len({len(row) for row in rows}) == 1
    parent: dict[str, str] = {}
    for row in rows:
        path = [label for i, label in enumerate(row) if i == 0 or row[i - 1] != label]
        assert path[-1] == "*"
        assert len(path) == len(set(path))
        assert all(label == label.strip() != "" for label in path)
        for label, up in itertools.pairwise(path):
            assert parent.setdefault(label, up) == up  # one place in the tree
    assert "*" not in parent


@pytest.mark.parametrize("name", [name for name in NAMES if name != "age"])
def test_categories_have_height_one_to_three(name: str) -> None:
    assert 2 <= len(rows_of(name)[0]) <= 4


def test_age_ranges_hold_their_ages_and_are_written_as_shoal_writes_them() -> None:
    rows = rows_of("age")
    assert [int(row[0]) for row in rows] == list(range(17, 91))
    for row in rows:
        for label in row[1:-1]:
            lo, hi = (int(number) for number in re.findall(r"\d+", label))
            assert lo <= int(row[0]) < hi
            assert label == interval_text(lo, hi, open_end=True)


def test_plan_names_every_column_once_and_every_hierarchy_exists() -> None:
    plan = tomllib.loads((folder("adult") / "adult.toml").read_text(encoding="utf-8"))
    columns = plan["columns"]
    assert sorted(columns) == sorted(adult().columns)
    assert [n for n, c in columns.items() if c["role"] == "quasi"] == [
        "age",
        "sex",
        "education",
        "marital-status",
        "race",
        "workclass",
        "native-country",
        "salary-class",
    ]
    assert [n for n, c in columns.items() if c["role"] == "sensitive"] == ["occupation"]
    for name, column in columns.items():
        if "hierarchy" in column:
            path = Path(column["hierarchy"])
            assert (path.parent.name, path.stem) == ("hierarchies", name)
            assert name in NAMES
    assert plan["require"] == [{"model": "k-anonymity", "k": 10}]
    assert plan["method"] == {"name": "auto", "seed": 7}


def test_unknown_folder_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ParameterError, match="Known: adult"):
        folder("xyz")
    with pytest.raises(ParameterError):
        folder("..")
