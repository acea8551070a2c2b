"""Excel files: in as they come, out as texts and numbers that come back."""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter

import shoal
from shoal.errors import InputError, OutputError
from shoal.io import excel_writing, read
from shoal.io.excel_writing import write_excel

Fill = Callable[[Any, Any], None]


def book(path: Path, *sheets: tuple[str, Fill]) -> Path:
    """Write a workbook with some sheets."""
    made = xlsxwriter.Workbook(path)
    for name, fill in sheets:
        fill(made, made.add_worksheet(name))
    made.close()
    return path


def rows(*lines: tuple[Any, ...], at: tuple[int, int] = (0, 0)) -> Fill:
    """Put cells of any type into a sheet, from a place on."""

    def fill(made: Any, sheet: Any) -> None:
        date = made.add_format({"num_format": "dd.mm.yyyy"})
        for row, line in enumerate(lines, at[0]):
            for column, cell in enumerate(line, at[1]):
                if isinstance(cell, str):
                    sheet.write_string(row, column, cell)
                elif isinstance(cell, dt.date | dt.time):
                    sheet.write_datetime(row, column, cell, date)
                elif cell is not None:
                    sheet.write(row, column, cell)

    return fill


def test_cells_keep_their_types(tmp_path: Path) -> None:
    day = dt.date(2026, 1, 31)
    head = ("zip", "age", "pay", "born", "seen", "mixed", "ok", "hour")
    filled = rows(
        head,
        ("01234", 7, 1.5, day, dt.datetime(2026, 1, 31, 5, 30), 12, True, dt.time(5, 30)),
        ("00999", 8, None, day, dt.datetime(2026, 1, 31), "x", False, dt.time(6)),
        (" é\n", None, 2.25, None, None, day, None, None),
    )
    found = read(book(tmp_path / "x.xlsx", ("people", filled)))
    assert found.describe() == "Excel, sheet 'people'"
    assert found.frame.schema == {
        "zip": pl.String,
        "age": pl.Int64,
        "pay": pl.Float64,
        "born": pl.Date,
        "seen": pl.Datetime("ms"),
        "mixed": pl.String,
        "ok": pl.Boolean,
        "hour": pl.Time,
    }
    assert found.frame["zip"].to_list() == ["01234", "00999", " é\n"]
    assert found.frame["age"].to_list() == [7, 8, None]
    assert found.frame["born"].to_list() == [day, day, None]
    assert found.frame["mixed"].to_list() == ["12", "x", "2026-01-31"]


def test_numbers_shown_with_leading_zeros_are_numbers(tmp_path: Path) -> None:
    def fill(made: Any, sheet: Any) -> None:
        sheet.write_string(0, 0, "zip")
        sheet.write_number(1, 0, 1234, made.add_format({"num_format": "00000"}))

    assert read(book(tmp_path / "x.xlsx", ("a", fill))).frame.rows() == [(1234,)]


