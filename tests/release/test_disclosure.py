"""What a release says in public of missing values, and what it must not say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, strategies as st

import shoal
from shoal.base.rounding import towards, two_digits
from shoal.checks.tables import SCHEMA, mixed
from shoal.release.guard import Guard
from shoal.release.public_facts import missing_of

K = 10


def with_holes(n: int, **rows: int) -> pl.DataFrame:
    """A table in which the first so many rows of a column are missing."""
    return mixed(n).with_columns(
        pl.when(pl.int_range(n) >= count).then(pl.col(name)).alias(name)
        for name, count in rows.items()
    )


def release(frame: pl.DataFrame, policy: str, k: int = K) -> shoal.Release:
    return shoal.anonymize(
        frame,
        SCHEMA,
        require=[shoal.KAnonymity(k)],
        method=shoal.GAACP(seed=2),
        missing=policy,
    )


def test_counts_from_k_up_are_shown_with_two_digits() -> None:
    made = release(with_holes(1200, age=312, region=120), "keep")
    facts = made.facts()
    missing = facts["missing"]
    assert set(missing) == {
        *("policy", "rule", "done", "cost", "columns", "patterns", "value_missing_rate"),
        *("record_missing_rate", "suppressed_columns", "sensitive"),
    }
    assert missing["columns"]["age"] == {"missing": "about 310", "share": 0.26}
    assert missing["columns"]["sex"] == {"missing": 0, "share": 0.0}
    assert missing["patterns"] == [
        {"columns": [], "rows": "about 890"},
        {"columns": ["age"], "rows": "about 190"},
        {"columns": ["age", "region"], "rows": "about 120"},
    ]
    assert missing["value_missing_rate"] == 0.12
    assert missing["record_missing_rate"] == 0.26
    open_ = ("average_class_size", "largest_group")
    assert {name: facts["measures"][name] for name in open_} == {
        name: made.measures[name] for name in open_
    }
    for name in set(facts["measures"]) - set(open_):
        assert facts["measures"][name] == float(f"{made.measures[name]:.2g}")
    for outcomes in facts["loss"].values():
        assert list(outcomes) == ["kept", "generalized", "starred", "already_missing", "removed"]
        assert sum(outcomes.values()) == pytest.approx(1, abs=0.02)
    assert "about 430 missing cells in about 310 rows cost nothing" in missing["done"]


def test_fewer_than_a_hundred_are_two_digits_already() -> None:
    assert release(with_holes(200, age=30), "drop").facts()["rows"]["dropped"] == 30


def test_what_was_done_is_said_with_its_cost() -> None:
    adult = shoal.datasets.adult()
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    settings = plan.model_dump(mode="json", exclude_none=True)
    settings["publication"]["missing"] = "suppress-column"
    made = shoal.anonymize(adult, shoal.Plan.from_dict(settings, folder=plan.folder))
    said = made.facts()["missing"]
    assert said["suppressed_columns"] == [n for n, c in made.missingness.columns.items() if c]
    assert said["done"].startswith("Columns with missing cells (")
    assert f"about {two_digits(made.missingness.cells):,} cells" in said["done"]
    starred = sum(made.outcomes[name].starred for name in made.suppressed_columns)
    share = starred / (adult.height * len(made.schema.quasi))
    assert f"adds {100 * two_digits(share):g}% to the information loss rate" in said["done"]
    dropped = release(with_holes(200, age=20), "drop").facts()["missing"]["done"]
    assert dropped == (
        "20 rows with a missing cell were dropped, which adds 10% to the information loss rate."
    )


def public(made: shoal.Release) -> str:
    """Everything that is written for everyone, but for the table."""
    return json.dumps(made.facts())


@pytest.mark.parametrize("n", [120, 4000])
def test_a_hidden_count_cannot_be_worked_out(n: int) -> None:
    """Suppressed columns show the same table whether 3 or 4 cells were missing: so must facts."""
    one, other = (release(with_holes(n, age=count), "suppress-column") for count in (3, 4))
    assert one.frame.equals(other.frame)
    assert one.measures != other.measures
    assert public(one) == public(other)
    assert one.facts()["missing"]["columns"]["age"] == {"missing": "1 to 9", "share": None}


def test_nor_can_its_complement() -> None:
    one, other = (release(with_holes(120, age=n), "suppress-column") for n in (116, 117))
    assert one.frame.equals(other.frame)
    assert public(one) == public(other)


def test_nor_can_a_pattern_from_columns_and_totals() -> None:
    """Columns of 30 and 28 cells: the two rows between them must not show."""
    made = release(with_holes(200, age=30, region=28), "keep")
    facts = made.facts()
    missing = facts["missing"]
    assert missing["patterns"] == []
    assert [missing["columns"][name] for name in ("age", "region")] == [
        {"missing": "10 or more", "share": None}
    ] * 2
    assert missing["value_missing_rate"] is None
    assert missing["record_missing_rate"] is None
    assert "28" not in json.dumps(missing)
    assert "left out" in facts["measures_note"]


def test_nor_from_the_rows_that_were_dropped() -> None:
    """Two of 30 miss the age alone: nothing of which cells dropped rows miss is public."""
    facts = release(with_holes(200, age=30, region=28), "drop").facts()
    assert facts["rows"]["dropped"] == 30
    assert facts["missing"]["patterns"] == [{"columns": [], "rows": "about 170"}]
    assert {each["missing"] for each in facts["missing"]["columns"].values()} == {0}


def test_what_the_published_rows_lost_is_said_nevertheless() -> None:
    """Nothing of it depends on how many rows are gone, or how many cells were missing."""
    made = release(with_holes(240, age=9), "drop")
    facts = made.facts()
    shown = shoal.measures.pair(
        made.source[made.rows.tolist()], made.table, made.schema
    )  # complete rows: all that is published
    for name in ("discernibility", "starred_rate"):
        alone = shoal.measures.MEASURES[name].of(shown)
        told = facts["measures_of_published"][name]
        assert told == two_digits(alone) != two_digits(made.measures[name])
        assert name not in facts["measures"]
    assert "value_missing_rate" not in facts["measures"]
    for outcomes in facts["loss"].values():
        assert outcomes["removed"] == outcomes["already_missing"] == 0
        assert sum(outcomes.values()) == pytest.approx(1, abs=0.02)


def test_the_private_folder_has_the_exact_numbers(tmp_path: Path) -> None:
    made = release(with_holes(200, age=30, region=28), "keep")
    made.write(tmp_path / "out")
    manifest = json.loads((tmp_path / "out.private" / "manifest.json").read_text())
    assert manifest["missing"]["columns"]["region"] == {"missing": 28, "share": 0.14}
    assert {"columns": ["age"], "rows": 2} in manifest["missing"]["patterns"]
    assert manifest["missing"]["value_missing_rate"] == 58 / 600
    assert manifest["cells"]["age"]["already_missing"] == 30
    assert manifest["measures"] == made.measures
    written = json.loads((tmp_path / "out" / "release.json").read_text())
    assert written["missing"] == made.facts()["missing"]


def test_few_missing_sensitive_values_are_not_counted_exactly() -> None:
    frame = mixed(60).with_columns(illness=pl.when(pl.int_range(60) > 3).then(pl.col("illness")))
    said = release(frame, "keep").facts()["missing"]["sensitive"]["illness"]
    assert said["missing"] is None  # anyone can count them, but nobody is pointed at them


def test_at_most_ten_patterns_then_the_rest() -> None:
    names = [f"c{i}" for i in range(5)]
    frame = pl.DataFrame(
        {
            name: [None if row // 4 % 32 >> j & 1 else row % 2 for row in range(256)]
            for j, name in enumerate(names)
        }
    )
    schema = shoal.Schema({name: shoal.quasi() for name in names})
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(4)], method=shoal.GAACP(seed=1))
    patterns = missing_of(made, Guard.none())["patterns"]
    assert len(patterns) == 11
    assert patterns[-1] == {"columns": ["other patterns"], "rows": 256 - 80, "patterns": 22}
    assert sum(pattern["rows"] for pattern in patterns) == 256


@given(st.lists(st.integers(0, 400), min_size=1, max_size=8), st.integers(2, 30))
def test_no_small_count_is_ever_shown(counts: list[int], k: int) -> None:
    guard = Guard.over(counts, least=k)
    shown: list[Any] = [guard.count(count) for count in counts]
    assert not any(isinstance(each, int) and 0 < each < k for each in shown)
    assert "1 to 1" not in shown
    if guard.hides:
        assert not any(isinstance(each, int) and each for each in shown)
        assert guard.number(0.123) is None


@given(st.floats(1e-6, 1e9))
def test_two_digits_are_near_and_few(number: float) -> None:
    rounded = two_digits(number)
    assert abs(rounded - number) <= 0.051 * number
    assert float(f"{rounded:.2g}") == pytest.approx(rounded, rel=1e-9)
    assert two_digits(rounded) == rounded
    for required in (number / 2, number * 2):
        near = towards(number, required)
        assert abs(near - required) <= abs(number - required) * (1 + 1e-9)
        assert (near <= number * (1 + 1e-8)) if required < number else near >= number * (1 - 1e-8)
