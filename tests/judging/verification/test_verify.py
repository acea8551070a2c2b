"""The recount: classes, people, identifiers, roles."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import shoal
from shoal import GAACP, KAnonymity, io
from shoal.errors import InputError, ParameterError, SchemaError

SCHEMA = shoal.Schema(
    {
        "name": shoal.identifier(),
        "age": shoal.quasi(),
        "sex": shoal.quasi(),
        "disease": shoal.sensitive(),
        "note": shoal.other(),
    }
)
CELL = st.sampled_from(["[1, 2]", "3", "*", "x", "", None, "é"])


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=25), st.integers(2, 4))
def test_classes_equal_a_counter(rows: list[tuple[str | None, str | None]], k: int) -> None:
    frame = pl.DataFrame(
        {
            "age": pl.Series([a for a, _ in rows], dtype=pl.String),
            "sex": pl.Series([b for _, b in rows], dtype=pl.String),
            "disease": ["d"] * len(rows),
        }
    )
    counts = Counter(tuple("*" if cell is None else cell for cell in row) for row in rows)
    small = [size for size in counts.values() if size < k]
    result = shoal.verify(frame, SCHEMA, [KAnonymity(k)])
    assert (result.rows, result.classes, result.counted) == (len(rows), len(counts), "rows")
    (judgement,) = result.judgements
    assert result.achieved == {"k": min(counts.values())}
    assert (judgement.failing_classes, judgement.failing_rows) == (len(small), sum(small))
    assert result.passed == bool(result) == (not small)
    assert bool(result.reasons()) == bool(small)


def classes(ages: list[Any]) -> int:
    frame = pl.DataFrame({"age": ages, "disease": ["d"] * len(ages)})
    schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    return shoal.verify(frame, schema, [KAnonymity(2)]).classes


def test_the_star_equals_only_the_star() -> None:
    assert classes(["*", "*"]) == 1
    assert classes(["*", None]) == 1
    assert classes(["*", "1"]) == 2
    assert classes(["*", "[0, 99]", ""]) == 3
    assert classes([None, 1.0]) == 2


def test_one_value_has_one_form() -> None:
    assert classes([1.0, 1.0, 2.5]) == 2
    assert classes([-0.0, 0.0]) == 1


@pytest.mark.parametrize(
    "name",
    [
        *("class", "person", "len", "shown", "true", "rows", "count", "value", "wanted"),
        *("people", "index", "literal", "age_right", "ü", "a b", "", "^x$", "*"),
    ],
)
@pytest.mark.parametrize("role", [shoal.quasi, shoal.sensitive, shoal.other])
def test_columns_may_have_any_name(name: str, role: Any) -> None:
    schema = shoal.Schema({"age": shoal.quasi(), name: role(), "who": shoal.identifier()})
    original = pl.DataFrame({"age": [1, 2, 3, 4], name: ["x", "x", "y", "y"], "who": [1, 2, 3, 4]})
    published = pl.DataFrame({"age": ["[1, 2]"] * 2 + ["[3, 4]"] * 2, name: original[name]})
    need = [KAnonymity(2)]
    if name in ("", "^x$"):  # refused at the door: no name, or a pattern of polars
        with pytest.raises(InputError, match="name"):
            shoal.verify(published, schema, need)
        return
    for people in (None, [1, 2, 3, 4]):
        assert shoal.verify(published, schema, need, original=original, people=people).passed


ENTITY = shoal.Schema(dict(SCHEMA), entity="name")
PUBLISHED = pl.DataFrame(
    {"age": ["1", "1", "1", "2", "2"], "sex": ["m"] * 5, "disease": [*"abcde"], "note": [*"vwxyz"]}
)
ORIGINAL = PUBLISHED.with_columns(name=pl.Series(["p", "p", "q", "r", "s"]))


def test_people_are_counted() -> None:
    result = shoal.verify(PUBLISHED, ENTITY, [KAnonymity(2)], original=ORIGINAL)
    assert (result.passed, result.counted, result.achieved) == (True, "people", {"k": 2})
    result = shoal.verify(PUBLISHED, ENTITY, [KAnonymity(3)], original=ORIGINAL)
    assert result.judgements[0].failing_classes == 2
    assert result.judgements[0].failing_rows == 5


@pytest.mark.parametrize(
    "people",
    [
        ["p", "p", "p", "r", "s"],
        [0, 0, 0, 1, 2],
        np.array([2**62, 2**62, 2**62, 1, 2]),
        pl.Series(["p", "p", "p", "r", "s"]),
        [0.5, 0.5, 0.5, 1.5, 2.5],
    ],
)
def test_people_may_be_given(people: Any) -> None:
    result = shoal.verify(PUBLISHED, ENTITY, [KAnonymity(2)], people=people)
    assert (result.counted, result.achieved) == ("people", {"k": 1})
    assert result.judgements[0].failing_rows == 3


def test_people_follow_rows() -> None:
    backwards = [4, 3, 2, 1, 0]
    result = shoal.verify(
        PUBLISHED[backwards], ENTITY, [KAnonymity(2)], original=ORIGINAL, rows=backwards
    )
    assert result.passed
    assert result.achieved == {"k": 2}


def test_people_that_cannot_be_counted_are_refused() -> None:
    with pytest.raises(ParameterError, match="'name'"):
        shoal.verify(PUBLISHED, ENTITY, [KAnonymity(2)])
    with pytest.raises(ParameterError, match="people names 2 rows"):
        shoal.verify(PUBLISHED, ENTITY, [KAnonymity(2)], people=[1, 2])


def test_identifiers_that_are_left_fail() -> None:
    result = shoal.verify(ORIGINAL, SCHEMA, [KAnonymity(2)])
    assert not result.passed
    assert result.reasons() == ["identifiers removed: published: name"]


def test_columns_without_a_role_fail() -> None:
    result = shoal.verify(PUBLISHED.with_columns(extra=1), SCHEMA, [KAnonymity(2)])
    assert not result.passed
    assert any("extra" in reason for reason in result.reasons())


@pytest.mark.parametrize("column", ["age", "disease"])
def test_columns_that_verification_needs(column: str) -> None:
    with pytest.raises(SchemaError, match=f"'{column}'"):
        shoal.verify(PUBLISHED.drop(column), SCHEMA, [KAnonymity(2)])


def test_other_columns_may_stay_at_home() -> None:
    assert shoal.verify(PUBLISHED.drop("note"), SCHEMA, [KAnonymity(2)], original=ORIGINAL).passed


def test_empty_requests_are_refused() -> None:
    with pytest.raises(ParameterError, match="No requirement was given"):
        shoal.verify(PUBLISHED, SCHEMA, [])
    with pytest.raises(InputError, match="no rows"):
        shoal.verify(PUBLISHED.clear(), SCHEMA, [KAnonymity(2)])
    with pytest.raises(SchemaError, match="quasi"):
        shoal.verify(PUBLISHED, shoal.Schema({"age": shoal.other()}), [KAnonymity(2)])


def test_every_requirement_is_judged() -> None:
    result = shoal.verify(PUBLISHED, SCHEMA, [KAnonymity(2), KAnonymity(3), KAnonymity(9)])
    assert [j.passed for j in result.judgements] == [True, False, False]
    assert [j.failing_rows for j in result.judgements] == [0, 2, 5]
    assert not result.passed


def test_the_verdict_can_be_written() -> None:
    result = shoal.verify(PUBLISHED, SCHEMA, [KAnonymity(3)]).to_dict()
    assert result["passed"] is False
    assert result["achieved"] == {"k": 2}
    assert "*" in result["missing_rule"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_gets_the_verdict_of_the_frame(tmp_path: Path, suffix: str) -> None:
    rng = np.random.default_rng(3)
    n = 60
    frame = pl.DataFrame(
        {
            "name": [f"P{i}" for i in range(n)],
            "age": [None if rng.random() < 0.2 else int(v) / 10 for v in rng.integers(-90, 90, n)],
            "sex": [None if rng.random() < 0.2 else str(v) for v in rng.choice(["m", "f"], n)],
            "disease": rng.choice(["", "a, b", 'q"', "-1", "*", "NA", "01"], n),
            "note": [None if rng.random() < 0.3 else float(v) for v in rng.normal(size=n)],
        }
    )
    release = shoal.anonymize(frame, SCHEMA, require=[KAnonymity(3)], method=GAACP(picks="first"))
    path = tmp_path / f"table.{suffix}"
    {"csv": io.write_csv, "parquet": io.write_parquet}[suffix](release.frame, path)
    again = io.read(path).frame
    assert "*" in again["age"].to_list()
    for k in (3, 7):
        options = {"original": frame, "rows": release.rows}
        inside = shoal.verify(release.frame, SCHEMA, [KAnonymity(k)], **options)
        outside = shoal.verify(again, SCHEMA, [KAnonymity(k)], **options)
        assert inside == outside
        assert inside.passed == (inside.achieved["k"] >= k)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_moments_with_a_time_zone_survive_a_file(tmp_path: Path, suffix: str) -> None:
    moments = pl.datetime_range(
        pl.datetime(2024, 1, 1),
        pl.datetime(2024, 1, 4),
        "1d",
        time_zone="Europe/Berlin",
        eager=True,
    )
    frame = pl.DataFrame({"age": [1, 1, 2, 2], "disease": moments})
    schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    release = shoal.anonymize(frame, schema, require=[KAnonymity(2)])
    release.write(tmp_path / "release", format=suffix)


def test_verification_leaves_the_frame_alone() -> None:
    before = PUBLISHED.clone()
    shoal.verify(PUBLISHED, ENTITY, [KAnonymity(2)], original=ORIGINAL)
    assert PUBLISHED.equals(before)
