"""Personalised k-anonymity: wishes, people, methods, and what cannot be met."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import PersonalK
from shoal.checks import check_requirement
from shoal.errors import InfeasibleError, InputError, ParameterError
from shoal.methods import METHODS
from shoal.publications.groups.counting import count_groups, one_group, with_private
from shoal.table import Table
from tests.examples import examples
from tests.reference.personal import fewest_gone, hidden_enough

ROLES = {"who": "identifier", "age": "quasi", "sex": "quasi", "wanted": "identifier"}
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 5), st.sampled_from([None, 1, 2, 3, 4, 9])),
    min_size=1,
    max_size=25,
)
ANY_METHOD = [name for name, kind in METHODS.items() if kind.carries is None]


def frame(wishes: list[Any], *, who: list[Any] | None = None) -> pl.DataFrame:
    rows = len(wishes)
    return pl.DataFrame(
        {
            "who": who or [f"p{row}" for row in range(rows)],
            "age": [20 + 7 * row % 50 for row in range(rows)],
            "sex": ["f" if row % 3 else "m" for row in range(rows)],
            "wanted": wishes,
        }
    )


def largest_wishes(wishes: list[int | None], people: list[int]) -> list[int | None]:
    """Give each row the largest wish of its person."""
    mine = [[w for w, p in zip(wishes, people, strict=True) if p == who and w] for who in people]
    return [max(each, default=None) for each in mine]


@settings(max_examples=examples(60), deadline=None)
@given(ROWS, st.integers(2, 4), st.booleans())
def test_groups_are_judged_as_by_the_slow_twin(
    rows: list[tuple[int, int, int | None]], k: int, by_people: bool
) -> None:
    group, people, wishes = (list(each) for each in zip(*rows, strict=True))
    names = [f"p{person}" for person in people]
    schema = shoal.Schema(ROLES, entity="who" if by_people else None)
    table = Table.encode(
        frame(wishes, who=names).with_columns(wanted=pl.Series(wishes, dtype=pl.Int64)), schema
    )
    need = PersonalK("wanted", k)
    labels = np.unique(group, return_inverse=True)[1]
    found = count_groups(
        labels, int(labels.max()) + 1, table.people, with_private(table, [need]).private
    )
    asked = largest_wishes(wishes, people) if by_people else wishes
    expected = []
    for each in range(int(labels.max()) + 1):
        mine = np.flatnonzero(labels == each).tolist()
        crowd = [people[row] if by_people else row for row in mine]
        expected.append(hidden_enough([asked[row] for row in mine], crowd, k))
    assert need.judge(found).holds.tolist() == expected
    assert not found.histograms


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(st.sampled_from([None, 1, 2, 3, 5, 7, 90]), min_size=1, max_size=7), st.integers(2, 3)
)
def test_the_fewest_rows_go(wishes: list[int | None], k: int) -> None:
    table = Table.encode(
        frame(wishes).with_columns(wanted=pl.Series(wishes, dtype=pl.Int64)), ROLES
    )
    need = PersonalK("wanted", k)
    whole = one_group(table, [need])
    gone = fewest_gone(wishes, k)
    assert need.least_suppression(whole) == gone
    if gone is not None:
        out = need.impossible(whole)["wanted"][with_private(table, [need]).private["wanted"].codes]
        assert int(out.sum()) == gone


def test_the_contract_with_another_least_size() -> None:
    check_requirement(PersonalK("wanted", 3))


@pytest.mark.parametrize("name", ANY_METHOD)
@pytest.mark.parametrize("entity", [None, "who"])
def test_methods_hold_it(name: str, entity: str | None) -> None:
    wishes = [(None, 2, None, 6, 3)[row % 5] for row in range(40)]
    who = [f"p{row // 2 if entity else row}" for row in range(40)]
    original = frame(wishes, who=who)
    made = shoal.anonymize(
        original,
        shoal.Schema(ROLES, entity=entity),
        require=PersonalK("wanted"),
        method=name,
        seed=1,
    )
    shown = original[made.rows].with_columns(
        made.frame.select(pl.concat_str("age", "sex", separator="|")).to_series().alias("class")
    )
    crowds = shown.group_by("class").agg(pl.col("who").n_unique().alias("crowd"))
    largest = original.group_by("who").agg(pl.col("wanted").max().alias("largest"))
    beside = shown.join(crowds, on="class").join(largest, on="who")
    asked = beside["largest"] if entity else beside["wanted"]
    assert (beside["crowd"] >= asked.fill_null(2)).all()
    assert made.rows.size >= 38


def test_a_person_is_hidden_in_every_row() -> None:
    """Ann asks in one row only; who finds the other row must find as many people."""
    people = pl.DataFrame(
        {
            "who": ["ann", "bob", "cid", "dan", "ann", "eve", "fay", "gus"],
            "age": [20, 21, 22, 23, 70, 71, 72, 73],
            "sex": ["f"] * 8,
            "wanted": [4, None, None, None, None, None, None, None],
        }
    )
    by_people, need = shoal.Schema(ROLES, entity="who"), PersonalK("wanted")
    shown = people.select("sex", age=pl.Series(["20-23"] * 4 + ["70-71"] * 2 + ["72-73"] * 2))
    original = people.with_columns(shown["age"])
    assert shoal.verify(shown, ROLES, need, original=original).passed
    (judged,) = shoal.verify(shown, by_people, need, original=original).judgements
    assert (judged.passed, judged.failing_classes, judged.failing_rows) == (False, 1, 2)
    made = shoal.anonymize(people, by_people, require=need, method="gaa-cp")
    classes = people[made.rows].with_columns(made.frame["age"]).partition_by("age")
    crowds = [set(part["who"]) for part in classes]
    assert all(len(crowd) >= 4 for crowd in crowds if "ann" in crowd)


def test_who_is_left_over_is_brought_back() -> None:
    """Seven pairs are formed, and the last one asks for six: pairs become larger groups."""
    original = frame([None] * 14 + [6])
    made = shoal.anonymize(
        original, ROLES, require=PersonalK("wanted"), method=shoal.GAACP(picks="first")
    )
    assert made.n_suppressed == 0


@pytest.mark.parametrize("how", [{"blocks": 2}, {"refine": {"steps": 50}}])
def test_in_blocks_and_refined(how: dict[str, Any]) -> None:
    wishes = [7 if row % 9 == 0 else None for row in range(120)]
    made = shoal.anonymize(
        frame(wishes), ROLES, require=PersonalK("wanted"), method="gaa-cp", seed=1, **how
    )
    assert made.verification.passed
    classes = made.frame.group_by("age", "sex").agg(pl.len())["len"]
    assert min(classes) < 7  # only the careful ones are in large classes


def test_who_asks_for_too_much_is_left_out_within_the_limit() -> None:
    original = frame([3] * 39 + [1000])
    for method in ("gaa-cp", "mondrian", "full-domain", "kaca"):
        made = shoal.anonymize(original, ROLES, require=PersonalK("wanted"), method=method)
        assert sorted(set(range(40)) - set(made.rows.tolist())) == [39]
    with pytest.raises(InfeasibleError, match="at least 1 of 40 rows") as caught:
        shoal.anonymize(original, ROLES, require=PersonalK("wanted"), suppression_limit=0)
    assert "1 of them want more in 'wanted'" in caught.value.hint
    assert "1000" not in str(caught.value)


@pytest.mark.parametrize("cell", ["several", "2.5", "0", "-3", "inf", "*", "1e400"])
def test_what_is_no_number_is_counted_and_not_shown(cell: str) -> None:
    original = frame(["3", cell, "", "2", cell, *["3"] * 10])
    with pytest.raises(InputError, match=r"'wanted'.* 2 cells are not a whole number") as caught:
        shoal.anonymize(original, ROLES, require=PersonalK("wanted"))
    assert cell == "*" or cell not in str(caught.value).replace("of at least 1", "")


@pytest.mark.parametrize(
    "wishes", [["3.0", None, "", " 2"], [3.0, None, None, 2.0], ["", "", "", ""]]
)
def test_numbers_and_empty_cells_are_read(wishes: list[Any]) -> None:
    made = shoal.anonymize(frame(wishes), ROLES, require=PersonalK("wanted"), method="gaa-cp")
    assert made.verification.passed


def test_auto_refines_as_long_as_groups_are_large_not_as_the_least_k_says() -> None:
    """A step takes longer the larger groups are, and here wishes make them large."""
    asked = [20] * 120
    made = shoal.anonymize(frame(asked), ROLES, require=PersonalK("wanted"), method="auto", seed=1)
    assert made.refinement is not None
    alike = shoal.anonymize(
        frame(asked), ROLES, require=shoal.KAnonymity(20), method="auto", seed=1
    )
    assert alike.refinement is not None
    assert made.refinement.steps == alike.refinement.steps == 30 * 120 // 20


def test_texts_that_mean_missing_ask_for_the_least() -> None:
    schema = shoal.Schema(ROLES, missing=["", "*", "NA"])
    made = shoal.anonymize(frame(["NA", "2", "NA", ""]), schema, require=PersonalK("wanted"))
    assert made.verification.passed


@pytest.mark.parametrize("role", ["quasi", "sensitive", "other"])
def test_a_column_that_would_be_published_is_refused(role: str) -> None:
    with pytest.raises(ParameterError, match="would be published"):
        shoal.anonymize(frame([2] * 9), {**ROLES, "wanted": role}, require=PersonalK("wanted"))


def test_a_column_without_a_role_is_refused() -> None:
    with pytest.raises(ParameterError, match="no role") as caught:
        shoal.anonymize(frame([2] * 9), ROLES, require=PersonalK("wantd"))
    assert "'wanted'" in caught.value.hint


@pytest.mark.parametrize("method", ["anatomy", "gca", "micd", "decomposition"])
def test_methods_that_mix_values_refuse_it(method: str) -> None:
    with pytest.raises(ParameterError, match="cannot carry 'personal-k'"):
        shoal.anonymize(frame([2] * 9), ROLES, require=PersonalK("wanted"), method=method)


def test_all_rows_of_a_person_are_refused() -> None:
    schema = shoal.Schema(ROLES, entity="who", linkage="all-rows")
    with pytest.raises(ParameterError, match="class by class"):
        shoal.anonymize(frame([2] * 9), schema, require=PersonalK("wanted"), method="gaa-cp")
