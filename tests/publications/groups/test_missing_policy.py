"""What a part of the input found, in terms of the whole input."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.io.frames import Coded
from shoal.publications.groups.grouping import SUPPRESSED
from shoal.publications.groups.missing_policy import complete_rows

SCHEMA = shoal.Schema(
    {"age": shoal.quasi(kind="numeric"), "ill": shoal.sensitive(), "job": shoal.sensitive()}
)
FIRST = {"ill": "aa", "job": "aa"}
"""Values that only an incomplete row holds, and that come first of all."""


def table(n: int = 60) -> pl.DataFrame:
    """A table without holes whose jobs are short of values, so that noise is needed."""
    rows = range(n)
    return pl.DataFrame(
        {
            "age": [20 + 7 * row % 40 for row in rows],
            "ill": [f"i{row % 5}" for row in rows],
            "job": ["j0" if row % 10 < 8 else f"j{1 + row % 10 % 2}" for row in rows],
        }
    )


def holey() -> pl.DataFrame:
    """The same with a first row that is dropped, and with it the first value of each column."""
    return pl.concat([pl.DataFrame({"age": None, **FIRST}, schema=table().schema), table()])


def test_rows_with_a_hole_are_found_before_anything_is_encoded() -> None:
    assert complete_rows(Coded(holey()), SCHEMA).tolist() == list(range(1, 61))
    tokens = shoal.Schema(dict(SCHEMA), missing=["20"])
    aged = holey()["age"].to_list()
    expected = [row for row, age in enumerate(aged) if age not in (None, 20)]
    assert complete_rows(Coded(holey()), tokens).tolist() == expected
    with pytest.raises(shoal.errors.InfeasibleError, match="leaves nothing"):
        complete_rows(Coded(holey()[:1]), SCHEMA)


def test_values_that_a_dropped_row_holds_alone_are_not_known() -> None:
    need = [shoal.MultiLDiversity({"ill": 3, "job": 3})]
    made = shoal.anonymize(holey(), SCHEMA, require=need, method=shoal.MICD(seed=3), missing="drop")
    assert made.grouping.labels[0] == SUPPRESSED
    assert "aa" not in made.pair.table.sensitive["job"].labels


@pytest.mark.parametrize("method", [shoal.MICD(seed=3), shoal.Decomposition(seed=3)])
def test_noise_is_that_of_the_complete_rows_alone(method: shoal.Method) -> None:
    need = [shoal.MultiLDiversity({"ill": 3, "job": 3})]
    dropped = shoal.anonymize(holey(), SCHEMA, require=need, method=method, missing="drop")
    alone = shoal.anonymize(table(), SCHEMA, require=need, method=method)
    assert dropped.n_noise == alone.n_noise > 0
    for name in ("ill", "job"):
        published = dropped.tables["sensitive"][name]
        assert published.equals(alone.tables["sensitive"][name])
        assert FIRST[name] not in published[name]
