"""A written release that somebody damaged: with the original and the private folder it is found."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app

K = 3
METHODS = {"generalized": shoal.GAACP(seed=1), "two-table": shoal.Anatomy(seed=1)}
METHODS["sensitive-groups"] = shoal.MICD(seed=1)
NEEDS = {
    "generalized": shoal.KAnonymity(K),
    "two-table": shoal.AlphaK(0.5, K),
    "sensitive-groups": shoal.MultiLDiversity({"illness": 2}),
}


def written(place: Path, form: str) -> Path:
    """Write a release of a table with a mark per row, and the table beside it."""
    frame = mixed(40).with_columns(note=pl.int_range(40).cast(pl.String))
    frame.write_parquet(place / "in.parquet")
    made = shoal.anonymize(
        place / "in.parquet",
        SCHEMA,
        require=[NEEDS[form]],
        method=METHODS[form],
        publication=form,
        suppression_limit=0.5,
    )
    return made.write(place / "out")


def failed(place: Path) -> set[str]:
    """Verify as a steward does, and say which checks failed but that of the file's bytes."""
    asked = ["verify", str(place / "out"), "--original", str(place / "in.parquet"), "--json"]
    answer = json.loads(CliRunner().invoke(app, asked).stdout)
    wrong = {each["check"] for each in answer["findings"] if not each["passed"]}
    return {check for check in wrong if not check.startswith("file")}


def damage(file: Path, column: str, rows: tuple[int, int]) -> None:
    """Swap the cells of two rows."""
    frame = pl.read_csv(file, infer_schema=False)
    cells = frame[column].to_list()
    one, other = rows
    assert cells[one] != cells[other]
    cells[one], cells[other] = cells[other], cells[one]
    frame.with_columns(pl.Series(column, cells)).write_csv(file)


def two_rows(file: Path, column: str, by: list[str], *, alike: bool) -> tuple[int, int]:
    """Find two rows that differ in a column and are alike, or not, in others."""
    frame = pl.read_csv(file, infer_schema=False)
    keys, cells = frame.select(by).rows(), frame[column].to_list()
    return next(
        (i, j)
        for i in range(len(cells))
        for j in range(i)
        if cells[i] != cells[j] and (keys[i] == keys[j]) is alike
    )


@pytest.mark.parametrize("alike", [True, False], ids=["in one class", "in two classes"])
@pytest.mark.parametrize("column", ["illness", "note"])
def test_two_swapped_values_of_one_table(tmp_path: Path, column: str, alike: bool) -> None:
    file = written(tmp_path, "generalized") / "table.csv"
    assert failed(tmp_path) == set()
    damage(file, column, two_rows(file, column, SCHEMA.quasi, alike=alike))
    assert failed(tmp_path) == {f"values of '{column}'"}


@pytest.mark.parametrize("alike", [True, False], ids=["in one class", "in two classes"])
@pytest.mark.parametrize("form", ["two-table", "sensitive-groups"])
def test_two_swapped_cells_of_the_quasi_table(tmp_path: Path, form: str, alike: bool) -> None:
    file = written(tmp_path, form) / "quasi.csv"
    assert failed(tmp_path) == set()
    ids = [name for name in pl.read_csv(file).columns if name not in SCHEMA]
    damage(file, "note", two_rows(file, "note", ids, alike=alike))
    assert failed(tmp_path) == {"values of 'note'"}


def test_two_values_swapped_between_classes_of_two_tables(tmp_path: Path) -> None:
    file = written(tmp_path, "two-table") / "sensitive.csv"
    ids = [name for name in pl.read_csv(file).columns if name not in SCHEMA]
    damage(file, "illness", two_rows(file, "illness", ids, alike=False))
    assert "values of 'illness' per class" in failed(tmp_path)
