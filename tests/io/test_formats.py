"""What every format of table files must keep, whoever adds one."""

from __future__ import annotations

import gzip
from importlib.metadata import EntryPoint
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import InputError, ParameterError, PlanError
from shoal.io import FORMATS, read
from shoal.io.formats import Format, find_format, format_by_content, table_suffixes, writer
from shoal.io.frames import Coded
from shoal.io.result import Read

NAMES = list(FORMATS)
WRITTEN = [name for name in FORMATS if FORMATS[name].write is not None]
TABLE = pl.DataFrame({"zip": ["01234", "00999", None], "name": ["é", "αβ", "=1+1"]})


def test_all_are_found() -> None:
    assert {"csv", "parquet", "sas", "spss", "stata", "xlsx"} <= set(NAMES)


def test_no_two_share_a_suffix() -> None:
    every = table_suffixes()
    assert len(every) == len(set(every))
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in every)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_table_is_refused_in_two_sentences(name: str, tmp_path: Path) -> None:
    suffix = FORMATS[name].suffixes[0]
    for number, data in enumerate((b"", b"\0\1\2\3" * 300, b"PK\3\4 not a workbook")):
        path = tmp_path / f"{number}{suffix}"
        path.write_bytes(data)
        with pytest.raises(InputError) as caught:
            read(path)
        assert caught.value.problem.endswith(".")
        assert caught.value.hint
    with pytest.raises(InputError, match="There is no file"):
        read(tmp_path / f"none{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        read(tmp_path / f"folder{suffix}")


@pytest.mark.parametrize("name", NAMES)
def test_options_of_others_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{FORMATS[name].suffixes[0]}"
    path.write_bytes(b"a\n1\n")
    for option in ("separator", "quote", "sheet", "decimal", "thousands", "encoding"):
        if option not in FORMATS[name].options:
            with pytest.raises(ParameterError, match=f"file has no {option}"):
                read(path, format=name, **{option: "'"})


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_comes_back(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{name}"
    writer(name).write(TABLE, path)  # type: ignore[misc]
    first = path.read_bytes()
    found = read(path)
    assert (found.format, found.frame.columns) == (name, TABLE.columns)
    assert found.frame.fill_null("").rows() == TABLE.fill_null("").rows()
    writer(name).write(Coded(TABLE), path)  # type: ignore[misc]
    assert path.read_bytes() == first
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", WRITTEN)
def test_the_content_tells_whatever_the_name_says(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.sav"
    writer(name).write(TABLE, path)  # type: ignore[misc]
    told = format_by_content(path, path.read_bytes()[:512])
    assert told is None if name == "csv" else told is FORMATS[name]


def test_only_texts_are_read_while_packed(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet.gz"
    TABLE.write_parquet(tmp_path / "x.parquet")
    path.write_bytes(gzip.compress((tmp_path / "x.parquet").read_bytes()))
    with pytest.raises(ParameterError, match="A Parquet file is not read while it is packed"):
        read(path)


def test_names_that_tell_nothing_and_addresses_list_what_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.csv.*\.parquet.*\.sav.*\.dta.*\.xlsx"):
        find_format(Path("people"), b"a,b")
    for address in ("https://example.org/people.csv", "s3://place/people.parquet"):
        with pytest.raises(InputError, match=r"is a web address.*\.csv.*\.xlsx.* can be read"):
            read(address)


def test_a_plan_takes_the_formats_there_are() -> None:
    data = {"columns": {"age": "x"}, "require": [{"model": "k-anonymity", "k": 2}]}
    data["columns"] = {"age": {"role": "quasi"}}
    for name in NAMES:
        assert shoal.Plan.from_dict({**data, "input": {"format": name}}).input.format == name
        if name in WRITTEN:
            shoal.Plan.from_dict({**data, "output": {"format": name}})
        else:
            with pytest.raises(PlanError, match="one of csv, parquet"):
                shoal.Plan.from_dict({**data, "output": {"format": name}})
    with pytest.raises(PlanError, match=r"'input\.format' is not valid: it must be one of csv"):
        shoal.Plan.from_dict({**data, "input": {"format": "cvs"}})
    described = shoal.Plan.json_schema()["$defs"]
    assert described["InputPlan"]["properties"]["format"]["anyOf"][0]["enum"] == NAMES
    assert described["OutputPlan"]["properties"]["format"]["enum"] == WRITTEN


def _read_lines(path: Path, **options: object) -> Read:
    return Read(Coded(pl.DataFrame({"line": path.read_text().splitlines()})), None, "lines")


LINES = Format(
    name="lines",
    title="line",
    suffixes=(".lines",),
    fits=lambda head, path: False,
    read=_read_lines,
)


def test_another_package_adds_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("lines", f"{__name__}:LINES", FORMATS.room)
    monkeypatch.setattr(EntryPoint, "load", lambda self: LINES)
    monkeypatch.setitem(FORMATS.__dict__, "declared", {"lines": entry})
    monkeypatch.setattr(FORMATS, "_loaded", dict(FORMATS._loaded))
    (tmp_path / "x.lines").write_text("a\nb\n")
    assert read(tmp_path / "x.lines").frame["line"].to_list() == ["a", "b"]
    assert ".lines" in table_suffixes()
