from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
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
    with pytest.raises(InputError, match="does not show the file's format"):
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


def bomb(folder: Path, size: int) -> Path:
    """Write a small file that unpacks to a large one."""
    path = folder / "x.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * (size // 4)))
    return path


def test_a_packed_file_that_unpacks_to_too_much_is_refused_without_being_kept(
    tmp_path: Path,
) -> None:
    path = bomb(tmp_path, 64 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"unpacks to more than 1,048,576 bytes") as caught:
            read(path, max_unpacked=1 << 20)
        with pytest.raises(InputError, match="max_unpacked"):
            read(path, max_unpacked=60 << 20)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
    assert str(path) in str(caught.value)
    assert "raise max_unpacked" in str(caught.value)


def test_the_limit_of_packed_files_can_be_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bomb(tmp_path, 4000)
    monkeypatch.setattr("shoal.io.files.MAX_UNPACKED", 4003)
    with pytest.raises(InputError, match="unpacks to more than 4,003 bytes"):
        read(path)
    assert read(path, max_unpacked=4004).frame.height == 1000
    plan = {
        "input": {"path": "x.csv.gz", "max_unpacked": 4003},
        "columns": {name: {"role": "quasi", "kind": "numeric"} for name in "ab"},
        "require": [{"model": "k-anonymity", "k": 2}],
    }
    with pytest.raises(InputError, match=r"under \[input\] of a plan"):
        shoal.anonymize(path, shoal.Plan.from_dict(plan))
    plan["input"] = {"path": "x.csv.gz", "max_unpacked": 5000}
    assert shoal.anonymize(path, shoal.Plan.from_dict(plan)).frame.height == 1000


def test_a_limit_must_be_a_number_of_bytes(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="number of bytes"):
        read(bomb(tmp_path, 40), max_unpacked=0)


def test_the_command_line_raises_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.csv.gz"
    rows = "".join(f"{20 + row % 50},{'fm'[row % 2]}\n" for row in range(300))
    path.write_bytes(gzip.compress(f"age,sex\n{rows}".encode()))
    monkeypatch.setattr("shoal.io.files.MAX_UNPACKED", 1000)
    command = ["plan", str(path), "--output", str(tmp_path / "plan.toml")]
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code == 2
    assert "--max-unpacked" in refused.output
    assert CliRunner().invoke(app, [*command, "--max-unpacked", "5000"]).exit_code == 0
    assert shoal.Plan.read(tmp_path / "plan.toml").input.max_unpacked == 5000
