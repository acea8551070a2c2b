import datetime as dt

import polars as pl
import pytest

import shoal
from shoal.errors import InputError
from shoal.steward.proposal import ColumnProfile, Looks, profile


def one(values: object, dtype: object = None) -> ColumnProfile:
    return profile(pl.DataFrame({"x": pl.Series(values, dtype=dtype)}))[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "looks"),
    [
        (["1", "22", "-3", " 4 "], Looks.INTEGER),
        (["1.5", "2", ".5", "1e3"], Looks.DECIMAL),
        (["01234", "10115"], Looks.CODE),
        (["007", "12"], Looks.CODE),
        (["12345678901234567890", "1"], Looks.CODE),
        ([f"A{i:02}" for i in range(20)], Looks.CODE),
        (["yes", "No"], Looks.BOOLEAN),
        (["0", "1"], Looks.BOOLEAN),
        (["red", "green", "blue"], Looks.CATEGORY),
        (["Some college, no degree", "A school of long name"], Looks.CATEGORY),
        ([f"The patient {i} was seen by Dr. House" for i in range(20)], Looks.TEXT),
        (["a\nb", "c"], Looks.TEXT),
        (["x" * 500], Looks.TEXT),
        (["2024-03-17", "1999-12-31"], Looks.DATE),
        (["2024-03", "1999-12"], Looks.DATE),
        (["2024-03-17T10:00:00Z", "1999-12-31 23:59"], Looks.DATE),
        (["17.3.2024", "02.11.1999"], Looks.DATE),
        (["20240317", "19991231"], Looks.DATE),
        (["2024-13-17", "1999-12-31"], Looks.CATEGORY),
        (["inf", "1.5"], Looks.CATEGORY),
        ([True, False], Looks.BOOLEAN),
        ([1, 2, None], Looks.INTEGER),
        ([1.0, 2.0], Looks.INTEGER),
        ([1.5, None], Looks.DECIMAL),
        ([float("inf"), 1.0, float("nan")], Looks.CATEGORY),
        ([10**18, 1], Looks.CODE),
        ([dt.date(2024, 3, 17)], Looks.DATE),
        ([dt.datetime(2024, 3, 17, 10)], Looks.DATE),
        ([dt.time(10)], Looks.CATEGORY),
        (["", "*", None], Looks.NOTHING),
        ([None, None], Looks.NOTHING),
    ],
)
def test_looks(values: list[object], looks: Looks) -> None:
    assert one(values).looks is looks


def test_categories_and_enums_are_texts() -> None:
    assert one(["a", "b"], pl.Categorical).looks is Looks.CATEGORY
    assert one(["a", "b"], pl.Enum(["a", "b", "c"])).distinct == 2


def test_counts() -> None:
    found = one(["a", "a", "b", "", "*", None])
    assert (found.rows, found.missing, found.known, found.distinct) == (6, 3, 3, 2)
    assert found.most_frequent == found.unique_share == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", ["count", "value", "len", "literal", ""])
def test_a_column_may_have_any_name(name: str) -> None:
    frame = pl.DataFrame({name: ["a", "b"], "y": ["a", "b"]})
    if not name:
        with pytest.raises(InputError):
            profile(frame)
    else:
        assert profile(frame)[0].name == name


@pytest.mark.parametrize(
    ("values", "tokens"),
    [
        (["1", "2", "NA"], ("NA",)),
        (["1", "2", " n/a ", "unknown", "-", "."], (" n/a ", "-", ".", "unknown")),
        (["01234", "10115", "null"], ("null",)),
        (["2024-03-17", "Unbekannt"], ("Unbekannt",)),
        (["Private", "State-gov", "?", " ?"], (" ?", "?")),
        (["Berlin", "Hamburg", "NA"], ("NA",)),
        (["DE", "FR", "NA"], ()),
        (["+", "-"], ()),
        (["yes", "no", "unknown"], ()),
        (["Private", "State-gov", "unknown", "none"], ()),
        (["?"], ("?",)),
        (["unknown"], ()),
    ],
)
def test_suspicious_tokens(values: list[str], tokens: tuple[str, ...]) -> None:
    found = one(values)
    assert found.missing_tokens == tokens
    assert found.missing == len(tokens)


def test_counter() -> None:
    assert one(["3", "1", "2"]).is_counter
    assert one([11, 12, 13, None]).is_counter
    assert not one(["1", "2", "4"]).is_counter
    assert not one(["1", "2", "2"]).is_counter


def test_twins_ignore_missing_cells_and_chance() -> None:
    frame = pl.DataFrame(
        {
            "label": ["a", "b", "c", "?"] * 10,
            "code": [1, 2, 3, None] * 10,
            "other": ["x", "y", "z", "z"] * 10,
            "shuffled": ["a", "b", "c", "?"] * 9 + ["b", "a", "c", "?"],
        }
    )
    twins = {column.name: column.twins for column in profile(frame)}
    assert twins["label"] == ("code", "other")
    assert twins["shuffled"] == ()
    assert all(not column.twins for column in profile(frame.head(8)))


def test_adult() -> None:
    found = {c.name: c for c in profile(shoal.datasets.adult().cast(pl.String).fill_null(""))}
    assert found["workclass"].missing == 2799
    assert found["education"].twins == ("education-num",)
    assert {n for n, c in found.items() if c.looks is Looks.INTEGER} == {
        "age",
        "fnlwgt",
        "education-num",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
    }


def test_the_frame_is_not_touched() -> None:
    frame = pl.DataFrame({"a": ["1", None], "b": [1.0, float("nan")]})
    before = frame.clone()
    profile(frame)
    assert frame.equals(before)


def test_no_rows() -> None:
    with pytest.raises(InputError, match="no rows"):
        profile(pl.DataFrame({"a": []}))


def test_nothing_printed_holds_a_cell() -> None:
    frame = pl.DataFrame({"a": ["CANARY1", "CANARY2"], "n": [86420, 97531], "d": ["CANARY"] * 2})
    assert not any(word in repr(profile(frame)) for word in ("CANARY", "86420", "97531"))
