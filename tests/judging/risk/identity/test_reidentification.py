"""Re-identification of any table: hand cases, people, populations, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import risk
from shoal.errors import ParameterError, SchemaError, ShoalError
from shoal.judging.risk.identity.records import records
from tests.examples import examples

AGES = pl.DataFrame({"age": [30, 30, 30, 40, 40, 50], "sex": list("ffffmm")})
QUASI = ["age", "sex"]


def test_by_hand() -> None:
    found = risk.reidentification(AGES, quasi=QUASI)
    assert (found.rows, found.people, found.classes, found.uniques) == (6, 6, 4, 3)
    assert found.sizes == {1: 3, 3: 3}
    assert found.smallest == 1
    assert found.prosecutor.highest == 1
    assert found.prosecutor.lowest == 1 / 3
    assert found.prosecutor.average == pytest.approx(4 / 6)
    assert found.prosecutor.above == {0.05: 1, 0.09: 1, 0.2: 1, 0.33: 1}
    assert found.marketer == found.prosecutor.average
    assert found.wildcard == found.prosecutor
    assert (found.journalist, found.uniqueness, found.before) == (None, None, None)


def test_a_risk_at_a_threshold_is_not_above_it() -> None:
    for size, bound in ((20, 0.05), (5, 0.2), (10, 0.1)):
        table = pl.DataFrame({"a": [1] * size})
        found = risk.reidentification(table, quasi=["a"], thresholds=[bound])
        assert found.prosecutor.above == {bound: 0}
        fewer = risk.reidentification(table.head(size - 1), quasi=["a"], thresholds=[bound])
        assert fewer.prosecutor.above == {bound: 1}


@settings(max_examples=examples(60), deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=20),
)
def test_people_are_counted(rows: list[tuple[int, int]]) -> None:
    table = pl.DataFrame(rows, schema=["cell", "who"], orient="row")
    schema = shoal.Schema({"cell": "quasi", "who": "identifier"}, entity="who")
    found = risk.reidentification(table, schema)
    risks = {}
    for _, who in rows:
        mine = {cell for cell, other in rows if other == who}
        least = min(len({other for here, other in rows if here == cell}) for cell in mine)
        risks[who] = least
    assert found.people == len(risks)
    assert found.uniques == sum(size == 1 for size in risks.values())
    assert found.prosecutor.average == pytest.approx(
        sum(1 / size for size in risks.values()) / len(risks)
    )
    assert sum(found.sizes.values()) == len(risks)


def test_missing_cells_are_one_value_or_any() -> None:
    table = pl.DataFrame({"age": ["30", "", None, "*"], "sex": list("fffm")})
    found = risk.reidentification(table, quasi=QUASI)
    assert found.classes == 3
    assert found.has_stars
    assert found.prosecutor.average == pytest.approx((1 + 0.5 + 0.5 + 1) / 4)
    assert found.wildcard.average == pytest.approx((1 / 3 + 1 / 3 + 1 / 3 + 1) / 4)


def test_a_missing_token_of_the_schema_is_a_star() -> None:
    schema = shoal.Schema({"age": shoal.quasi(kind="numeric", missing=["-9"])})
    table = pl.DataFrame({"age": [-9, 30, 31]})
    assert risk.reidentification(table, schema).wildcard.average == pytest.approx(
        (1 / 3 + 1 / 2 + 1 / 2) / 3
    )


def test_before_and_after() -> None:
    adult = shoal.datasets.adult().head(400)
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    release = shoal.anonymize(adult, plan)
    found = release.reidentification()
    assert found.before is not None
    assert found.before.uniques > 0 == found.uniques
    assert found.prosecutor.highest <= 0.1 < found.before.prosecutor.highest
    same = risk.reidentification(release.table, plan.schema_(), original=adult)
    assert same == found


def test_a_release_from_its_folder(tmp_path: Path) -> None:
    release = shoal.anonymize(AGES, k=2, quasi=QUASI, seed=1)
    opened = shoal.open_release(release.write(tmp_path / "out"))
    assert opened.reidentification().before is None
    assert opened.reidentification(original=AGES) == release.reidentification()


def test_people_of_a_release(tmp_path: Path) -> None:
    visits = pl.DataFrame({"who": [1, 1, 2, 3, 4, 4], "age": [30, 31, 30, 45, 44, 46]})
    schema = shoal.Schema({"who": shoal.identifier(), "age": shoal.quasi()}, entity="who")
    release = shoal.anonymize(visits, schema, require=[shoal.KAnonymity(2)])
    found = release.reidentification()
    assert found.has_entity
    assert found.people == 4
    assert found.prosecutor.highest <= 0.5
    assert found.before is not None
    assert found.before.people == 4
    public = release.write(tmp_path / "out")
    assert shoal.open_release(public).reidentification().people == 4
    (tmp_path / "out.private").rename(tmp_path / "elsewhere")
    with pytest.raises(ParameterError, match="identifies people"):
        shoal.open_release(public).reidentification()


def test_two_tables_are_found_by_their_cells() -> None:
    quasi = pl.DataFrame({"age": [30, 31, 50, 50], "class": [1, 1, 2, 2]})
    ill = pl.DataFrame({"class": [1, 1, 2, 2], "ill": ["flu", "HIV", "flu", "TB"]})
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    found = risk.reidentification({"quasi": quasi, "sensitive": ill}, schema)
    assert found.columns == ("age",)
    assert (found.people, found.uniques) == (4, 2)
    named = risk.reidentification(
        {"quasi": quasi, "sensitive": ill}, quasi=["age"], class_column="class"
    )
    assert named == found


def test_a_population_is_counted() -> None:
    people = pl.DataFrame({"age": [30] * 9 + [40] * 4 + [60], "sex": ["f"] * 14})
    table = pl.DataFrame({"age": ["[30, 39]", "40", "50"], "sex": ["f"] * 3})
    found = risk.reidentification(table, quasi=QUASI, population=people)
    assert found.journalist is not None
    assert found.outside == 1  # nobody of 50 is there
    assert found.journalist.highest == 1
    assert found.journalist.lowest == 1 / 9
    assert found.marketer == found.journalist.average == pytest.approx((1 / 9 + 1 / 4 + 1) / 3)
    assert found.counted_population


def test_a_fraction_estimates_the_journalist() -> None:
    found = risk.reidentification(AGES, quasi=QUASI, sampling_fraction=0.5)
    same = risk.individual_risk(AGES, quasi=QUASI, weights=[2] * 6)
    assert found.journalist is not None
    assert found.journalist.average == pytest.approx(same.mean())
    assert found.journalist.highest <= found.prosecutor.highest
    assert found.uniqueness is not None
    whole = risk.reidentification(AGES, quasi=QUASI, sampling_fraction=1)
    assert whole.journalist is not None
    assert whole.journalist.average == pytest.approx(whole.prosecutor.average)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "No quasi-identifiers were given"),
        ({"quasi": "age"}, "a list of columns"),
        ({"quasi": []}, "No column"),
        ({"quasi": ["agee"]}, "Did you mean 'age'"),
        ({"quasi": [3]}, "no column '3'"),
        ({"quasi": QUASI, "people": [1]}, "one person for each"),
        ({"quasi": QUASI, "thresholds": [2]}, "from 0 to 1"),
        ({"quasi": QUASI, "thresholds": "0.2"}, "a list of numbers"),
        ({"quasi": QUASI, "sampling_fraction": 0}, "above 0"),
        ({"quasi": QUASI, "sampling_fraction": 1.5}, "at most 1"),
        ({"quasi": QUASI, "sampling_fraction": True}, "above 0"),
        ({"quasi": QUASI, "sampling_fraction": float("nan")}, "above 0"),
        ({"quasi": QUASI, "original": AGES.select("age")}, "The original"),
        ({"quasi": QUASI, "population": AGES.select("age")}, "The population"),
        ({"schema": {"age": "quasi"}, "quasi": ["sex", "nothing"]}, "no column 'nothing'"),
        ({"schema": {"sex": "other"}}, "No column"),
    ],
)
def test_bad_input(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ShoalError, match=said):
        risk.reidentification(AGES, **given)


def test_tables_without_rows_and_other_things() -> None:
    with pytest.raises(ShoalError, match="no rows"):
        risk.reidentification(AGES.clear(), quasi=QUASI)
    with pytest.raises(ShoalError):
        risk.reidentification(3, quasi=QUASI)


def test_any_frame(tmp_path: Path) -> None:
    pandas = AGES.to_pandas()
    assert risk.reidentification(pandas, quasi=QUASI) == risk.reidentification(AGES, quasi=QUASI)


def test_columns_need_no_role_in_the_schema() -> None:
    found = records(AGES, {"age": "quasi"}, quasi=["sex"])
    assert found.names == ("sex",)
    with pytest.raises(SchemaError):
        records(AGES, {"age": "quasi", "zip": "quasi"})
