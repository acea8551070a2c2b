"""k-anonymity: its boundaries and its refusals."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import GAACP, KAnonymity
from shoal.errors import InfeasibleError, ParameterError, ShoalError
from shoal.models import MODELS, GroupStatistics


def groups(*sizes: int, people: list[int] | None = None) -> GroupStatistics:
    counted = None if people is None else np.array(people, dtype=np.int64)
    return GroupStatistics(np.array(sizes, dtype=np.int64), counted)


def test_exactly_k_holds() -> None:
    outcome = KAnonymity(3).judge(groups(3, 2, 4, 1))
    assert outcome.holds.tolist() == [True, False, True, False]
    assert outcome.achieved == {"k": 1}
    assert not outcome.passed
    assert KAnonymity(3).judge(groups(3, 3)).passed


def test_people_count_before_rows() -> None:
    outcome = KAnonymity(3).judge(groups(30, 30, people=[3, 2]))
    assert outcome.holds.tolist() == [True, False]
    assert outcome.achieved == {"k": 2}


def test_no_groups() -> None:
    outcome = KAnonymity(2).judge(groups())
    assert outcome.passed
    assert outcome.achieved == {"k": 0}


@pytest.mark.parametrize("k", [1, 0, -3, True, False, "3", 2.0, 2.5, None, [2], float("nan")])
def test_k_is_a_whole_number_of_at_least_2(k: object) -> None:
    with pytest.raises(ParameterError, match="k must be a whole number of at least 2") as caught:
        KAnonymity(k).validate()  # type: ignore[arg-type]
    assert repr(k) in str(caught.value)


@pytest.mark.parametrize("k", [2, 3, 10**9])
def test_whole_numbers_are_taken(k: int) -> None:
    KAnonymity(k).validate()


@pytest.mark.parametrize("k", [1, True, "3"])
def test_a_bad_k_is_refused_everywhere(k: object) -> None:
    need = KAnonymity(k)  # type: ignore[arg-type]
    frame = pl.DataFrame({"a": [1, 2, 3], "s": ["x", "y", "z"]})
    schema = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive()})
    with pytest.raises(ParameterError):
        shoal.anonymize(frame, schema, require=[need])
    with pytest.raises(ParameterError):
        shoal.verify(frame, schema, [need])
    with pytest.raises(ShoalError):
        shoal.Plan.from_dict(
            {"columns": {"a": {"role": "quasi"}}, "require": [{"model": "k-anonymity", "k": k}]}
        )


def refused(k: int, rows: int, people: list[int] | None = None) -> str:
    frame = pl.DataFrame({"a": range(rows), "s": range(rows)})
    columns = {"a": shoal.quasi(), "s": shoal.sensitive()}
    entity = None
    if people is not None:
        entity, columns["who"] = "who", shoal.identifier()
        frame = frame.with_columns(who=pl.Series(people))
    schema = shoal.Schema(columns, entity=entity)
    with pytest.raises(InfeasibleError) as caught:
        shoal.anonymize(frame, schema, require=[KAnonymity(k)], method=GAACP(picks="first"))
    return str(caught.value)


def test_more_than_all_rows_is_refused_with_the_nearest_k() -> None:
    message = refused(6, 5)
    assert "6-anonymity" in message
    assert "k = 5 is the largest possible" in message


def test_more_than_all_people_is_refused_with_the_nearest_k() -> None:
    message = refused(4, 6, people=[1, 1, 2, 2, 3, 3])
    assert "3 people" in message
    assert "k = 3 is the largest possible" in message


def test_one_row_or_one_person_leaves_no_k() -> None:
    assert "no k is possible" in refused(2, 1)
    assert "no k is possible" in refused(2, 4, people=[1, 1, 1, 1])


def test_all_rows_in_one_group_is_feasible() -> None:
    frame = pl.DataFrame({"a": range(5), "s": range(5)})
    schema = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive()})
    release = shoal.anonymize(frame, schema, require=[KAnonymity(5)])
    assert release.verification.achieved == {"k": 5}
    assert release.table["a"].unique().to_list() == ["[0, 4]"]


def test_the_strictest_of_several_holds() -> None:
    frame = pl.DataFrame({"a": range(20), "s": range(20)})
    schema = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive()})
    release = shoal.anonymize(frame, schema, require=[KAnonymity(2), KAnonymity(5)])
    assert release.verification.passed
    assert release.verification.achieved["k"] >= 5


def test_every_model_comes_back_from_its_spec() -> None:
    for name, model in MODELS.items():
        made = model.example()
        assert made.to_spec()["model"] == name
        assert shoal.models.from_spec(made.to_spec()) == made


def test_a_whole_number_of_numpy_is_a_k_and_a_fraction_is_none() -> None:
    KAnonymity(np.int64(3)).validate()
    with pytest.raises(ParameterError, match="k must be a whole number"):
        KAnonymity(np.float64(3)).validate()  # type: ignore[arg-type]
