"""What was written is opened, with and without what is private, and answers as the release did."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.errors import InputError, ParameterError

PEOPLE = pl.DataFrame(
    {
        "who": [f"p{i}" for i in range(40)],
        "age": [20 + i % 13 for i in range(40)],
        "sex": ["f", "m"] * 20,
        "ill": ["flu", "HIV", "cold", "flu"] * 10,
    }
)
ROLES = {"who": "identifier", "age": "quasi", "sex": "quasi", "ill": "sensitive"}
WHERE = {"age": (20, 25), "ill": "flu"}


def made(data: Any = PEOPLE, **options: Any) -> shoal.Release[Any]:
    return shoal.anonymize(data, ROLES, require=4, method="k-member", seed=3, **options)


@pytest.mark.parametrize("form", ["generalized", "two-table", "sensitive-groups"])
def test_the_opened_release_answers_as_the_release(tmp_path: Path, form: str) -> None:
    release = made(publication=form)
    opened = shoal.open_release(str(release.write(tmp_path / "out")))
    assert opened.verify().passed
    assert opened.verify(original=PEOPLE).passed
    assert release.verify().passed
    assert opened.measures == release.measures
    told = {attack.name: attack for attack in opened.risk()}
    known = {attack.name: attack for attack in release.risk()}
    assert {name: known[name] for name in told} == told
    assert "learning" not in told  # which needs the original
    assert [a.name for a in opened.risk(original=PEOPLE)] == list(known)
    assert opened.query(WHERE) == pytest.approx(release.query(WHERE))
    assert opened.table.shape == release.table.shape
    assert set(opened.tables) == set(release.tables)
    assert opened.facts["verification"]["passed"]
    bounds = opened.table_as("bounds")
    assert sorted(bounds["age_mid"]) == sorted(release.table_as("bounds")["age_mid"])
    assert repr(opened) == f"OpenedRelease(40 rows, {form}, with its private folder)"


@pytest.mark.parametrize("form", ["generalized", "two-table", "sensitive-groups"])
def test_the_public_folder_alone_is_enough(tmp_path: Path, form: str) -> None:
    release = made(publication=form)
    release.write(tmp_path / "out")
    shutil.rmtree(tmp_path / "out.private")
    opened = shoal.open_release(tmp_path / "out")
    assert opened.private_plan is None
    assert opened.rows is None
    assert opened.verify().passed
    told = {each.check: each.detail for each in opened.verify().findings}
    unchanged = "file unchanged" if form == "generalized" else "files unchanged"
    assert told[unchanged] == "as hashed in release.json"  # nobody knows more
    assert opened.measures == opened.facts["measures"]
    assert opened.query({"age": (20, 25)}) > 0
    assert opened.risk()
    assert opened.table_as("bounds").columns[:3] == ["age_lo", "age_hi", "age_mid"]
    assert "without its private folder" in repr(opened)


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    made().write(tmp_path / "out")
    with (tmp_path / "out" / "table.csv").open("a") as file:
        file.write("*,*,flu\n")
    found = shoal.open_release(tmp_path / "out").verify()
    assert "file unchanged: changed since its release" in found.reasons()


def test_the_type_that_came_in_comes_out() -> None:
    assert isinstance(made(PEOPLE.to_pandas()).table_as("bounds"), pd.DataFrame)
    assert isinstance(made(PEOPLE.lazy()).table_as("bounds"), pl.LazyFrame)


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a release"):
        shoal.open_release(tmp_path)
    PEOPLE.write_csv(tmp_path / "people.csv")
    with pytest.raises(InputError, match="is not a release"):
        shoal.open_release(tmp_path / "people.csv")
    with pytest.raises(ParameterError, match="opened from its folder, not from an int"):
        shoal.open_release(3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="must be one of 'bounds'"):
        made().table_as("middle")  # type: ignore[arg-type]
