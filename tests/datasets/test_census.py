import math

import numpy as np
import polars as pl
import pytest

from shoal.datasets import adult, census
from shoal.errors import ParameterError

QUASI = [
    "age",
    "sex",
    "education",
    "marital-status",
    "race",
    "workclass",
    "native-country",
    "salary-class",
]


@pytest.fixture(scope="module")
def real() -> pl.DataFrame:
    return adult()


@pytest.fixture(scope="module")
def made() -> pl.DataFrame:
    return census(48842, seed=1)


def information(table: pl.DataFrame, x: str, y: str) -> float:
    """Mutual information in nats; a missing cell is a value of its own."""
    n = table.height
    xs = dict(table.group_by(x).len().iter_rows())
    ys = dict(table.group_by(y).len().iter_rows())
    pairs = table.group_by(x, y).len().iter_rows()
    return math.fsum(c / n * math.log(c * n / (xs[a] * ys[b])) for a, b, c in pairs)


def test_looks_like_adult(real: pl.DataFrame, made: pl.DataFrame) -> None:
    assert made.schema == real.schema
    for name, dtype in made.schema.items():
        if dtype == pl.String:
            assert set(made[name]) <= set(real[name])
        else:
            assert real[name].min() <= made[name].min()  # type: ignore[operator]
            assert made[name].max() <= real[name].max()  # type: ignore[operator]


@pytest.mark.parametrize("n", [1, 2, 1000, (1 << 18) + 3])
def test_has_the_number_of_rows_asked_for(n: int) -> None:
    table = census(n)
    assert table.height == n
    assert table.n_chunks() == 1


def test_same_seed_same_table_whatever_the_global_generator_does() -> None:
    np.random.seed(1)  # noqa: NPY002
    state = str(np.random.get_state())  # noqa: NPY002
    first = census(5000, seed=3)
    assert str(np.random.get_state()) == state  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    assert census(5000, seed=3).equals(first)


def test_different_seeds_differ() -> None:
    assert not census(5000, seed=3).equals(census(5000, seed=4))


def test_no_row_is_copied(real: pl.DataFrame, made: pl.DataFrame) -> None:
    same = made.join(real, on=real.columns, how="semi", nulls_equal=True)
    assert same.height <= 5  # by chance


def test_education_and_its_number_are_one_function(real: pl.DataFrame, made: pl.DataFrame) -> None:
    pair = ["education", "education-num"]
    assert made.select(pair).unique().height == made["education"].n_unique()
    assert set(made.select(pair).rows()) <= set(real.select(pair).rows())


def test_husbands_are_men(made: pl.DataFrame) -> None:
    husbands = made.filter(pl.col("relationship") == "Husband")
    assert (husbands["sex"] == "Male").mean() > 0.99  # type: ignore[operator]


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ("education", "occupation"),
        ("workclass", "occupation"),
        ("age", "marital-status"),
        ("age", "education"),
        ("race", "native-country"),
        ("sex", "occupation"),
        ("education", "salary-class"),
        ("occupation", "salary-class"),
        ("marital-status", "salary-class"),
        ("age", "hours-per-week"),
        ("salary-class", "capital-gain"),
    ],
)
def test_dependencies_are_kept(real: pl.DataFrame, made: pl.DataFrame, x: str, y: str) -> None:
    assert information(made, x, y) >= 0.5 * information(real, x, y)


def test_missing_cells_come_at_adult_s_rates(real: pl.DataFrame, made: pl.DataFrame) -> None:
    for name in real.columns:
        expected = real[name].null_count()
        assert made[name].null_count() == pytest.approx(expected, rel=0.2)
    lonely = made.filter(pl.col("workclass").is_null() & pl.col("occupation").is_not_null())
    assert lonely.height == 0


def test_distinct_tuples_grow_as_in_adult(real: pl.DataFrame) -> None:
    known = real.drop_nulls()
    drawn = census(60_000, seed=2).drop_nulls()
    for n in (5000, 20_000, 45_222):
        expected = known.sample(n, seed=1).select(QUASI).n_unique()
        assert drawn.head(n).select(QUASI).n_unique() == pytest.approx(expected, rel=0.25)


def test_every_age_of_the_tail_exists() -> None:
    assert set(census(300_000)["age"]) == set(range(17, 91))


@pytest.mark.parametrize(("n", "seed"), [(0, 0), (-5, 0), (10, -1)])
def test_impossible_requests_are_refused(n: int, seed: int) -> None:
    with pytest.raises(ParameterError, match="must be a whole number of"):
        census(n, seed=seed)
