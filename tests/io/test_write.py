from __future__ import annotations

import errno
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from shoal.errors import InputError, OutputError
from shoal.io import disk, read, write, write_csv, write_parquet
from shoal.io.csvfile import read_csv
from shoal.io.frames import Coded, Dictionary, to_polars
from tests.examples import examples

FRAME = pl.DataFrame(
    {
        "s": ["x", None, "", 'q"', "l\nm", "\r", "é,"],
        "f": [70.0, 0.1, None, -0.0, 1e20, 1e-7, 2.5],
        "d": [Decimal("1.50"), None, *[Decimal("2.00")] * 5],
        "b": [True, False, None, True, True, True, True],
        "i": [7, None, 0, -1, 2, 3, 4],
    }
)


def test_csv_is_plain_and_has_one_text_per_value(tmp_path: Path) -> None:
    write_csv(FRAME, tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_bytes() == (
        b's,f,d,b,i\nx,70,1.5,true,7\n,0.1,,false,\n"",,2,,0\n"q""",0,2,true,-1\n'
        b'"l\nm",100000000000000000000,2,true,2\n"\r",0.0000001,2,true,3\n'
        + '"é,",2.5,2,true,4\n'.encode()
    )


def test_slices_join(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_csv(FRAME, tmp_path / "x.csv")
    monkeypatch.setattr(write, "_SLICE", 2)
    write_csv(FRAME, tmp_path / "y.csv")
    assert (tmp_path / "x.csv").read_bytes() == (tmp_path / "y.csv").read_bytes()
    write_csv(FRAME.clear(), tmp_path / "z.csv")
    assert (tmp_path / "z.csv").read_bytes() == b"s,f,d,b,i\n"


def test_one_column_keeps_its_missing_rows(tmp_path: Path) -> None:
    write_csv(pl.DataFrame({"a": ["x", None, ""]}), tmp_path / "x.csv")
    assert read(tmp_path / "x.csv").frame.rows() == [("x",), ("",), ("",)]


@settings(max_examples=examples(100), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(
            st.lists(
                st.text(
                    st.one_of(
                        st.sampled_from(list("\"',;\n\r 0")),
                        st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"),
                    ),
                    max_size=5,
                ),
                min_size=width,
                max_size=width,
            ),
            min_size=1,
        )
    )
)
def test_what_is_written_reads_the_same(tmp_path: Path, cells: list[list[str]]) -> None:
    names = ["a, b", 'q"', "c"][: len(cells[0])]
    frame = pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String), orient="row")
    write_csv(frame, tmp_path / "x.csv")
    assert read_csv(tmp_path / "x.csv", separator=",", quote='"').frame.equals(frame)


def test_parquet_round_trip_without_metadata(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write_parquet(FRAME, tmp_path / name)
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes()
    assert not pq.read_metadata(tmp_path / "x").metadata
    assert read(tmp_path / "x").frame.equals(FRAME)
    data = (tmp_path / "x").read_bytes()
    assert b"ARROW:schema" not in data
    assert b"pandas" not in data


SECRET = "Zebedee-4711"
PAST: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame({"c": pd.Categorical(["u", SECRET, "u"]), "n": [1, 2, 3]}),
    "pandas-filtered": lambda: pd.DataFrame(
        {"c": pd.Categorical(["u", SECRET, "u"]), "n": [1, 2, 3]}, index=["a", SECRET, "b"]
    ).query("n != 2"),
    "arrow": lambda: pa.table(
        {"c": pa.array(["u", SECRET, "u"]).dictionary_encode(), "n": [1, 2, 3]},
        metadata={"note": SECRET},
    ),
    "arrow-sliced": lambda: pa.table(
        {"c": pa.array(["u", "u", SECRET]).dictionary_encode(), "n": [1, 3, 2]}
    ).slice(0, 2),
    "enum": lambda: pl.DataFrame(
        {"c": pl.Series(["u", SECRET, "u"], dtype=pl.Enum(["u", SECRET])), "n": [1, 2, 3]}
    ),
    "categorical": lambda: pl.DataFrame(
        {"c": pl.Series(["u", SECRET, "u"], dtype=pl.Categorical), "n": [1, 2, 3]}
    ).lazy(),
    "text": lambda: pl.DataFrame({"c": ["u", SECRET, "u"], "n": [1, 2, 3]}),
    "duckdb": lambda: duckdb.sql(
        f"select unnest(['u', '{SECRET}', 'u'])::enum('u', '{SECRET}') as c, unnest([1,2,3]) as n"
    ),
}


@pytest.mark.parametrize("kind", PAST)
def test_removed_values_do_not_reach_the_disk(tmp_path: Path, kind: str) -> None:
    frame = to_polars(PAST[kind]()).filter(pl.col("n") != 2)
    write_parquet(frame, tmp_path / "x.parquet")
    write_csv(frame, tmp_path / "x.csv")
    # Also when the frame itself still has its dictionary.
    write_parquet(frame.with_columns(pl.col("c").cast(pl.Enum(["u", SECRET]))), tmp_path / "y")
    for file in tmp_path.iterdir():
        assert SECRET.encode() not in file.read_bytes()
    assert read(tmp_path / "x.parquet").frame.rows() == [("u", 1), ("u", 3)]


@pytest.mark.parametrize("how", [write_csv, write_parquet])
def test_full_disk_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Callable[..., None]
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")

    class Full:
        def __init__(self, file: Any) -> None:
            self.file = file

        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *error: object) -> None:
            self.file.close()

    real = Path.open
    monkeypatch.setattr(disk.Path, "open", lambda self, mode: Full(real(self, mode)))
    with pytest.raises(OutputError, match="cannot be written: No space left on device"):
        how(FRAME, path)
    monkeypatch.undo()
    assert [file.name for file in tmp_path.iterdir()] == ["x"]
    assert path.read_bytes() == b"old"


def test_no_such_folder_and_nested_columns(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="No such file"):
        write_csv(FRAME, tmp_path / "none" / "x.csv")
    with pytest.raises(InputError, match="Column 'a'"):
        write_csv(pl.DataFrame({"a": [[1]]}), tmp_path / "x.csv")


def test_parquet_is_written_row_group_by_row_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.DataFrame({"a": ["x", "y", "x", None, "z"], "b": [1, 2, 3, 4, None]})
    at_once, in_parts = tmp_path / "one.parquet", tmp_path / "parts.parquet"
    write_parquet(frame, at_once)
    monkeypatch.setattr(write, "_ROW_GROUP", 2)
    coded = Coded({"a": Dictionary.of(frame["a"]), "b": frame["b"]})
    write_parquet(coded, in_parts)
    file = pq.ParquetFile(in_parts)
    assert [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)] == [2, 2, 1]
    assert pl.read_parquet(in_parts).equals(pl.read_parquet(at_once))
