"""Whole numbers at the end of 64 bits: intervals of a tree reach past it, and stay exact."""

from __future__ import annotations

import polars as pl
import pytest

import shoal

END = 2**63 - 1
TABLES = {
    "whole": pl.Series([-END, -END + 1, END, END - 1, 0] * 3, dtype=pl.Int64),
    "unsigned": pl.Series([10**19, 3, 18 * 10**18, 7, 8] * 3, dtype=pl.UInt64),
    "text": pl.Series([f"{10**25}", "3", f"{2 * 10**25}", "7", f"{10**22}"] * 3),
}


@pytest.mark.parametrize("method", [shoal.KACA(seed=1), shoal.FullDomain(), shoal.Datafly()])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("k", [2, 3])
def test_cells_cover_and_are_measured(method: shoal.methods.Method, table: str, k: int) -> None:
    rows = range(15)
    frame = pl.DataFrame(
        {
            "n": TABLES[table],
            "q": ["ab"[i // 3 % 2] for i in rows],
            "s": ["xyz"[i % 3] for i in rows],
        }
    )
    schema = shoal.Schema(
        {"n": shoal.quasi(kind="numeric"), "q": shoal.quasi(), "s": shoal.sensitive()}
    )
    release = shoal.anonymize(
        frame, schema, require=[shoal.KAnonymity(k)], method=method, suppression_limit=1
    )
    assert release.verification.passed, release.verification.reasons()
    assert 0 <= release.measures["iloss_rate"] <= 1
    assert 0 <= release.measures["loss"] <= 1


def test_numbers_next_to_infinity_are_refused() -> None:
    frame = pl.DataFrame({"n": [-1.7e308, 1.7e308] * 3})
    with pytest.raises(shoal.errors.InputError, match="'n' holds numbers beyond 1e"):
        shoal.anonymize(
            frame,
            shoal.Schema({"n": shoal.quasi()}),
            require=[shoal.KAnonymity(2)],
            bounds="rounded",
        )
