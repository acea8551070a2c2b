"""Texts that mean missing: a release without its plan says of itself what it was judged by."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import OutputError

FRAME = pl.DataFrame({"zip": ["1", "1", "2", "2"] * 2, "ill": ["flu", "NA", "cold", "flu"] * 2})


def release(missing: list[str], frame: pl.DataFrame = FRAME) -> shoal.Release:
    schema = shoal.Schema(
        {
            "zip": shoal.quasi(),
            "ill": shoal.sensitive(levels={"flu": 2, "cold": 2, "": 1}, missing=missing),
        }
    )
    return shoal.anonymize(frame, schema, require=[shoal.LeveledAlphaK(None, (0.5, 1), 2)])


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_release_verifies_from_its_files_alone(tmp_path: Path, form: str) -> None:
    release(["", "NA"]).write(tmp_path / "out", format=form)
    (tmp_path / "out.private").rename(tmp_path / "elsewhere")
    found = CliRunner().invoke(app, ["verify", str(tmp_path / "out")])
    assert found.exit_code == 0, found.output


def test_only_texts_that_are_published_are_named() -> None:
    assert release(["", "NA", "-9"]).facts()["missing_texts"] == {"ill": ["", "NA"]}
    usual = FRAME.with_columns(ill=pl.Series(["flu", "", "cold", "flu"] * 2))
    assert "missing_texts" not in release(["", "*", "-9"], usual).facts()


def test_csv_cannot_tell_a_null_from_an_empty_text(tmp_path: Path) -> None:
    nulls = FRAME.with_columns(ill=pl.Series(["flu", None, "cold", "flu"] * 2))
    made = release(["NA"], nulls)
    with pytest.raises(OutputError, match="'ill' has 2 nulls"):
        made.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    made.write(tmp_path / "out", format="parquet")
