from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, strategies as st

from shoal.io import write_csv
from shoal.io.formulas import escape, unescape
from shoal.io.frames import Coded
from shoal.publications.published.folder import read_table

SIGNS = "=+-@\t\r\n＝＋－＠"


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.text(alphabet=f"{SIGNS}'a1. ", max_size=6),
            st.text(max_size=6).filter(lambda text: "\0" not in text),
            st.integers().map(str),
            st.floats(allow_nan=False, allow_infinity=False).map(str),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_the_way_back_is_exact(cells: list[str | None]) -> None:
    words = pl.Series(cells, dtype=pl.String)
    written = escape(words)
    assert unescape(written).equals(words)
    for before, after in zip(cells, written, strict=True):
        if after is None or after == before:
            continue
        assert after == f"'{before}"
    for cell in written:
        if cell and cell[0] in SIGNS and cell not in "=+-@":
            float(cell)  # nothing but a number begins so, and a sign alone computes nothing


@pytest.mark.parametrize("number", ["-5", "+5.2", "-.5", "-1e-9", "+3.", "-0"])
def test_a_plain_number_stays_one(number: str) -> None:
    assert escape(pl.Series([number])).to_list() == [number]


@pytest.mark.parametrize("sign", list("=+-@"))
def test_a_sign_alone_stays_as_it_is(sign: str) -> None:
    words = pl.Series([sign, f"'{sign}", f"{sign}1+1"])
    assert escape(words).to_list()[0] == sign
    assert escape(words).to_list()[1:] == [f"''{sign}", f"'{sign}1+1"]
    assert unescape(escape(words)).equals(words)


@pytest.mark.parametrize("text", ["- ", "-5 km", "--5", "+1+1", "-5\n", "=5", "@5", "-1e", "\t5"])
def test_what_only_begins_like_a_number_is_escaped(text: str) -> None:
    assert escape(pl.Series([text])).to_list() == [f"'{text}"]


def test_names_that_differ_by_an_apostrophe_stay_different(tmp_path: Path) -> None:
    frame = pl.DataFrame({"=x": ["a"], "'=x": ["=b"], "''=x": ["c"], "x": ["'-d"], "*": ["e"]})
    file = tmp_path / "table.csv"
    for table in (frame, Coded(frame), Coded({name: Coded(frame)[name] for name in frame.columns})):
        write_csv(table, file, formulas="escape")
        assert file.read_text().splitlines()[0] == "'=x,''=x,'''=x,x,*"
        facts = {"files": {"table.csv": ""}, "formulas": "escape"}
        assert read_table(file, facts).frame.equals(frame)
