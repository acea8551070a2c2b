from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.steward.proposal import propose
from shoal.steward.proposal.numerals import Numerals, Writing, find_numerals, writing_of


def found(**columns: list[str]) -> Numerals:
    return find_numerals(pl.DataFrame(columns))


@pytest.mark.parametrize(
    ("texts", "writing"),
    [
        (["3.865,11", "12"], Writing.COMMA),
        (["1,5", "-2,25"], Writing.COMMA),
        (["1.234.567"], Writing.COMMA),
        (["12345,678"], Writing.COMMA),
        ([" 1.234,5 "], Writing.COMMA),
        (["0,125"], Writing.COMMA),
        (["3,865.11"], Writing.POINT),
        (["0.125"], Writing.POINT),
        (["1234.567"], Writing.POINT),
        (["3.5", "12"], Writing.POINT),
        (["1,234,567"], Writing.POINT),
        (["1.234", "7"], Writing.UNCLEAR),
        (["1,234"], Writing.UNCLEAR),
        (["12", "7"], None),
        (["17.03.2024"], None),
        (["1,2,3", "1,2"], None),
        (["3.5", "3,5"], None),
        (["01.234,5"], None),
        ([], None),
    ],
)
def test_writing(texts: list[str], writing: Writing | None) -> None:
    assert writing_of(pl.Series(texts, dtype=pl.String)) is writing


def test_a_column_beyond_doubt_decides_about_others() -> None:
    made = found(rent=["1.234", "800"], town=["Ulm", "Bonn"], wage=["12,50", ""], n=["3", "4"])
    assert (made.lines, made.columns) == ({"decimal": ",", "thousands": "."}, ("rent", "wage"))
    assert not made.doubts
    assert found(size=["1,75", "1,8"]).lines == {"decimal": ","}
    assert found(rent=["1,234", "9"], size=["1,75", "?"]).columns == ("rent", "size")


def test_points_stay_decimal_points_beside_others() -> None:
    made = found(ratio=["1.234", "2.345"], size=["1.75", "1.8"])
    assert made == Numerals()
    made = found(pay=["1,234.50", "12.00"], rent=["1,234", "800"], ratio=["1.234", "2.5"])
    assert (made.lines, made.columns) == ({"thousands": ","}, ("pay", "rent"))


def test_what_is_not_shown_is_asked() -> None:
    point = found(rent=["1.234", "800"])
    assert not point.lines
    assert "'rent'" in point.doubts[0]
    assert "read as a decimal point" in point.doubts[0]
    comma = found(rent=["1,234", "800"])
    assert "read as texts" in comma.doubts[0]
    mixed = found(a=["1,5", "2,5"], b=["1.5", "2.5"])
    assert not mixed.lines
    assert "comma in 'a' and a decimal point in 'b'" in mixed.doubts[0]


def test_reading_keeps_what_is_no_number() -> None:
    frame = pl.DataFrame({"wage": ["-3.865,11", "NA", "", None, "950"], "town": ["a,b"] * 5})
    read = find_numerals(frame).read(frame)
    assert read["wage"].to_list() == ["-3865.11", "NA", "", None, "950"]
    assert read["town"].equals(frame["town"])
    english = pl.DataFrame({"pay": ["1,234.50", "7"]})
    assert find_numerals(english).read(english)["pay"].to_list() == ["1234.50", "7"]


def test_a_word_in_a_late_row_is_seen() -> None:
    assert found(size=["1,75"] * 900 + ["tall"]) == Numerals()
    assert found(size=[""] * 900 + ["1,75"]).decimal == ","


def table(folder: Path, writing: str) -> Path:
    rows = [f"{20 + i % 40};{writing % (i % 30, 10 + i % 7)}" for i in range(120)]
    path = folder / "t.csv"
    path.write_text("age;size\n" + "\n".join(rows) + "\n")
    return path


def test_a_file_with_commas(tmp_path: Path) -> None:
    made = propose(table(tmp_path, "%d,%d"))
    assert made.plan.input.decimal == ","
    assert made.plan.input.thousands is None
    assert made.plan.columns["size"].kind == "numeric"
    written = shoal.Plan.read(made.write(tmp_path / "plan.toml"))
    assert written.input.decimal == ","


def test_columns_that_are_published_as_they_are_are_listed_as_numbers(tmp_path: Path) -> None:
    table(tmp_path, "%d,%d")
    for signs in ({}, {"decimal": ","}):
        made = propose(tmp_path / "t.csv", sensitive="size", **signs)
        assert made.plan.input.numbers == ("size",)
        assert propose(tmp_path / "t.csv", quasi="size", **signs).plan.input.numbers == ()


def test_a_doubt_is_a_check_in_the_plan(tmp_path: Path) -> None:
    made = propose(table(tmp_path, "%d.1%d"), quasi="size")
    assert made.numerals.doubts == ()  # a zero leads here, so the point is a decimal point
    path = tmp_path / "t.csv"
    path.write_text(path.read_text().replace(";0.", ";1."))
    made = propose(path, quasi="size")
    text = made.to_toml()
    assert "# CHECK: In column 'size' each point comes before three digits" in text
    assert "lines that begin with CHECK" in text
    assert made.plan.input.decimal is None


def test_frames_are_taken_as_they_are() -> None:
    """A plan says how a file is read; a frame is not read."""
    frame = pl.DataFrame({"age": [f"{i % 40}" for i in range(120)], "size": ["1,5", "2,5"] * 60})
    made = propose(frame)
    assert made.numerals == Numerals()
    assert made.plan.columns["size"].kind == "categorical"
