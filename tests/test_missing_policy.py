"""What a part of the input found, in terms of the whole input."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.grouping import Grouping, Padding
from shoal.missing_policy import apply_missing_policy
from shoal.table import Table

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


def test_added_values_get_their_codes_in_the_input() -> None:
    part = apply_missing_policy(Table.encode(holey(), SCHEMA), "drop")
    labels = np.zeros(60, dtype=np.int32)
    mine = part.table.sensitive["job"].labels
    added = Padding(np.array([0, 0]), np.array([mine.index("j2"), mine.index("j0")]))
    wide = part.widen(Grouping(labels, {"job": added, "ill": Padding(labels[:0], labels[:0])}))
    whole = Table.encode(holey(), SCHEMA).sensitive["job"].labels
    assert [whole[code] for code in wide.padding["job"].value] == ["j2", "j0"]
    assert "ill" not in wide.padding
    assert wide.labels.tolist() == [-1] + [0] * 60


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