def test_a_text_that_looks_like_midnight_stays(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", ("a", rows(("t",), ("2026-01-31 00:00:00",), ("x",))))
    assert read(path).frame["t"].to_list() == ["2026-01-31 00:00:00", "x"]


def test_what_is_empty_around_the_table_is_left_out(tmp_path: Path) -> None:
    def fill(made: Any, sheet: Any) -> None:
        rows(("a", "b"), (1, "x"), (2, None), at=(3, 2))(made, sheet)
        for row, column in ((0, 0), (9, 2), (4, 8)):
            sheet.write_string(row, column, " ")

    assert read(book(tmp_path / "x.xlsx", ("s", fill))).frame.rows() == [(1, "x"), (2, None)]


def test_a_row_that_is_empty_inside_is_named(tmp_path: Path) -> None:
    path = book(
        tmp_path / "x.xlsx", ("s", rows(("a", "b"), (1, 2), (None, None), ("Source", None)))
    )
    with pytest.raises(InputError, match=r"Before row 4 of the sheet 's'.*an empty one inside"):
        read(path)


def test_a_merged_header_is_refused(tmp_path: Path) -> None:
    def fill(made: Any, sheet: Any) -> None:
        sheet.merge_range(0, 0, 0, 1, "name")
        rows(("Ann", "Lee"), ("Bob", "Ray"), at=(1, 0))(made, sheet)

    with pytest.raises(InputError, match=r"no name to the columns at position 2: it is merged"):
        read(book(tmp_path / "x.xlsx", ("s", fill)))
    with pytest.raises(InputError, match="more than one column named 'a'"):
        read(book(tmp_path / "y.xlsx", ("s", rows(("a", "a"), (1, 2)))))


def test_a_sheet_is_named_or_numbered(tmp_path: Path) -> None:
    path = book(
        tmp_path / "x.xlsx",
        ("2025", rows(("a",), (1,))),
        ("notes", rows()),
        ("2", rows(("a",), (2,))),
    )
    with pytest.raises(InputError, match=r"2 sheets of 'x.xlsx' hold cells: '2025', '2'\."):
        read(path)
    assert read(path, sheet="2025").frame.rows() == [(1,)]
    assert read(path, sheet="2").frame.rows() == [(2,)]
    assert read(path, sheet=3).frame.rows() == [(2,)]
    assert read(path, sheet="1").frame.rows() == [(1,)]
    with pytest.raises(InputError, match="Did you mean 'notes'"):
        read(path, sheet="note")
    with pytest.raises(InputError, match=r"no sheet 4\. It has: '2025', 'notes', '2'"):
        read(path, sheet=4)
    with pytest.raises(InputError, match=r"The sheet 'notes' of 'x\.xlsx' is empty"):
        read(path, sheet="notes")


def test_the_only_filled_sheet_is_meant(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", ("empty", rows()), ("b", rows(("a",), (1,))))
    assert read(path).frame.rows() == [(1,)]


def test_no_rows_and_no_cells(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a header and no rows"):
        read(book(tmp_path / "x.xlsx", ("s", rows(("a", "b")))))
    with pytest.raises(InputError, match=r"The sheet 's' of 'z\.xlsx' is empty"):
        read(book(tmp_path / "z.xlsx", ("s", rows((" ", "\t"), ("  ",)))))
    with pytest.raises(InputError, match="holds no cells"):
        read(book(tmp_path / "y.xlsx", ("s", rows())))


def test_damage(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", ("s", rows(("a",), (1,))))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="not an Excel file, or it is damaged"):
        read(path)
    path.write_bytes(bytes.fromhex("D0CF11E0A1B11AE1") + b"EncryptedPackage" * 40)
    with pytest.raises(InputError, match="behind a password"):
        read(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="not an Excel file"):
        read(path)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "x.xlsx", ("s", rows(("a",), *[(n,) for n in range(2000)])))
    with pytest.raises(InputError, match=r"The Excel file .* unpacks to more than 9,000 bytes"):
        read(path, max_unpacked=9000)
    assert read(path, max_unpacked=900_000).frame.height == 2000


def test_texts_are_never_formulas_and_nobody_is_named(tmp_path: Path) -> None:
    cells = ["=1+1", "@x", "-5 km", "https://a.b", "_x0041_", "a\tb\nc", " x ", "007", "true"]
    table = pl.DataFrame({"=A1": cells, "n": [2**53, None, *range(7)]})
    write_excel(table, tmp_path / "x.xlsx")
    assert read(tmp_path / "x.xlsx").frame.rows() == table.rows()
    with zipfile.ZipFile(tmp_path / "x.xlsx") as packed:
        parts = {name: packed.read(name).decode() for name in packed.namelist()}
        assert {part.date_time[0] for part in packed.infolist()} == {1980}
    assert not any("<f>" in part or "hyperlink" in part for part in parts.values())
    assert "<dc:creator></dc:creator>" in parts["docProps/core.xml"]
    assert "20" not in parts["docProps/core.xml"].split("created")[1][:40].replace("2001", "")


def test_numbers_that_excel_rounds_are_texts(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "sum": [0.1 + 0.2, 1.0],
            "big": [2**53 + 1, 1],
            "odd": [float("inf"), 1.0],
            "day": [dt.date(2026, 1, 2), None],
            "fine": [0.5, -1e300],
        }
    )
    write_excel(table, tmp_path / "x.xlsx")
    assert read(tmp_path / "x.xlsx").frame.rows() == [
        ("0.30000000000000004", "9007199254740993", "inf", "2026-01-02", 0.5),
        ("1", "1", "1", None, -1e300),
    ]


def test_more_than_a_sheet_holds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert excel_writing.ROWS + 1 == 1_048_576
    path = tmp_path / "x.xlsx"
    with pytest.raises(OutputError, match=r"1,048,576 rows, and .* 1,048,575.*CSV or Parquet"):
        write_excel(pl.DataFrame({"a": pl.repeat(1, 1_048_576, eager=True)}), path)
    with pytest.raises(OutputError, match="16,385 columns"):
        write_excel(pl.DataFrame({str(n): [1] for n in range(16_385)}), path)
    with pytest.raises(OutputError, match="Column 'a' has 1 text of more than 32,767 letters"):
        write_excel(pl.DataFrame({"a": ["x" * 32_768]}), path)
    assert not path.exists()


def test_a_release_is_written_read_back_and_verified(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 30] * 10, "zip": ["01234"] * 20, "ill": ["=1+1", None] * 10})
    schema = {"age": "quasi", "zip": "quasi", "ill": "sensitive"}
    made = shoal.anonymize(frame, schema, require=2, seed=1)
    for name in ("one", "two"):
        made.write(tmp_path / name, format="xlsx")
    again = shoal.open_release(tmp_path / "one")
    assert again.verify().passed
    assert again.verify(original=frame).passed
    assert set(again.table["zip"]) == {"01234"}
    assert "formulas" not in again.facts
    bytes_ = [(tmp_path / name / "table.xlsx").read_bytes() for name in ("one", "two")]
    assert bytes_[0] == bytes_[1]
    with pytest.raises(shoal.errors.ParameterError, match="An Excel file has no separator"):
        made.write(tmp_path / "three", format="xlsx", separator=";")


