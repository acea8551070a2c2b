"""The one order of rows: by all that is known of them, however keys are put together."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.engines.blocks.points import canonical_order
from shoal.table import Table
from shoal.table.schema import Schema


@pytest.mark.parametrize("word", [1, 40, 1000, 2**62])
def test_rows_are_ordered_as_their_cells_are(word: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.kernels.collapse._MOST_KEYS", word)
    rng = np.random.default_rng(1)
    note = pl.Series(rng.choice(["x", "y", ""], 400)).replace("", None)
    frame = pl.DataFrame({n: rng.integers(0, 4, 400) for n in ("id", "a", "b", "c")})
    frame = frame.with_columns(note=note)
    roles = {"id": "identifier", "a": "quasi", "b": "quasi", "c": "sensitive", "note": "other"}
    table = Table.encode(frame, Schema(roles, entity="id"))
    found = frame[canonical_order(table)].select("a", "b", "id", "c", "note")
    assert found.equals(frame.select("a", "b", "id", "c", "note").sort(pl.all()))
