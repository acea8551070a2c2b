"""A file that needs more memory than there is is refused before it is read."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.errors import InputError
from shoal.io import memory
from shoal.io.formats import parquet

SCHEMA = {"age": "quasi", "sex": "quasi"}


def write(place: Path) -> Path:
    pl.DataFrame({"age": range(50), "sex": ["f", "m"] * 25}).write_csv(place / "people.csv")
    return place / "people.csv"


def test_more_than_there_is_is_refused_with_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path)
    monkeypatch.setattr(memory, "available", lambda: 0.2e9)
    with pytest.raises(InputError, match=r"about 0\.3 GB of memory, and 0\.2 GB are free"):
        shoal.anonymize(file, SCHEMA, require=5)
    monkeypatch.setattr(memory, "available", lambda: 1e9)
    assert shoal.anonymize(file, SCHEMA, require=5).verification.passed


def test_nothing_is_refused_where_nobody_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "available", lambda: None)
    assert shoal.anonymize(write(tmp_path), SCHEMA, require=5).verification.passed


def test_estimates_grow_with_what_is_read(tmp_path: Path) -> None:
    file = write(tmp_path)
    plain = memory.needed(file) - memory.PROGRAM
    assert plain == memory.PER_BYTE * file.stat().st_size
    packed = tmp_path / "people.csv.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert memory.needed(packed) - memory.PROGRAM == pytest.approx(
        memory.PACKED * memory.PER_BYTE * packed.stat().st_size
    )
    table = tmp_path / "people.parquet"
    pl.read_csv(file).write_parquet(table)
    unpacked = pq.read_metadata(table).row_group(0).total_byte_size
    assert memory.needed(table) - memory.PROGRAM == pytest.approx(
        parquet.PER_CELL * 50 * 2 + parquet.PER_UNPACKED_BYTE * unpacked
    )


def test_this_machine_has_some_memory() -> None:
    free = memory.available()
    assert free is None or free > 0


def test_a_missing_file_is_said_by_whoever_reads_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.csv"):
        shoal.anonymize(tmp_path / "nothing.csv", SCHEMA, require=5)
