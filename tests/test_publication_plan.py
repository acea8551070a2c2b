"""The options of a publication: which belong to which form, and what a form needs."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import ParameterError, PlanError
from shoal.plan import PublicationPlan
from shoal.schema import Role

COLUMNS = {"age": {"role": "quasi"}, "ill": {"role": "sensitive"}}


def plan(**publication: Any) -> shoal.Plan:
    return shoal.Plan.from_dict(
        {
            "columns": COLUMNS,
            "require": [{"model": "k-anonymity", "k": 2}],
            "publication": publication,
        }
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"quasi": "exact"}, "only for form = 'two-table'"),
        ({"sensitive": "rows"}, "only for form = 'two-table'"),
        ({"form": "two-table", "bounds": "rounded"}, "exact quasi-identifiers have no bounds"),
        ({"form": "two-tables"}, "should be 'generalized' or 'two-table'"),
        ({"form": "two-table", "quasi": "coarse"}, "should be 'exact' or 'generalized'"),
        ({"form": "two-table", "sensitive": "sums"}, "should be 'rows' or 'counts'"),
    ],
)
def test_options_that_do_not_belong_are_refused(options: dict[str, str], reason: str) -> None:
    with pytest.raises(PlanError, match=reason):
        plan(**options)
    with pytest.raises(ParameterError, match=reason):
        PublicationPlan.of(**options)


def test_a_plan_is_written_and_read_back() -> None:
    made = plan(form="two-table", quasi="generalized", bounds="rounded", sensitive="counts")
    assert (
        made.publication
        == shoal.Plan.from_dict({**made.model_dump(mode="json", exclude_none=True)}).publication
    )
    assert 'quasi = "generalized"' in made.to_toml()
    assert "quasi =" not in plan(form="two-table").to_toml()
    assert plan(form="two-table").publication.exact
    assert not plan().publication.exact


def test_python_and_plan_give_the_same_release() -> None:
    frame = pl.DataFrame({"age": ["1", "2", "1", "2"], "ill": ["a", "b", "b", "a"]})
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    options = {"sensitive": "counts"}
    here = shoal.anonymize(
        frame,
        schema,
        require=[shoal.KAnonymity(2)],
        method=shoal.GAACP(seed=1),
        publication="two-table",
        **options,
    )
    there = shoal.Plan.from_dict(
        {
            "columns": COLUMNS,
            "require": [{"model": "k-anonymity", "k": 2}],
            "method": {"name": "gaa-cp", "seed": 1},
            "publication": {"form": "two-table", **options},
        }
    )
    again = shoal.anonymize(frame, there)
    assert here.plan.publication == again.plan.publication
    for name in ("quasi", "sensitive"):
        assert here.tables[name].equals(again.tables[name])


@pytest.mark.parametrize("secrets", [0, 2])
def test_two_tables_need_one_sensitive_column(secrets: int) -> None:
    name, role = ("illness", Role.OTHER) if secrets == 0 else ("note", Role.SENSITIVE)
    schema = SCHEMA.with_column(name, role=role)
    with pytest.raises(
        ParameterError, match=f"exactly one sensitive column, but there are {secrets}"
    ):
        shoal.anonymize(mixed(20), schema, require=[shoal.KAnonymity(2)], publication="two-table")


@pytest.mark.parametrize("method", [shoal.GAACP(seed=1), shoal.KAIM(seed=1), shoal.KMember(seed=1)])
def test_any_methods_groups_can_be_published_as_two_tables(method: Any) -> None:
    made = shoal.anonymize(
        mixed(60, missing=0.1),
        SCHEMA,
        require=[shoal.KAnonymity(4)],
        method=method,
        publication="two-table",
        suppression_limit=0.5,
    )
    assert made.verification.passed
    assert made.measures["iloss_rate"] == pytest.approx(made.n_suppressed / 60)
    assert made.table.equals(made.tables["quasi"])


@pytest.mark.parametrize("policy", ["keep", "drop", "suppress-column"])
def test_policies_for_missing_values_work_with_two_tables(policy: str) -> None:
    frame = mixed(60, missing=0.1).with_columns(sex=pl.lit("f"))
    made = shoal.anonymize(
        frame,
        SCHEMA,
        require=[shoal.KAnonymity(4)],
        method=shoal.GAACP(seed=1),
        publication="two-table",
        missing=policy,
    )
    assert made.verification.passed
    stars = int((made.table["age"] == "*").sum())
    absent = frame["age"].null_count()
    assert stars == {"keep": absent, "drop": 0, "suppress-column": 60}[policy]
