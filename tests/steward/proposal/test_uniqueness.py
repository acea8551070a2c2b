"""Proposals say which columns make people unique, and nothing of a table of few rows."""

from __future__ import annotations

import polars as pl
import pytest

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
    assert "of the people would be unique; with it," in reasons["zip"]
    assert "unique" not in reasons["sex"]  # age tells as much


def test_reasons_say_whom_few_columns_single_out() -> None:
    frame = pl.DataFrame(
        {
            "age": [30] * 99 + [77],
            "sex": ["f", "m"] * 50,
            "town": ["A"] * 60 + ["B"] * 39 + ["A"],
            "job": ["cook"] * 50 + ["nurse"] * 49 + ["cook"],
            "car": ["yes"] * 100,
        }
    )
    reasons = shoal.propose(frame).reasons
    # By age alone; then no set with age in it is minimal but that one. Job and town find the same.
    assert reasons["age"].endswith("It and at most two more single out 1 % of the people.")
    assert reasons["sex"].endswith("It and at most two more single out nobody.")


@pytest.mark.parametrize(("most", "said"), [(1, "It alone singles out"), (2, "It and one more")])
def test_of_many_columns_smaller_sets_are_tried(
    most: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoal.steward.proposal.uniqueness._AT_MOST", most)
    frame = table(160).with_columns(age=pl.Series([30] * 159 + [77]))
    assert said in shoal.propose(frame).reasons["age"]


def test_few_rows_say_nothing() -> None:
    assert not any("unique" in each for each in shoal.propose(table(60)).reasons.values())


def test_people_are_counted() -> None:
    frame = table(160)
    visits = pl.concat([frame.with_columns(patient_id=pl.Series(range(160)).cast(pl.String))] * 2)
    reasons = shoal.propose(visits).reasons
    assert "of the people would be unique; with it," in reasons["zip"]


def test_a_column_may_have_any_name() -> None:
    frame = table(160).rename({"age": "*"})
    reasons = shoal.propose(frame).reasons
    assert "of the people would be unique; with it," in reasons["zip"]
