from __future__ import annotations

import traceback
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shoal.errors import InputError
from shoal.io import parquet
from shoal.io.parquet import read_parquet


def test_types_stay_and_dictionaries_go(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    frame = pl.DataFrame(
        {
            "i": [1, None],
            "f": [1.5, None],
            "s": ["01", None],
            "c": pl.Series(["u", "v"], dtype=pl.Categorical),
            "e": pl.Series(["u", "v"], dtype=pl.Enum(["u", "v", "w"])),
        }
    )
    frame.write_parquet(path)
    found = read_parquet(path)
    assert found.frame.dtypes == [pl.Int64, pl.Float64, pl.String, pl.String, pl.String]
    assert found.frame.rows() == [(1, 1.5, "01", "u", "u"), (None, None, None, "v", "v")]


def test_nested_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    for column in ([[1], [2]], [{"k": "Zebedee"}, {"k": "b"}]):
        pl.DataFrame({"fine": [1, 2], "deep": column}).write_parquet(path)
        with pytest.raises(InputError, match=r"Column 'deep' of .* holds nested"):
            read_parquet(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"a,b\n1,Zebedee\n", "not a Parquet file"),
        (b"PAR1Zebedee", "not a Parquet file"),
        (b"PAR1" + b"Zebedee" * 50 + b"PAR1", "not a Parquet file"),
    ],
    ids=["empty", "csv", "short", "long"],
)
def test_other_content(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        read_parquet(path)
    assert "Zebedee" not in "".join(traceback.format_exception(caught.value))


def test_no_rows_and_twice_the_same_name(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"a": []}).write_parquet(path)
    with pytest.raises(InputError, match="has no rows"):
        read_parquet(path)
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]), path)
    with pytest.raises(InputError, match="more than one column named 'a'"):
        read_parquet(path)
    with pytest.raises(InputError, match="There is no file"):
        read_parquet(tmp_path / "none.parquet")


@pytest.mark.parametrize("categories", [(), None, ["s", "i"]])
@pytest.mark.parametrize("batch", [1, 3, 100])
def test_what_is_read_in_parts_is_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, categories: list[str] | None, batch: int
) -> None:
    monkeypatch.setattr(parquet, "ROWS", batch)
    path = tmp_path / "x.parquet"
    frame = pl.DataFrame(
        {
            "s": ["u", None, "v", "u", "", "w", "u"],
            "i": [1, 1, None, 2, 1, 1, 2],
            "f": [0.5, 0.5, None, 0.5, -0.0, 0.0, 1.5],
            "t": [f"text {row}" for row in range(7)],
            "n": pl.Series([None] * 7, dtype=pl.String),
        }
    )
    for size in (2, 7):
        frame.write_parquet(path, row_group_size=size)
        assert read_parquet(path, categories=categories).frame.equals(frame)


def test_a_nul_is_counted_over_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS", 2)
    path = tmp_path / "x.parquet"
    pl.DataFrame({"a": ["x", "y\0", "x", "x", "y\0", None]}).write_parquet(path)
    for categories in ((), None):
        with pytest.raises(InputError, match=r"Column 'a' .* holds a NUL in 2 cells"):
            read_parquet(path, categories=categories)
