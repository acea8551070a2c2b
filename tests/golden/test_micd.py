"""Zhang et al. (2014) on Adult: entropies, the primary column, Table 5, and the bound on noise."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.measures import highly_sensitive, noise_bound, noise_ratio
from shoal.methods.inverse._sensitive import order_attributes
from shoal.table import Table

SECRETS = ("education", "occupation", "marital-status", "race", "workclass")
# Table 5; by rarity alone, Occupation has Tech-support besides.
TABLE_5 = {
    "race": {"Amer-Indian-Eskimo", "Other"},
    "education": {"Preschool", "1st-4th", "5th-6th", "Doctorate", "12th"},
    "marital-status": {"Married-AF-spouse", "Married-spouse-absent"},
    "workclass": {"Without-pay", "Federal-gov"},
    "occupation": {"Armed-Forces", "Priv-house-serv", "Protective-serv", "Tech-support"},
}


@pytest.fixture(scope="module")
def table() -> Table:
    frame = shoal.datasets.adult().head(32_561).drop_nulls()
    frame = frame.select("age", "sex", "native-country", *SECRETS)
    quasi = dict.fromkeys(("age", "sex", "native-country"), shoal.quasi())
    return Table.encode(frame, shoal.Schema({**quasi, **dict.fromkeys(SECRETS, shoal.sensitive())}))


def test_entropies(table: Table) -> None:
    assert table.n_rows == 30_162
    entropies = {name: column.entropy for name, column in table.sensitive.items()}
    assert entropies["occupation"] == pytest.approx(2.354, abs=5e-4)
    assert entropies["education"] == pytest.approx(2.019, abs=5e-4)


def test_the_primary_column_is_occupation(table: Table) -> None:
    """The paper prints Education; its own definition gives Occupation."""
    need = [shoal.MultiLDiversity(dict.fromkeys(SECRETS, 3))]
    assert order_attributes(table, need, method="micd")[0].name == "occupation"
    assert order_attributes(table, need, "education", method="micd")[0].name == "education"


@pytest.mark.parametrize("name", SECRETS)
def test_table_5(table: Table, name: str) -> None:
    column = table.sensitive[name]
    marked = np.flatnonzero(highly_sensitive(column)).tolist()
    assert {column.labels[code] for code in marked} == TABLE_5[name]


def test_degrees(table: Table) -> None:
    column = table.sensitive["occupation"]
    degrees = dict(zip(column.labels, column.degrees(), strict=True))
    assert degrees["Armed-Forces"] == max(degrees.values()) == pytest.approx(np.log(30_162 / 9))


def test_the_bound_on_noise() -> None:
    """Every group shows one value of each column but the primary, and lacks all others."""
    wanted = {"p": 3, "s": 3, "t": 2}
    frame = pl.DataFrame(
        {
            "q": range(9),
            "p": [*"abc"] * 3,
            "s": [*"xxxyyyzzz"],
            "t": [*"uuuvvvuuu"],
        }
    )
    groups = [1, 1, 1, 2, 2, 2, 3, 3, 3]
    schema = shoal.Schema({"q": shoal.quasi(), **dict.fromkeys("pst", shoal.sensitive())})
    values = {
        name: pl.DataFrame([(g, v) for g in (1, 2, 3) for v in domain], orient="row")
        for name, domain in (("p", "abc"), ("s", "xyz"), ("t", "uv"))
    }
    found = noise_ratio(frame, frame.select("q"), schema, groups=groups, values=values)
    assert found == pytest.approx(9 / 9)
    # The paper's bound counts the primary column, too, which never lacks a value.
    assert noise_bound(wanted, "p") == pytest.approx(5 / 3)
    assert found == pytest.approx(noise_bound(wanted, "p") - (3 - 1) / 3)
