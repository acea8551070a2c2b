"""Distances, associations and contingency tables: twins, and cases by hand."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.errors import ParameterError
from shoal.measures import (
    associations,
    column_distances,
    contingency,
    correlation_change,
    marginal_distance,
    mean_query_errors,
    mean_workload,
    measure_all,
    pair,
    pair_distance,
    pair_distances,
)
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize, represent
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.measures.test_against_reference import SECRET, groupings, tables, twin
from tests.reference import distributions as slow

FORMS = ["nodes", "sets", "mean", "groups"]
TREE = Hierarchy.from_dict({"X": ["a", "b"], "c": []})


@settings(max_examples=examples(40), deadline=None)
@given(st.data(), st.sampled_from(FORMS), st.booleans())
def test_every_column_and_pair_has_a_twin(data: st.DataObject, form: str, ranked: bool) -> None:
    table = data.draw(tables())
    grouping = data.draw(groupings(table.n_rows))
    how: dict[str, Any] = {"rows": grouping.rows.tolist()}
    groups = None
    if form == "mean":
        recoded = represent(table, grouping, centre="mean")
        how["centres"] = "mean"
    else:
        recoded = generalize(table, grouping, categories="nodes" if form == "groups" else form)
        if form == "groups":
            groups = how["groups"] = grouping.labels[grouping.rows].tolist()
    published = recoded.decode(table)
    both = pair(table.frame, published, table.schema, **how)
    expected = twin(table, published, how["rows"], groups)
    names = [column.name for column in table.quasi] + [SECRET] * (SECRET in table.schema)
    place = dict(zip(names, expected.places, strict=True))

    for found in column_distances(both):
        j = place[found.column]
        assert found.total_variation == close(slow.column_distance(expected, j))
        if slow.numeric(expected, j):
            assert found.earth_movers == close(slow.earth_movers(expected, j))
        else:
            assert found.earth_movers is None
    pairs = pair_distances(both)
    assert {each.columns for each in pairs} == set(combinations(names, 2))
    for each in pairs:
        one, two = (place[name] for name in each.columns)
        assert each.total_variation == close(slow.pair_distance(expected, one, two))
    kind = "spearman" if ranked else "pearson"
    changes = {each.columns: each for each in associations(both, numbers=kind)}
    for columns in combinations(names, 2):
        one, two = (place[name] for name in columns)
        strength = slow.association(expected, one, two, ranked)
        assert (strength is None) == (columns not in changes), columns
        if strength is not None:
            met = changes[columns]
            assert (met.before, met.after) == (close(strength[0]), close(strength[1])), met


def close(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-7, abs=1e-7)


def made(original: dict[str, Any], published: dict[str, Any], **how: Any) -> shoal.measures.Pair:
    """Set two tables beside each other; columns are quasi-identifiers but for 's'."""
    frame = pl.DataFrame(original)
    schema = shoal.Schema(
        {
            name: shoal.sensitive()
            if name == "s"
            else shoal.quasi(hierarchy=TREE if name == "job" else None)
            for name in frame.columns
        }
    )
    return pair(frame, pl.DataFrame(published), schema, **how)


def test_columns_by_hand() -> None:
    original = {"age": [1, 2, 3, 4], "job": ["a", "a", "a", "c"]}
    both = made(original, {"age": ["[1, 2]"] * 2 + ["[3, 4]"] * 2, "job": ["X"] * 3 + ["c"]})
    age, job = column_distances(both)
    # Halves of [1, 2] lie where they were; of three a, one and a half are taken for b.
    assert (age.total_variation, age.earth_movers) == (0.0, close(0))
    assert job.total_variation == pytest.approx(1.5 / 4)
    assert marginal_distance.of(both) == pytest.approx(1.5 / 8)
    assert marginal_distance.by_column_of(both) == {"age": 0.0, "job": pytest.approx(1.5 / 4)}


def test_what_says_nothing_is_left_out() -> None:
    original = {"age": [1, 2, 3, None], "job": ["a", "b", "c", None]}
    same = {"age": ["1", "2", "3", "*"], "job": ["a", "b", "c", "*"]}
    assert [each.total_variation for each in column_distances(made(original, same))] == [0, 0]
    some = {"age": ["1", "2", "[1, 3]", "*"], "job": ["a", "*", "c", "*"]}
    assert [each.total_variation for each in column_distances(made(original, some))] == [
        close(1 / 3), close(1 / 3)]  # fmt: skip
    # If nothing is said at all, every value is equally likely: as here it is.
    none = {"age": ["*"] * 4, "job": ["*"] * 4}
    assert marginal_distance.of(made(original, none)) == close(0)
    assert pair_distance.of(made(original, none)) == close(2 / 3)
    assert correlation_change(made(original, none)) == 1.0


def test_an_open_end_leaves_the_largest_out() -> None:
    both = made({"age": [1, 2, 3]}, {"age": ["[1, 3)", "[1, 3)", "3"]})
    assert column_distances(both)[0].total_variation == close(0)


def test_rows_that_are_not_published_are_missing() -> None:
    both = made({"age": [1, 1, 2, 2]}, {"age": ["1", "1", "2"]}, rows=[0, 1, 2])
    [found] = column_distances(both)
    assert found.total_variation == close(1 / 6)  # 1/2 before, 2/3 after
    assert found.earth_movers == close(1 / 6)
    assert not pair_distance.applies(both)


def test_numbers_are_cut_where_rows_are() -> None:
    """Of 99 zeros and numbers up to 20, the zeros are one bin, and not ten."""
    ages = [0] * 99 + list(range(1, 21))
    both = made({"age": ages}, {"age": [str(age) for age in ages]})
    found = shoal.measures._margins.margin_of(both, "age")  # type: ignore[attr-defined]
    assert found.labels == ("0", "[1, 9]", "[10, 20]")
    assert found.before.tolist() == found.after.tolist() == [99, 9, 11]


def test_rare_values_are_joined() -> None:
    zips = [f"z{i:03}" for i in range(300)] + ["z000"]
    both = made({"zip": zips, "s": zips}, {"zip": zips, "s": zips})
    found = contingency(both, "zip", "s", values=3)
    assert found["zip"].unique(maintain_order=True).to_list() == ["z000", "z001", "(others)"]
    assert found["before"].sum() == found["after"].sum() == 301
    assert [each.total_variation for each in column_distances(both)] == [0, 0]
    assert pair_distances(both)[0].total_variation == close(0)


def test_two_exact_tables_lose_what_belongs_together() -> None:
    original = {"sex": ["F", "F", "M", "M"], "s": ["x", "x", "y", "y"]}
    both = made(original, {"sex": original["sex"]}, groups=[1, 1, 1, 1])
    assert [each.total_variation for each in column_distances(both)] == [0, 0]
    [found] = pair_distances(both)
    assert found.total_variation == close(0.5)
    [lost] = associations(both)
    assert (lost.kind, lost.before, lost.after) == ("cramers-v", 1.0, 0.0)
    assert contingency(both, "sex", "s")["after"].to_list() == [1, 1, 1, 1]
    kept = made(original, {"sex": original["sex"]}, groups=[1, 1, 2, 2])
    assert pair_distances(kept)[0].total_variation == correlation_change(kept) == 0


def test_sensitive_numbers_are_numbers() -> None:
    pay = list(range(100, 130))
    age = list(range(30))
    beside = made({"age": age, "s": pay}, {"age": [str(a) for a in age], "s": pay})
    [found] = associations(beside)
    assert (found.kind, found.before, found.after) == ("pearson", close(1), close(1))
    shown = {"age": [str(a) for a in age]}
    apart = made({"age": age, "s": pay}, shown, groups=[a // 15 for a in age])
    [found] = associations(apart)
    # All variance is known, and what lies between the two groups: 7.5² of (30² − 1)/12.
    assert found.after == close(7.5**2 / ((30**2 - 1) / 12))
    assert associations(apart, numbers="spearman")[0].after == close(found.after)
    means = {each.column: each for each in mean_query_errors(apart)}
    assert set(means) == {"age", "s"}
    assert means["s"].absolute > 0
    assert mean_query_errors(beside)[1].absolute == close(0)


def test_few_sensitive_numbers_may_be_codes() -> None:
    both = made({"age": [1, 2], "s": [1, 2]}, {"age": ["1", "2"], "s": [1, 2]})
    assert associations(both)[0].kind == "correlation-ratio"
    assert [each.column for each in mean_query_errors(both)] == ["age"]


def test_a_constant_column_has_no_relation() -> None:
    both = made({"age": [5, 5], "job": ["a", "c"]}, {"age": ["5", "5"], "job": ["a", "c"]})
    assert associations(both) == []
    assert correlation_change(both) == 0.0
    assert column_distances(both)[0].earth_movers == 0.0


def test_columns_that_are_missing_everywhere() -> None:
    frame = pl.DataFrame({"age": pl.Series([None, None], dtype=pl.Int64), "s": ["x", None]})
    schema = shoal.Schema({"age": shoal.quasi(), "s": shoal.sensitive()})
    both = pair(frame, frame.with_columns(age=pl.lit("*")), schema)
    assert [each.total_variation for each in column_distances(both)] == [0, 0]
    assert [each.total_variation for each in pair_distances(both)] == [0]
    assert associations(both) == []
    assert contingency(both, "age", "s").height == 0
    with pytest.raises(ParameterError, match="no numeric column"):
        mean_query_errors(both)
    assert "mean_query_error" not in measure_all(both, on_request=True)


def test_wide_and_fine_numbers() -> None:
    wide = [-(2**63), 0, 2**63 - 1]
    coarse = ["[-9223372036854775808, 0]"] * 2 + ["9223372036854775807"]
    [found] = column_distances(made({"a": wide}, {"a": coarse}))
    assert found.earth_movers == close(1 / 12)  # two thirds move by an eighth of the range
    huge = [-1e308, 0.1234567890123, 1e308]
    [found] = column_distances(made({"a": huge}, {"a": [repr(each) for each in huge]}))
    assert (found.total_variation, found.earth_movers) == (0, close(0))


def test_a_mean_by_hand() -> None:
    original = {"age": [20, 24, 30, 40], "job": ["a", "b", "c", "c"]}
    published = {"age": ["[20, 30)"] * 2 + ["30", "40"], "job": ["X", "X", "c", "c"]}
    both = made(original, published)
    table, recoded = both.table, both.recoded
    query = shoal.measures.MeanQuery("age", shoal.measures.CountQuery({"job": {0}}))
    assert (query.true(table), query.estimate(table, recoded)) == (20, 24.5)
    nobody = shoal.measures.MeanQuery("age", shoal.measures.CountQuery({"job": set()}))
    assert nobody.true(table) is None
    assert nobody.estimate(table, recoded) == (24.5 * 2 + 70) / 4  # of all rows
    everyone = shoal.measures.MeanQuery("age", shoal.measures.CountQuery({}))
    assert everyone.true(table) == 28.5
    stars = made(original, {"age": ["*"] * 4, "job": published["job"]})
    assert everyone.estimate(stars.table, stars.recoded) == 30
    assert [q.column for q in mean_workload(table, queries=2)] == ["age", "age"]


def test_means_of_zeros_have_an_error_of_one() -> None:
    both = made({"age": [0, 0], "job": ["a", "c"]}, {"age": ["[0, 5]"] * 2, "job": ["a", "c"]})
    [found] = mean_query_errors(both)
    assert (found.relative, found.absolute) == (1.0, 2.5)


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda both: column_distances(both, bins=1), "bins must be"),
        (lambda both: contingency(both, "age", "age"), "Both columns are 'age'"),
        (lambda both: contingency(both, "age", "jbo"), "'jbo' is neither"),
        (lambda both: contingency(both, "age", "job", values=1), "values must be"),
        (lambda both: associations(both, numbers="kendall"), "numbers"),
        (lambda both: mean_query_errors(both, floor=2), "floor must be"),
        (lambda both: mean_query_errors(both, queries=0), "queries must be"),
        (lambda both: column_distances("x"), "Pair"),
    ],
)
def test_wrong_arguments_are_refused(call: Any, problem: str) -> None:
    both = made({"age": [1, 2], "job": ["a", "c"]}, {"age": ["1", "2"], "job": ["a", "c"]})
    with pytest.raises(ParameterError, match=problem) as caught:
        call(both)
    assert caught.value.hint


def test_releases_take_what_is_cheap() -> None:
    """Measures on request are not part of a release; what is private reaches no public file."""
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "job": ["a", "a", "c", "c"]})
    schema = shoal.Schema({"age": shoal.quasi(), "job": shoal.quasi(hierarchy=TREE)})
    release = shoal.anonymize(
        frame, schema, require=[shoal.KAnonymity(2)], method=shoal.GAACP(seed=1)
    )
    assert "marginal_distance" in release.measures
    on_request = set(measure_all(release.pair, on_request=True)) - set(release.measures)
    assert on_request == {"mean_query_error", "pair_distance"}
    asked = {
        name: shoal.measures.MEASURES[name].public for name in (*on_request, "marginal_distance")
    }
    assert set(asked.values()) == {"never"}


def test_a_pair_of_codes_will_do() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "s": [*"xxyy"]})
    table = Table.encode(frame, {"age": "quasi", "s": "sensitive"})
    both = shoal.measures.Pair(table, generalize(table, Grouping(np.zeros(4, dtype=np.int32))))
    assert pair_distances(both)[0].total_variation == close(0.5)
