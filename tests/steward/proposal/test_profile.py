import datetime as dt

import polars as pl
import pytest

import shoal
from shoal.errors import InputError
from shoal.steward.proposal import Appearance, ColumnProfile, profile


def one(values: object, dtype: object = None) -> ColumnProfile:
    return profile(pl.DataFrame({"x": pl.Series(values, dtype=dtype)}))[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "appearance"),
    [
        (["1", "22", "-3", " 4 "], Appearance.INTEGER),
        (["1.5", "2", ".5", "1e3"], Appearance.DECIMAL),
        (["01234", "10115"], Appearance.CODE),
        (["007", "12"], Appearance.CODE),
        (["12345678901234567890", "1"], Appearance.CODE),
        ([f"A{i:02}" for i in range(20)], Appearance.CODE),
        (["yes", "No"], Appearance.BOOLEAN),
        (["0", "1"], Appearance.BOOLEAN),
        (["red", "green", "blue"], Appearance.CATEGORY),
        (["Some college, no degree", "A school of long name"], Appearance.CATEGORY),
        ([f"The patient {i} was seen by Dr. House" for i in range(20)], Appearance.TEXT),
        (["a\nb", "c"], Appearance.TEXT),
        (["x" * 500], Appearance.TEXT),
        (["2024-03-17", "1999-12-31"], Appearance.DATE),
        (["2024-03", "1999-12"], Appearance.DATE),
        (["2024-03-17T10:00:00Z", "1999-12-31 23:59"], Appearance.DATE),
        (["17.3.2024", "02.11.1999"], Appearance.DATE),
        (["20240317", "19991231"], Appearance.DATE),
        (["2024-13-17", "1999-12-31"], Appearance.CATEGORY),
        (["inf", "1.5"], Appearance.CATEGORY),
        ([True, False], Appearance.BOOLEAN),
        ([1, 2, None], Appearance.INTEGER),
        ([1.0, 2.0], Appearance.INTEGER),
        ([1.5, None], Appearance.DECIMAL),
        ([float("inf"), 1.0, float("nan")], Appearance.CATEGORY),
        ([10**18, 1], Appearance.CODE),
        ([dt.date(2024, 3, 17)], Appearance.DATE),
        ([dt.datetime(2024, 3, 17, 10)], Appearance.DATE),
        ([dt.time(10)], Appearance.CATEGORY),
        (["", "*", None], Appearance.NOTHING),
        ([None, None], Appearance.NOTHING),
    ],
)
def test_appearance(values: list[object], appearance: Appearance) -> None:
    assert one(values).appearance is appearance


def test_categories_and_enums_are_texts() -> None:
    assert one(["a", "b"], pl.Categorical).appearance is Appearance.CATEGORY
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
    assert {n for n, c in found.items() if c.appearance is Appearance.INTEGER} == {
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
