from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st
from polars.testing import assert_frame_equal

from shoal.datasets import adult, with_missing
from shoal.errors import InputError, ParameterError
from shoal.table.missingness import Missingness

QUASI = [
    "age",
    "sex",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
]
CELLS = st.sampled_from(["a", "b", "", "*", None])


@st.composite
def tables(draw: Any) -> pl.DataFrame:
    n = draw(st.integers(1, 30))
    texts = draw(st.lists(CELLS, min_size=n, max_size=n))
    numbers = draw(st.lists(st.none() | st.integers(0, 5), min_size=n, max_size=n))
    others = draw(st.lists(st.none() | st.floats(0, 1), min_size=n, max_size=n))
    data = {"text": texts, "number": numbers, "other": others}
    return pl.DataFrame(data, schema={"text": pl.String, "number": pl.Int64, "other": pl.Float64})


def holes(table: pl.DataFrame, columns: list[str]) -> np.ndarray:
    masks = []
    for name in columns:
        mask = table[name].is_null()
        if table[name].dtype == pl.String:
            mask |= table[name].is_in(["", "*"]).fill_null(False)
        masks.append(mask.to_numpy())
    return np.column_stack(masks)


@given(tables(), st.decimals(0, 1, places=3), st.integers(0, 99), st.sampled_from([None, "other"]))
def test_the_rate_is_exact_to_the_cell(
    table: pl.DataFrame, rate: Any, seed: int, depends_on: str | None
) -> None:
    columns = ["text", "number"]
    before, untouched = holes(table, columns), table.clone()
    wanted = round(Fraction(str(rate)) * before.size)
    if wanted < before.sum():
        with pytest.raises(ParameterError, match="already missing"):
            with_missing(table, float(rate), seed, columns, depends_on)
        return
    made = with_missing(table, float(rate), seed, columns, depends_on)
    after = holes(made, columns)
    assert after.sum() == wanted
    assert (after >= before).all()
    assert made.schema == table.schema
    assert_frame_equal(table, untouched)
    assert_frame_equal(made.select("other"), table.select("other"))
    for place, name in enumerate(columns):
        kept = pl.Series(~after[:, place] | before[:, place])
        assert made[name].filter(kept).equals(table[name].filter(kept), null_equal=True)


@given(
    tables(), st.floats(0, 1), st.floats(0, 1), st.integers(0, 99), st.sampled_from([None, "other"])
)
def test_a_larger_rate_has_the_holes_of_a_smaller_one(
    table: pl.DataFrame, one: float, two: float, seed: int, depends_on: str | None
) -> None:
    columns = ["text", "number"]
    present = float(holes(table, columns).mean())
    low, high = sorted(present + (1 - present) * share for share in (one, two))
    few, many = (
        holes(with_missing(table, min(rate, 1.0), seed, columns, depends_on), columns)
        for rate in (low, high)
    )
    assert (many >= few).all()


def test_the_same_seed_gives_the_same_table_and_another_seed_another() -> None:
    table = adult().select(QUASI)
    made = with_missing(table, 0.1, 1)
    assert made.equals(with_missing(table, 0.1, 1))
    assert not made.equals(with_missing(table, 0.1, 2))
    assert made.equals(with_missing(table, 0.1, 1, QUASI))


def test_adult_reaches_the_papers_rates() -> None:
    table = adult().select(QUASI)
    for rate in (0.05, 0.1, 0.3):
        found = Missingness.of(holes(with_missing(table, rate, 3), QUASI), QUASI)
        assert found.cells == round(rate * table.height * len(QUASI))
    with pytest.raises(ParameterError, match=r"6,465 of 390,736 .* rate of 0\.016546; 0\.01 is"):
        with_missing(table, 0.01, 3)


def test_halves_go_to_the_even_number() -> None:
    table = pl.DataFrame({"x": range(10)})
    lost = [with_missing(table, rate, 0)["x"].null_count() for rate in (0.15, 0.25, 0.35, 0.45)]
    assert lost == [2, 2, 4, 4]


