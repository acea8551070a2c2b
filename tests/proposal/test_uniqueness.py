"""Proposals say which columns make people unique, and nothing of a table of few rows."""

from __future__ import annotations

import polars as pl

import shoal


def table(rows: int) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [20 + i % 50 for i in range(rows)],
            "sex": ["fm"[i % 2] for i in range(rows)],
            "zip": [f"{i // 2 % 80:05d}" for i in range(rows)],
        }
    )


def test_reasons_say_what_a_column_adds() -> None:
    reasons = shoal.propose(table(160)).reasons
    assert "of the people would be unique, with it" in reasons["zip"]
    assert "unique" not in reasons["sex"]  # age tells as much


def test_few_rows_say_nothing() -> None:
    assert not any("unique" in each for each in shoal.propose(table(60)).reasons.values())


def test_people_are_counted() -> None:
    frame = table(160)
    visits = pl.concat([frame.with_columns(patient_id=pl.Series(range(160)).cast(pl.String))] * 2)
    reasons = shoal.propose(visits).reasons
    assert "of the people would be unique, with it" in reasons["zip"]


def test_a_column_may_have_any_name() -> None:
    frame = table(160).rename({"age": "*"})
    reasons = shoal.propose(frame).reasons
    assert "of the people would be unique, with it" in reasons["zip"]
