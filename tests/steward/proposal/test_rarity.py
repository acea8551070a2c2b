"""Levels drafted from rarity: the rule, the files, the warning, and alphas that can hold."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, strategies as st

import shoal
from shoal.steward.proposal import levels_by_rarity, propose
from shoal.table.levels import read_levels
from tests.steward.proposal.test_draft import draft_of

COUNTS = st.dictionaries(st.text(max_size=3), st.integers(1, 30), min_size=1, max_size=40)


@given(COUNTS)
def test_rarer_is_never_less_sensitive(counts: dict[str, int]) -> None:
    levels = levels_by_rarity(counts)
    if len(set(counts.values())) == 1:
        assert levels == {}
        return
    assert set(levels) == set(counts)
    assert sorted(set(levels.values())) == list(range(1, max(levels.values()) + 1))
    assert 2 <= max(levels.values()) <= 5
    for one, mine in counts.items():
        for other, its in counts.items():
            if mine <= its:
                assert levels[one] <= levels[other]
            if mine == its:
                assert levels[one] == levels[other]


def test_fifteen_values_make_five_levels_of_three() -> None:
    levels = levels_by_rarity({f"v{i:02}": i + 1 for i in range(15)})
    assert list(levels.values()) == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]


def adult(rows: int = 3_000) -> pl.DataFrame:
    frame = shoal.datasets.adult().head(rows)
    return frame.select("age", "sex", "education", diagnosis="occupation")


def test_adult_gets_a_draft(tmp_path: Path) -> None:
    draft, path = draft_of(adult(), tmp_path)
    (made,) = draft.levels
    assert (made.column, made.file, max(made.levels.values())) == (
        "diagnosis",
        "levels/diagnosis.csv",
        5,
    )
    assert read_levels(tmp_path / made.file) == dict(made.levels)
    assert "" in made.levels  # missing cells have a level, too
    lines = (tmp_path / made.file).read_text().splitlines()
    assert [line[-1] for line in lines] == sorted(line[-1] for line in lines)
    plan = shoal.Plan.read(path)
    assert plan.columns["diagnosis"].levels == "levels/diagnosis.csv"
    assert plan.schema_()["diagnosis"].levels == dict(made.levels)
    text = path.read_text()
    assert "Rarity is not sensitivity" in re.sub(r"\n *# *", " ", text)
    for value in made.levels:
        assert not value or value not in text
    assert draft.plan.columns["diagnosis"].levels == dict(made.levels)


def uncommented(text: str) -> str:
    """Remove the # of the proposed requirement."""
    head, tail = text.split("# [[require]]\n", 1)
    block, rest = tail.split("\n\n", 1)
    return f"{head}[[require]]\n" + block.replace("# ", "") + f"\n\n{rest}"


@pytest.mark.parametrize("entity", [False, True])
def test_the_proposed_requirement_can_hold(tmp_path: Path, entity: bool) -> None:
    frame = adult(600)
    if entity:
        frame = frame.with_columns(patient_id=pl.int_range(600) // 2)
    draft, path = draft_of(frame, tmp_path)
    path.write_text(uncommented(path.read_text()))
    plan = shoal.Plan.read(path)
    assert (plan.entity is not None) is entity
    release = shoal.run(plan)
    assert release.verification.passed
    assert len(release.require) == 2
    assert release.require[1].levels == dict(draft.levels[0].levels)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "values",
    [
        [str(i % 50) for i in range(200)],  # numbers
        [f"text-{i}" for i in range(200)],  # nearly unique
        [f"2024-01-{i % 28 + 1:02}" for i in range(200)],  # dates
        ["flu", "cold"] * 100,  # all equally frequent
        ["flu"] * 200,
    ],
    ids=["numbers", "unique", "dates", "even", "constant"],
)
def test_no_levels_where_rarity_says_nothing(values: list[str]) -> None:
    frame = pl.DataFrame({"age": [str(20 + i % 30) for i in range(200)], "disease": values})
    draft = propose(frame)
    assert draft.levels == ()
    assert "levels" not in draft.to_toml().replace("reveals", "")