def test_without_depends_on_all_cells_are_alike() -> None:
    table = pl.DataFrame({"x": range(20_000), "y": range(20_000)})
    made = with_missing(table, 0.2, 5)
    gone = holes(made, ["x", "y"])
    assert gone.mean(axis=0) == pytest.approx([0.2, 0.2], abs=0.01)
    assert gone.reshape(10, -1).mean(axis=1) == pytest.approx([0.2] * 10, abs=0.03)
    assert (gone.all(axis=1)).mean() == pytest.approx(0.04, abs=0.01)


def test_with_depends_on_the_chance_grows_with_the_rank() -> None:
    cause = ["low", "mid", "very high", None] * 10_000  # l < m < v; weights 1, 2, 3 and 2
    table = pl.DataFrame({"cause": cause, "x": range(40_000)})
    made = with_missing(table, 0.02, 5, depends_on="cause")
    assert made["cause"].equals(table["cause"], null_equal=True)
    lost = made.filter(pl.col("x").is_null())["cause"].value_counts()
    share = {value: count / 800 for value, count in lost.iter_rows()}
    expected = {"low": 1 / 8, "mid": 2 / 8, "very high": 3 / 8, None: 2 / 8}
    assert share == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([3, 20, 100] * 400),
        pl.Series(["b", "a", "c"] * 400, dtype=pl.Categorical),
        pl.Series([None, None, None] * 400, dtype=pl.Int64),
        pl.Series(["*", "", "z"] * 400),
    ],
)
def test_depends_on_any_kind_of_column(values: pl.Series) -> None:
    table = pl.DataFrame({"cause": values, "x": range(1200)})
    assert with_missing(table, 0.5, 1, depends_on="cause")["x"].null_count() == 600


def test_categories_keep_their_type_and_count_tokens() -> None:
    kind = pl.Enum(["a", "?"])
    table = pl.DataFrame({"x": pl.Series(["a", "?"] * 10, dtype=kind)})
    made = with_missing(table, 0.75, 1, missing="?")
    assert made.schema == {"x": kind}
    assert made["x"].null_count() == 5
    assert (made["x"] == "?").sum() == 10


def test_ends_of_the_scale() -> None:
    table = pl.DataFrame({"x": [1, 2, 3]})
    assert with_missing(table, 0, 1).equals(table)
    assert with_missing(table, 1, 1)["x"].null_count() == 3
    empty = table.clear()
    assert with_missing(empty, 0.5, 1).equals(empty)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rate": 1.1}, "rate must be a number from 0 to 1"),
        ({"rate": -0.1}, "rate must be a number from 0 to 1"),
        ({"rate": float("nan")}, "rate must be a number from 0 to 1"),
        ({"rate": True}, "rate must be a number from 0 to 1"),
        ({"rate": "0.1"}, "rate must be a number from 0 to 1"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": 0.5}, "seed must be a whole number"),
        ({"columns": "sex"}, r"columns must list names\. Give \['sex'\]"),
        ({"columns": ["sxe"]}, "no column 'sxe'. Did you mean 'sex'"),
        ({"columns": []}, "No column was given to get missing cells"),
        ({"depends_on": "aeg"}, "no column 'aeg'. Did you mean 'age'"),
        ({"columns": ["age"], "depends_on": "age"}, "depends_on names 'age'"),
    ],
)
def test_refusals_say_what_to_do(change: dict[str, Any], words: str) -> None:
    table = pl.DataFrame({"age": [1, 2], "sex": ["m", "f"]})
    with pytest.raises(ParameterError, match=words):
        with_missing(table, **{"rate": 0.5, "seed": 1, **change})


def test_only_polars_frames_are_taken() -> None:
    with pytest.raises(InputError, match="not a dict"):
        with_missing({"x": [1]}, 0.5, 1)  # type: ignore[arg-type]
