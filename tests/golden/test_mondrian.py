"""Mondrian on the patients of LeFevre et al. (2006), and on all of Adult: must not change."""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.measures import Pair, measure_all
from shoal.publications.recoding import generalize
from shoal.table import Table

PATIENTS = pl.DataFrame(
    {
        "age": [25, 25, 26, 27, 27, 28],
        "sex": ["male", "female", "male", "male", "female", "male"],
        "zip": [53711, 53712, 53711, 53710, 53712, 53711],
    }
)
MEN = [("[25, 26]", "53711"), ("[27, 28]", "[53710, 53711]")]
WOMEN = ("[25, 27]", "53712")


def test_patients_of_the_paper() -> None:
    """All columns are as wide; the first, sex, is cut, then the age of the men."""
    schema = shoal.Schema(
        {"sex": shoal.quasi(), "age": shoal.quasi(), "zip": shoal.quasi(kind="numeric")}
    )
    release = shoal.anonymize(
        PATIENTS,
        schema,
        require=[shoal.KAnonymity(2)],
        method=shoal.Mondrian(),
        bounds="observed",
    )
    assert release.frame.select("age", "zip").rows() == [
        MEN[0],
        WOMEN,
        MEN[0],
        MEN[1],
        WOMEN,
        MEN[1],
    ]


@pytest.mark.parametrize(
    ("kind", "parts", "lost"), [("strict", 2466, 35_407), ("relaxed", 2876, 28_279)]
)
def test_all_of_adult(kind: Literal["strict", "relaxed"], parts: int, lost: int) -> None:
    schema = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    table = Table.encode(shoal.datasets.adult(complete=True), schema)
    method = shoal.Mondrian(kind)
    grouping = method.group(table, [shoal.KAnonymity(10)], rng=np.random.default_rng(0))
    assert grouping.n_groups == parts
    assert grouping.sizes.min() == 10
    recoded = generalize(table, grouping, bounds="observed")
    assert round(measure_all(Pair(table, recoded))["iloss"]) == lost
