from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, strategies as st

from shoal.io.formulas import escape, unescape

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
    frame = pl.DataFrame({"a": pl.Series(cells, dtype=pl.String)})
    written = escape(frame)
    assert unescape(written).equals(frame)
    for before, after in zip(cells, written["a"], strict=True):
        if after is None or after == before:
            continue
        assert after == f"'{before}"
    for cell in written["a"]:
        if cell and cell[0] in SIGNS:
            float(cell)  # nothing but a number begins so


@pytest.mark.parametrize("number", ["-5", "+5.2", "-.5", "-1e-9", "+3.", "-0"])
def test_a_plain_number_stays_one(number: str) -> None:
    assert escape(pl.DataFrame({"a": [number]}))["a"].to_list() == [number]


@pytest.mark.parametrize("text", ["-", "-5 km", "--5", "+1+1", "-5\n", "=5", "@5", "-1e", "\t5"])
def test_what_only_begins_like_a_number_is_escaped(text: str) -> None:
    assert escape(pl.DataFrame({"a": [text]}))["a"].to_list() == [f"'{text}"]


def test_names_that_differ_by_an_apostrophe_stay_different() -> None:
    frame = pl.DataFrame({"=x": ["a"], "'=x": ["b"], "''=x": ["c"], "x": ["d"]})
    assert escape(frame).columns == ["'=x", "''=x", "'''=x", "x"]
    assert unescape(escape(frame)).equals(frame)
