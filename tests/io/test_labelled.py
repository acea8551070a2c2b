"""Files of SPSS, Stata and SAS. No tool we know writes .sas7bdat: only its refusals are here."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

from shoal.errors import InputError
from shoal.io import read
from shoal.io.labelled import labelled

DAY = dt.date(1990, 1, 31)
PEOPLE = pl.DataFrame(
    {
        "sex": [1.0, 2.0, None, 9.0],
        "age": [30.0, 41.0, 998.0, 22.0],
        "pay": [1.5, None, 2.25, 3.0],
        "zip": ["01234", "00999", "", "é α"],
        "born": [DAY, None, dt.date(2000, 2, 29), dt.date(1960, 1, 1)],
        "seen": [dt.datetime(2020, 1, 1, 3, 4), None, None, dt.datetime(1999, 12, 31, 23, 59)],
    }
)
LABELS = {"sex": {1: "male", 2: "female", 9: "refused"}}
WRITERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "x.sav": (pyreadstat.write_sav, {"variable_value_labels": LABELS}),
    "x.zsav": (pyreadstat.write_sav, {"variable_value_labels": LABELS, "compress": True}),
    "x.dta": (pyreadstat.write_dta, {"variable_value_labels": LABELS}),
    "x.xpt": (pyreadstat.write_xport, {}),
}


def write(folder: Path, name: str, table: pl.DataFrame = PEOPLE, **more: Any) -> Path:
    function, options = WRITERS[name]
    path = folder / name
    function(table, str(path), **{**options, **more})
    return path


@pytest.mark.parametrize("name", WRITERS)
def test_cells_come_as_they_are_meant(name: str, tmp_path: Path) -> None:
    found = read(write(tmp_path, name)).frame
    labels = ["1", "2", None, "9"] if name == "x.xpt" else ["male", "female", None, "refused"]
    sex = found["sex"] if name != "x.xpt" else found["sex"].cast(pl.String)
    assert sex.to_list() == labels
    assert (found["age"].dtype, found["age"].to_list()) == (pl.Int64, [30, 41, 998, 22])
    assert found["pay"].to_list() == PEOPLE["pay"].to_list()
    assert found["zip"].to_list() == PEOPLE["zip"].to_list()
    assert (found["born"].dtype, found["born"].to_list()) == (pl.Date, PEOPLE["born"].to_list())
    assert found["seen"].to_list() == PEOPLE["seen"].to_list()


def test_portable_files(tmp_path: Path) -> None:
    people = PEOPLE.select("age", "pay").rename(str.upper)
    pyreadstat.write_por(people, str(tmp_path / "x.por"))
    found = read(tmp_path / "x.por")
    assert (found.format, found.describe()) == ("spss", "SPSS")
    assert found.frame["AGE"].to_list() == [30, 41, 998, 22]


def test_what_a_person_said_to_be_missing_is(tmp_path: Path) -> None:
    path = write(tmp_path, "x.sav", missing_ranges={"age": [998], "sex": [{"lo": 8, "hi": 9}]})
    found = read(path).frame
    assert found["age"].to_list() == [30, 41, None, 22]
    assert found["sex"].to_list() == ["male", "female", None, None]


def test_two_codes_stay_two_values() -> None:
    codes = pl.Series([1.0, 2.0, 3.0, 4.0, None])
    assert labelled(codes, {1: "no", 2: "no", 3: "yes"}).to_list() == [
        "no (1)",
        "no (2)",
        "yes",
        "4",
        None,
    ]
    assert labelled(codes, {1: "4"}).to_list() == ["4 (1)", "2", "3", "4", None]
    tricky = labelled(codes, {1: "a", 2: "a", 3: "a (1)"}).to_list()
    assert len(set(tricky)) == 5
    assert labelled(pl.Series(["f", "m", ""]), {"f": "female"}).to_list() == ["female", "m", ""]
    assert labelled(pl.Series([None], dtype=pl.Float64), {1: "a"}).to_list() == [None]


@pytest.mark.parametrize("name", WRITERS)
def test_the_content_tells(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name)
    kinds = {"x.sav": "spss", "x.zsav": "spss", "x.dta": "stata", "x.xpt": "sas"}
    path.rename(tmp_path / "people.csv")
    assert read(tmp_path / "people.csv").format == kinds[name]


@pytest.mark.parametrize("name", WRITERS)
def test_damage(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(InputError) as caught:
        read(path)
    assert "it is damaged" in caught.value.problem
    assert "01234" not in str(caught.value)


@pytest.mark.parametrize("name", WRITERS)
def test_no_rows(name: str, tmp_path: Path) -> None:
    empty = PEOPLE.clear().select("age", "zip")
    with pytest.raises(InputError, match="has no rows"):
        read(
            write(tmp_path, name, empty, **{} if name == "x.xpt" else {"variable_value_labels": {}})
        )


def test_sas7bdat_is_refused_where_it_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.sas7bdat").write_bytes(b"a,b\n1,2\n")
    with pytest.raises(InputError, match="is not a SAS file"):
        read(tmp_path / "x.sas7bdat")
    magic = "000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011"
    (tmp_path / "y.sas7bdat").write_bytes(bytes.fromhex(magic) + bytes(300))
    with pytest.raises(InputError, match="it is damaged"):
        read(tmp_path / "y.sas7bdat")
