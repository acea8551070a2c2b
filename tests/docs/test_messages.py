"""The errors that the documentation explains are the errors that Shoal gives."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import ShoalError
from tests.docs.site import DOCS


def without_numbers(text: str) -> str:
    return re.sub(r"\d+(\.\d+)?", "0", text)


def release(frame: pl.DataFrame, k: int = 2, **columns: shoal.table.schema.Column) -> shoal.Release:
    return shoal.anonymize(frame, shoal.Schema(columns), require=[shoal.KAnonymity(k)])


X = pl.DataFrame({"x": ["a", "b", "a", "b"]})
FLAT = shoal.Hierarchy.flat(["a"])
COLUMNS = {"age": {"rolle": "quasi"}}


def in_full_folder(folder: Path) -> None:
    (folder / "release").mkdir()
    (folder / "release" / "notes.txt").touch()
    release(X, x=shoal.quasi()).write("release")


CASES: dict[str, Callable[[Path], object]] = {
    "no role": lambda _: release(X.with_columns(y=1), y=shoal.quasi()),
    "no place": lambda _: release(X, x=shoal.quasi(), y=shoal.other()),
    "uncovered": lambda _: release(X, x=shoal.quasi(hierarchy=FLAT)),
    "no numbers": lambda _: release(X, x=shoal.quasi(kind="numeric")),
    "two ways": lambda _: release(X, x=shoal.quasi(kind="numeric", hierarchy=FLAT)),
    "all missing": lambda _: release(X.with_columns(x=pl.lit("")), x=shoal.quasi()),
    "infeasible": lambda _: release(X, 50, x=shoal.quasi()),
    "no level": lambda _: release(
        X.with_columns(y=1), y=shoal.quasi(), x=shoal.sensitive(levels={"a": 1})
    ),
    "too frequent": lambda _: shoal.anonymize(
        pl.DataFrame({"y": range(4), "x": list("aaab")}),
        shoal.Schema({"y": shoal.quasi(), "x": shoal.sensitive()}),
        require=[shoal.AlphaK(0.5, 2)],
    ),
    "unknown key": lambda _: shoal.Plan.from_dict({"columns": COLUMNS, "require": [{}]}),
    "full folder": in_full_folder,
}


@pytest.mark.parametrize("case", CASES)
def test_message_is_explained(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ShoalError) as caught:
        CASES[case](tmp_path)
    said = caught.value.problem.replace(f"{tmp_path}/", "").replace("'y'", "'x'")
    page = (DOCS / "errors.md").read_text(encoding="utf-8")
    assert f"| `{without_numbers(said)}` |" in without_numbers(page)
