"""Local recoding on Adult, 9 quasi-identifiers, bundled hierarchies: must not change."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

import shoal
from shoal.measures import Pair, measure_all
from shoal.publications.recoding import generalize
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy

NINE = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"]
NINE += ["native-country", "salary-class"]


@pytest.fixture(scope="module")
def adult() -> Table:
    folder = shoal.datasets.folder("adult") / "hierarchies"
    columns = {
        name: shoal.quasi(
            kind="numeric" if name == "age" else "categorical",
            hierarchy=Hierarchy.from_csv(folder / f"{name}.csv"),
        )
        for name in NINE
    }
    frame = shoal.datasets.adult().head(32_561).select(NINE).drop_nulls()
    assert frame.height == 30_162
    return Table.encode(frame, shoal.Schema(columns))


@pytest.mark.parametrize(
    ("k", "groups", "nodes", "intervals"), [(5, 4638, 0.0543, 0.0468), (10, 2368, 0.0769, 0.0700)]
)
def test_thirty_thousand_rows(
    adult: Table, k: int, groups: int, nodes: float, intervals: float
) -> None:
    method = shoal.LocalRecoding()
    grouping = method.group(adult, [shoal.KAnonymity(k)], rng=np.random.default_rng(0))
    assert (grouping.n_groups, grouping.n_suppressed) == (groups, 0)
    forms: tuple[tuple[Literal["tree", "intervals"], float], ...]
    forms = (("tree", nodes), ("intervals", intervals))
    for numbers, lost in forms:
        recoded = generalize(adult, grouping, bounds="observed", numbers=numbers)
        assert round(measure_all(Pair(adult, recoded))["loss"], 4) == lost