def test_a_changed_cell_is_noticed(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 30] * 10, "ill": ["flu", "HIV"] * 10})
    made = shoal.anonymize(frame, {"age": "quasi", "ill": "sensitive"}, require=2, seed=1)
    made.write(tmp_path / "out", format="xlsx")
    table = read(tmp_path / "out" / "table.xlsx").frame
    damaged = table.with_columns(age=pl.Series(["99", *table["age"][1:]]))
    write_excel(damaged, tmp_path / "out" / "table.xlsx")
    found = shoal.open_release(tmp_path / "out").verify()
    assert not found.passed


def test_empty_texts_that_are_values_are_not_lost(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 30] * 10, "ill": ["", "HIV"] * 10})
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive(missing=["NA"])})
    made = shoal.anonymize(frame, schema, require=2)
    with pytest.raises(OutputError, match="'ill' has 10 empty texts, and Excel can only"):
        made.write(tmp_path / "out", format="xlsx")
    assert not (tmp_path / "out").exists()


def test_sensitive_numbers_with_missing_cells_are_written(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 30] * 10, "income": [1.5, None] * 10})
    made = shoal.anonymize(frame, {"age": "quasi", "income": "sensitive"}, require=2)
    made.write(tmp_path / "out", format="xlsx")
    assert shoal.open_release(tmp_path / "out").verify(original=frame).passed


def test_a_table_far_down_is_seen(tmp_path: Path) -> None:
    below = rows(("a",), (2,), at=(500, 3))
    path = book(tmp_path / "x.xlsx", ("up", rows(("a",), (1,))), ("down", below))
    with pytest.raises(InputError, match="2 sheets of 'x"):
        read(path)
    assert read(path, sheet="down").frame.rows() == [(2,)]
