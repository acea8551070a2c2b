"""The three questions of the European guidance, by hand."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal import risk

TABLE = pl.DataFrame(
    {
        "age": ["30"] * 4 + ["40"] * 3 + ["50"],
        "ill": ["flu", "flu", "flu", "HIV", "TB", "TB", "flu", "HIV"],
        "pay": ["low"] * 8,
    }
)
SCHEMA = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive(), "pay": shoal.sensitive()})


def test_by_hand() -> None:
    found = risk.reidentification(TABLE, SCHEMA)
    single, link, inference = risk.three_questions(found, risk.sight(TABLE, SCHEMA))
    assert single.share == 1 / 8
    assert "smallest class has 1" in single.sentence
    assert link.share == pytest.approx(3 / 8)
    # 3 + 2 + 1 of 8 are guessed right by their class, 4 of 8 without; nothing is new about pay.
    assert inference.share == pytest.approx(6 / 8 - 4 / 8)
    assert "'ill'" in inference.sentence


def test_without_a_sensitive_column() -> None:
    found = risk.reidentification(TABLE, quasi=["age"])
    assert risk.three_questions(found)[2].share is None
    seen = risk.sight(TABLE.select("age"), {"age": "quasi"})
    assert risk.three_questions(found, seen)[2].share is None


def test_nobody_is_alone() -> None:
    found = risk.reidentification(TABLE.head(7), quasi=["age"])
    single = risk.three_questions(found)[0]
    assert single.share == 0
    assert "nobody is unique in the table" in single.sentence


def test_the_population_says_who_links() -> None:
    found = risk.reidentification(TABLE, quasi=["age"], sampling_fraction=0.1)
    link = risk.three_questions(found)[1]
    assert link.share == found.marketer
    assert "the population" in link.sentence


def test_no_cell_is_told() -> None:
    found = risk.reidentification(TABLE, SCHEMA)
    said = str([each.to_dict() for each in risk.three_questions(found, risk.sight(TABLE, SCHEMA))])
    assert "HIV" not in said
    assert "TB" not in said
