"""Numbers with a decimal comma, read and written."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, strategies as st

from shoal.base.cells import interval_text, number_text
from shoal.errors import ParameterError
from shoal.io import read
from shoal.io.decimals import check_signs, with_comma, with_point, without_comma


def test_numbers_are_read_by_their_signs() -> None:
    written = ["3.865,11", "3865,11", "-1.234.567", "+5", ",5", "1,5e3", " 7,0 ", "01234", None]
    assert with_point(pl.Series(written), ",", ".").to_list() == [
        "3865.11",
        "3865.11",
        "-1234567",
        "+5",
        ".5",
        "1.5e3",
        " 7.0 ",
        "01234",
        None,
    ]


@pytest.mark.parametrize(
    "word", ["1.2", "1.23,4", "12.34", "1,2,3", "1.000.00", "x", "", "1,", "٣"]
)
def test_what_is_no_number_by_these_signs_is_none(word: str) -> None:
    assert with_point(pl.Series([word]), ",", ".").to_list() == [None]


def test_other_signs() -> None:
    assert with_point(pl.Series(["1,234.5", "1.5"]), ".", ",").to_list() == ["1234.5", "1.5"]
    assert with_point(pl.Series(["1'234,5", "1.5"]), ",", "'").to_list() == ["1234.5", None]
    assert with_point(pl.Series(["1 234,5"]), ",", "\u00a0").to_list() == [None]
    assert with_point(pl.Series(["1.234"]), ",").to_list() == [None]


@given(st.floats(-1e9, 1e9), st.floats(0, 1e6), st.booleans())
def test_commas_are_undone(lo: float, width: float, open_end: bool) -> None:
    texts = [number_text(lo), interval_text(lo, lo + width, open_end), "*", ""]
    made = with_comma(pl.Series(texts))
    assert "." not in "".join(made)
    assert without_comma(made).to_list() == texts


@pytest.mark.parametrize(
    ("decimal", "thousands", "problem"),
    [
        (",", ",", "the same"),
        (None, ".", "the same"),
        (";", None, "must be ',' or '.'"),
        (",", "..", "one character"),
        (",", "1", "one character"),
        (",", "-", "one character"),
    ],
)
def test_signs_that_cannot_be(decimal: str | None, thousands: str | None, problem: str) -> None:
    with pytest.raises(ParameterError, match=problem):
        check_signs(decimal, thousands)


def test_a_sign_that_is_the_separator(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,5\n")
    with pytest.raises(ParameterError, match=r"separator of 'x\.csv' and the decimal sign"):
        read(tmp_path / "x.csv", decimal=",")
    (tmp_path / "x.csv").write_text('a,b\n"1,5",2\n')
    found = read(tmp_path / "x.csv", decimal=",", thousands=".")
    assert found.frame.rows() == [("1,5", "2")]  # who knows the roles reads numbers
    assert found.describe().endswith("quote '\"', decimal ',', thousands '.'")
