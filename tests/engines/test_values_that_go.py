"""A value that a requirement names may go with all rows that hold it."""

from __future__ import annotations

import polars as pl
import pytest

import shoal


@pytest.mark.parametrize("method", ["top-down", "auto", "mondrian", "gaa-cp", "full-domain"])
def test_rows_of_the_value_that_a_requirement_names_may_all_go(method: str) -> None:
    frame = pl.DataFrame({"age": [1, 1, 2, 3], "ill": ["a", "b", "c", "b"]})
    made = shoal.anonymize(
        frame,
        {"age": "quasi", "ill": "sensitive"},
        require=[shoal.AlphaK(0.2, 2, value="a")],
        method=method,
        suppression_limit=1.0,
        seed=1,
    )
    assert made.verification.passed
    assert made.n_suppressed == 1
    assert sorted(made.table["ill"]) == ["b", "b", "c"]
