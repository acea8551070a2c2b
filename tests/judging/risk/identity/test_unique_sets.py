"""Minimal unique sets equal their definition, and sdcMicro's published examples."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import risk
from shoal.errors import ParameterError
from shoal.judging.risk.identity.unique_sets import largest_size
from tests.examples import examples
from tests.reference.unique_sets import minimal_unique_sets


def frame(rows: list[list[str]]) -> pl.DataFrame:
    names = [f"c{j}" for j in range(len(rows[0]))]
    return pl.DataFrame([list(row) for row in rows], schema=names, orient="row")


def compare(rows: list[list[str]], owners: list[int] | None, largest: int) -> None:
    table = frame(rows)
    people = owners or list(range(len(rows)))
    found = risk.unique_sets(table, quasi=table.columns, people=owners, largest=largest)
    true = minimal_unique_sets(rows, people, min(largest, len(table.columns)))
    assert {each.columns: each.people for each in found.sets} == {
        tuple(table.columns[j] for j in columns): len({people[row] for row in hit})
        for columns, hit in true.items()
    }
    width, scores = len(table.columns), [0.0] * len(rows)
    smallest: dict[int, int] = defaultdict(lambda: 99)
    for columns, hit in true.items():
        weight = 1.0
        for i in range(len(columns), min(found.largest, width - 1) + 1):
            weight *= width - i
        for row in hit:
            scores[row] += weight
            smallest[people[row]] = min(smallest[people[row]], len(columns))
    assert found.scores.tolist() == scores
    assert found.people == len(smallest)
    assert found.by_column == {
        name: len({people[row] for columns, hit in true.items() if j in columns for row in hit})
        for j, name in enumerate(table.columns)
    }
    assert found.by_size == {
        size: hits
        for size in range(1, found.largest + 1)
        if (hits := sum(each == size for each in smallest.values()))
    }


cells = st.sampled_from(["a", "b", "c", "*"])
tables = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=12)
)


@settings(max_examples=examples(60), deadline=None)
@given(rows=tables, largest=st.integers(1, 5))
def test_the_definition(rows: list[list[str]], largest: int) -> None:
    compare(rows, None, largest)


@settings(max_examples=examples(60), deadline=None)
@given(rows=tables, largest=st.integers(1, 4), data=st.data())
def test_of_people_with_several_rows(
    rows: list[list[str]], largest: int, data: st.DataObject
) -> None:
    whose = st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows))
    compare(rows, data.draw(whose), largest)


def test_on_adult() -> None:
    table = shoal.datasets.adult().head(60).select("age", "sex", "race", "education", "workclass")
    rows = [
        list(map(str, row))
        for row in table.fill_null("*").with_columns(pl.col("age").cast(pl.String)).rows()
    ]
    compare(rows, None, 4)


def test_contributions_of_sdcmicro() -> None:
    """sdcMicro's test "suda2 simple example": 50, 37.5 and 37.5 per cent."""
    table = pl.DataFrame({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]})
    found = risk.unique_sets(table, quasi=["a", "b", "c"])
    assert found.contributions == {"a": 0.5, "b": 0.375, "c": 0.375}
    turned = risk.unique_sets(table, quasi=["c", "a", "b"])
    assert turned.contributions == {"c": 0.375, "a": 0.5, "b": 0.375}


def test_progress_counts_all_sets() -> None:
    table = shoal.datasets.adult().head(50).select("age", "sex", "race", "education", "workclass")
    told: list[tuple[int, int]] = []
    risk.unique_sets(
        table, quasi=table.columns, largest=3, progress=lambda *each: told.append(each)
    )
    assert told[-1] == (25, 25)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_nothing_is_unique() -> None:
    found = risk.unique_sets(pl.DataFrame({"a": [1, 1], "b": [2, 2]}), quasi=["a", "b"])
    assert (found.people, found.sets, found.by_size) == (0, (), {})
    assert found.scores.tolist() == found.dis_scores.tolist() == [0, 0]
    assert found.contributions == {"a": 0.0, "b": 0.0}


def test_one_row_is_unique_by_any_column() -> None:
    found = risk.unique_sets(pl.DataFrame({"a": [1], "b": [None]}), quasi=["a", "b"])
    assert [each.columns for each in found.sets] == [("a",)]


def test_too_many_sets_are_refused() -> None:
    wide = pl.DataFrame({f"c{j}": [1, 2] for j in range(40)})
    with pytest.raises(ParameterError, match="sets of up to 4"):
        risk.unique_sets(wide, quasi=wide.columns)
    assert largest_size(40) == 3
    found = risk.unique_sets(wide, quasi=wide.columns, largest=largest_size(40))
    assert len(found.sets) == 40


@pytest.mark.parametrize(
    "wrong", [{"largest": 0}, {"largest": 1.5}, {"sampling_fraction": 0}, {"scoring": "sdc"}]
)
def test_wrong_options(wrong: dict[str, object]) -> None:
    table = pl.DataFrame({"a": [1, 2]})
    with pytest.raises(ParameterError):
        risk.unique_sets(table, quasi=["a"], **wrong)  # type: ignore[arg-type]


def test_nothing_in_the_answer_is_a_cell() -> None:
    table = pl.DataFrame({"job": ["spy-7", "cook-3", "cook-3"]})
    assert "spy-7" not in str(risk.unique_sets(table, quasi=["job"]).to_dict())


def test_scores_fall_with_the_size() -> None:
    rng = np.random.default_rng(3)
    table = pl.DataFrame({f"c{j}": rng.integers(0, 6, 300) for j in range(6)})
    for scoring in ("elliot", "ihsn"):
        found = risk.unique_sets(table, quasi=table.columns, scoring=scoring)  # type: ignore[arg-type]
        assert (found.dis_scores >= 0).all()
        assert (found.dis_scores <= 1).all()
        order = np.argsort(found.scores)
        assert (np.diff(found.dis_scores[order]) >= -1e-12).all()
