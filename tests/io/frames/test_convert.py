from __future__ import annotations

import datetime as dt
import subprocess
import sys
import traceback
import warnings
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal.errors import InputError
from shoal.io.frames import like, to_polars

ROWS = [(1, "x", 1.5), (2, None, None)]
ARROW = pa.table({"i": [1, 2], "s": ["x", None], "f": [1.5, None]})
FRAMES: dict[str, Any] = {
    "pandas": pd.DataFrame({"i": [1, 2], "s": ["x", None], "f": [1.5, float("nan")]}, index=[9, 3]),
    "pandas-arrow": ARROW.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame({"i": [1, 2], "s": ["x", None], "f": [1.5, None]}),
    "lazy": pl.LazyFrame({"i": [1, 2], "s": ["x", None], "f": [1.5, None]}),
    "pyarrow": ARROW.replace_schema_metadata({"note": "private"}),
}


@pytest.mark.parametrize("kind", [*FRAMES, "duckdb"])
def test_any_frame_in_the_same_type_out(kind: str) -> None:
    original = duckdb.from_arrow(ARROW) if kind == "duckdb" else FRAMES[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = to_polars(original)
        assert frame.rows() == ROWS
        back = like(frame, original)
    assert type(back) is type(original)
    assert to_polars(back).equals(frame)


def test_pandas_object_is_untouched_and_its_past_is_left_behind() -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "n": [1.0, None]}, index=[7, 5])
    frame.attrs["owner"] = "someone"
    before = frame.copy(deep=True)
    back = like(to_polars(frame), frame)
    pd.testing.assert_frame_equal(frame, before)
    assert frame.attrs == {"owner": "someone"}
    assert back.attrs == {}
    assert isinstance(back.index, pd.RangeIndex)
    assert list(back.index) == [0, 1]
    assert pd.api.types.is_string_dtype(back["a"])


def test_arrow_metadata_is_left_behind() -> None:
    assert like(to_polars(FRAMES["pyarrow"]), FRAMES["pyarrow"]).schema.metadata is None


def test_path_or_nothing_gives_polars() -> None:
    frame = pl.DataFrame({"a": [1]})
    assert like(frame, None) is frame
    assert like(frame, "x.csv") is frame


def test_pandas_types() -> None:
    frame = pd.DataFrame(
        {
            "codes": pd.Categorical([10, None]),
            "big": pd.array([2**60 + 1, None], dtype="Int64"),
            "when": pd.Series([dt.date(2020, 1, 1), None], dtype=object),
            "text": pd.Series(["x", None], dtype=object),
            "nothing": pd.Series([None, None], dtype=object),
            "yes": pd.array([True, None], dtype="boolean"),
        }
    )
    found = to_polars(frame)
    day = dt.date(2020, 1, 1)
    assert found.rows() == [(10, 2**60 + 1, day, "x", None, True), (None,) * 6]
    back = like(found, frame)
    assert back["big"].iloc[0] == 2**60 + 1
    assert str(back["yes"].dtype) == "boolean"


def test_names() -> None:
    assert to_polars(pd.DataFrame([[1, 2]])).columns == ["0", "1"]
    twice = [
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]),
        duckdb.sql("select 1 as a, 2 as a"),
    ]
    for frame in twice:
        with pytest.raises(InputError, match="The table has more than one column named 'a'"):
            to_polars(frame)
    with pytest.raises(InputError, match="more than one column named '1'"):
        to_polars(pd.DataFrame([[1, 2]], columns=[1, "1"]))
    columns = pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    with pytest.raises(InputError, match="several levels"):
        to_polars(pd.DataFrame([[1, 2]], columns=columns))
    with pytest.raises(InputError, match="no columns"):
        to_polars(pl.DataFrame())


UNUSABLE: dict[str, Any] = {
    "mixed": pd.DataFrame({"bad": pd.Series([1, "Zebedee"], dtype=object)}),
    "lists": pd.DataFrame({"bad": [["Zebedee"], ["b"]]}),
    "period": pd.DataFrame({"bad": pd.period_range("2020", periods=2, freq="M")}),
    "delta": pd.DataFrame({"bad": pd.to_timedelta([1], unit="D")}),
    "complex": pd.DataFrame({"bad": [1 + 2j]}),
    "pl-list": pl.DataFrame({"bad": [["Zebedee"]]}),
    "pl-struct": pl.DataFrame({"bad": [{"k": "Zebedee"}]}),
    "pl-object": pl.DataFrame({"bad": pl.Series([object()], dtype=pl.Object)}),
    "pl-binary": pl.DataFrame({"bad": [b"Zebedee"]}),
    "arrow-struct": pa.table({"bad": [{"k": "Zebedee"}]}),
    "arrow-map": pa.table({"bad": pa.array([[("k", 1)]], type=pa.map_(pa.string(), pa.int8()))}),
}


@pytest.mark.parametrize("kind", [*UNUSABLE, "duckdb"])
def test_unusable_columns_are_named_and_not_shown(kind: str) -> None:
    duck = "select ['Zebedee'] as bad"
    bad = duckdb.sql(duck) if kind == "duckdb" else UNUSABLE[kind]
    with pytest.raises(InputError, match="Column 'bad'") as caught:
        to_polars(bad)
    assert "Zebedee" not in "".join(traceback.format_exception(caught.value))


def test_a_lazy_frame_that_fails_shows_no_cell() -> None:
    broken = pl.LazyFrame({"a": ["Zebedee"]}).with_columns(pl.col("a").cast(pl.Int64))
    with pytest.raises(InputError, match="could not be computed") as caught:
        to_polars(broken)
    assert "Zebedee" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("thing", [3, "x.csv", {"a": [1]}, [1], pl.Series([1]), pd.Series([1])])
def test_what_is_no_frame(thing: Any) -> None:
    with pytest.raises(InputError, match="pandas, polars or modin"):
        to_polars(thing)
    if not isinstance(thing, str):
        with pytest.raises(InputError, match="pandas, polars or modin"):
            like(pl.DataFrame({"a": [1]}), thing)


def test_pandas_and_duckdb_stay_optional() -> None:
    code = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name in ('pandas', 'duckdb'): raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "import polars as pl, pyarrow as pa\n"
        "from shoal.io.frames import like, to_polars\n"
        "like(to_polars(pl.LazyFrame({'a': [1]})), pa.table({'a': [1]}))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
