"""Printed numbers of Gu and Dong (2022), MI loss: the weights of Table 2."""

from __future__ import annotations

import pytest

import shoal
from shoal.measures._weighing import weights

# Table 2: entropy, and what the paper calls mutual information (it is the gain ratio).
TABLE_2 = {
    "age": (0.2294, 0.0355),
    "education-num": (0.1183, 0.0683),
    "capital-gain": (0.0350, 0.2976),
    "hours-per-week": (0.1405, 0.0375),
    "race": (0.0322, 0.0225),
    "relationship": (0.0869, 0.1643),
    "workclass": (0.0665, 0.0281),
    "native-country": (0.0381, 0.0197),
    "marital-status": (0.0740, 0.1828),
    "occupation": (0.1419, 0.0565),
    "sex": (0.0370, 0.0870),
}
FIRST = shoal.datasets.adult().head(32_561)


@pytest.mark.parametrize("column", TABLE_2)
def test_the_entropy_column_of_table_2(column: str) -> None:
    found = weights(FIRST, list(TABLE_2), "entropy")
    assert found[column] == pytest.approx(TABLE_2[column][0], abs=1e-4)


@pytest.mark.parametrize("column", TABLE_2)
def test_the_mi_column_of_table_2_is_the_gain_ratio(column: str) -> None:
    found = weights(FIRST, list(TABLE_2), "gain-ratio", "salary-class")
    assert found[column] == pytest.approx(TABLE_2[column][1], abs=2e-3)


def test_equation_4_is_not_what_table_2_prints() -> None:
    found = weights(FIRST, list(TABLE_2), "mutual-information", "salary-class")
    assert sum(found.values()) == pytest.approx(1)
    assert abs(found["capital-gain"] - TABLE_2["capital-gain"][1]) > 0.1
