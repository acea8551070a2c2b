from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import InputError, ParameterError
from shoal.io import read


def test_the_name_tells(tmp_path: Path) -> None:
    for name in ("x.csv", "x.TSV", "x.txt", "x.csv.gz", "x.v2.csv"):
        data = b"a,b\n1,2\n"
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        found = read(tmp_path / name)
        assert (found.format, found.frame.rows()) == ("csv", [("1", "2")])


def test_the_content_tells_parquet(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "x.parquet")
    (tmp_path / "x.parquet").rename(tmp_path / "x.csv")
    found = read(str(tmp_path / "x.csv"))
    assert (found.format, found.dialect, found.frame.rows()) == ("parquet", None, [(1,)])


def test_unknown(tmp_path: Path) -> None:
    (tmp_path / "x.dat").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="does not tell its format"):
        read(tmp_path / "x.dat")
    assert read(tmp_path / "x.dat", format="csv").frame.height == 1
    with pytest.raises(ParameterError, match="Did you mean 'csv'"):
        read(tmp_path / "x.dat", format="cvs")
    with pytest.raises(InputError, match="There is no file"):
        read(tmp_path / "none.csv")


def test_arguments_that_would_be_ignored(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(ParameterError, match="no separator and no quote"):
        read(tmp_path / "x.parquet", separator=",", quote="'")
