"""The options of a publication: which belong to which form, and what a form needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import ParameterError, PlanError
from shoal.plan import PublicationPlan
from shoal.publications.groups.grouping import Padding
from shoal.table.schema import Role

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
        ({"quasi_cells": "exact"}, "'generalized' has no option 'quasi_cells'"),
        ({"sensitive_cells": "rows"}, "Only 'sensitive-groups' and 'two-table' can have it"),
        ({"form": "two-table", "bounds": "rounded"}, "Exact quasi-identifiers have no bounds"),
        ({"form": "none"}, "Known: generalized, microaggregated, sensitive-groups, two-table"),
        ({"form": "two-table", "quasi": "exact"}, "is now called 'quasi_cells'. Rename it"),
        ({"sensitive": "counts"}, "is now called 'sensitive_cells'. Rename it"),
        ({"missng": "keep"}, "unknown option 'missng'. Did you mean 'missing'"),
        ({"form": "two-tables"}, "Did you mean 'two-table'"),
        ({"form": "two-table", "quasi_cells": "coarse"}, "one of 'exact', 'generalized'"),
        ({"form": "two-table", "sensitive_cells": "sums"}, "one of 'rows', 'counts'"),
        ({"form": "two-table", "sensitive_cells": "values"}, "one of 'rows', 'counts'"),
        ({"form": "generalized", "sensitive_cells": "values"}, "has no option 'sensitive_cells'"),
        (
            {"form": "sensitive-groups", "bounds": "rounded"},
            "Exact quasi-identifiers have no bounds",
        ),
    ],
)
def test_options_that_do_not_belong_are_refused(options: dict[str, str], reason: str) -> None:
    with pytest.raises(PlanError, match=reason):
        plan(**options)
    with pytest.raises(ParameterError, match=reason):
        PublicationPlan.of(**options).build(shoal.GAACP())


def test_a_plan_is_written_and_read_back() -> None:
    made = plan(
        form="two-table", quasi_cells="generalized", bounds="rounded", sensitive_cells="counts"
    )
    assert (
        made.publication
        == shoal.Plan.from_dict({**made.model_dump(mode="json", exclude_none=True)}).publication
    )
    assert 'quasi_cells = "generalized"' in made.to_toml()
    assert "quasi_cells =" not in plan(form="two-table").to_toml()
    assert plan(form="two-table").publication.build(shoal.GAACP()).exact
    assert not plan().publication.build(shoal.GAACP()).exact


def test_python_and_plan_give_the_same_release() -> None:
    frame = pl.DataFrame({"age": ["1", "2", "1", "2"], "ill": ["a", "b", "b", "a"]})
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    here = shoal.anonymize(
        frame,
        schema,
        require=[shoal.KAnonymity(2)],
        method=shoal.GAACP(seed=1),
        publication="two-table",
        sensitive_cells="counts",
    )
    there = shoal.Plan.from_dict(
        {
            "columns": COLUMNS,
            "require": [{"model": "k-anonymity", "k": 2}],
            "method": {"name": "gaa-cp", "seed": 1},
            "publication": {"form": "two-table", "sensitive_cells": "counts"},
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


TWO_SECRETS = SCHEMA.with_column("note", role=Role.SENSITIVE)
DIVERSE = shoal.MultiLDiversity({"illness": 3, "note": 2})


@pytest.mark.parametrize(
    ("method", "require", "form"),
    [
        (shoal.GAACP(seed=1), shoal.KAnonymity(3), "generalized"),
        (shoal.GCA(seed=1), shoal.AlphaK(0.5, 3), "two-table"),
        (shoal.Anatomy(seed=1), shoal.AlphaK(0.5, 3), "two-table"),
        (shoal.MICD(seed=1), shoal.MultiLDiversity({"illness": 3}), "sensitive-groups"),
        (shoal.Decomposition(seed=1), shoal.MultiLDiversity({"illness": 3}), "sensitive-groups"),
    ],
)
def test_a_form_left_open_is_the_one_the_method_is_made_for(
    method: Any, require: Any, form: str
) -> None:
    made = shoal.anonymize(mixed(60), SCHEMA, require=[require], method=method)
    assert made.plan.publication.form == form == made.facts()["publication"]
    columns = {name: {"role": column.role.value} for name, column in SCHEMA.items()}
    written = shoal.Plan.from_dict(
        {"columns": columns, "require": [require.to_spec()], "method": method.to_spec()}
    )
    assert written.publication.form is None
    assert shoal.anonymize(mixed(60), written).plan.publication.form == form


def test_a_named_form_goes_before_the_methods_own() -> None:
    made = shoal.anonymize(
        mixed(60),
        TWO_SECRETS,
        require=[DIVERSE],
        method=shoal.MICD(seed=1, noise="never"),
        publication="generalized",
        suppression_limit=1.0,
    )
    assert made.verification.passed
    assert list(made.tables) == ["table"]


def test_what_bounds_belong_to_is_seen_once_the_form_is_known() -> None:
    with pytest.raises(ParameterError, match="Exact quasi-identifiers have no bounds"):
        shoal.anonymize(
            mixed(60), SCHEMA, require=[shoal.AlphaK(0.5, 3)], method=shoal.GCA(), bounds="rounded"
        )
    with pytest.raises(PlanError, match="Exact quasi-identifiers have no bounds"):
        shoal.Plan.from_dict(
            {
                "columns": COLUMNS,
                "require": [{"model": "alpha-k", "alpha": 0.5, "k": 2}],
                "method": {"name": "gca"},
                "publication": {"bounds": "rounded"},
            }
        )


@pytest.mark.parametrize("form", ["generalized", "two-table"])
def test_added_values_need_sensitive_groups(form: str) -> None:
    schema = SCHEMA if form == "two-table" else TWO_SECRETS
    frame = mixed(60).with_columns(illness=pl.lit("i0"), note=pl.lit(1))
    frame = frame.with_columns(
        illness=pl.when(pl.int_range(60) < 3).then(pl.lit("i1")).otherwise("illness")
    )

    class Padded(shoal.GAACP):
        """Groups with a value that is not their own."""

        def group(self, table: Any, require: Any, **rest: Any) -> shoal.Grouping:
            found = super().group(table, require, **rest)
            added = Padding(np.array([0]), np.array([0]))
            return shoal.Grouping(found.labels, {"illness": added})

    with pytest.raises(ParameterError, match="added values to groups") as caught:
        shoal.anonymize(
            frame, schema, require=[shoal.KAnonymity(3)], method=Padded(seed=1), publication=form
        )
    assert "sensitive-groups" in str(caught.value)


def test_shares_cannot_be_required_of_values_that_are_shown_once() -> None:
    options = {"require": [shoal.AlphaK(0.5, 3)], "publication": "sensitive-groups"}
    with pytest.raises(ParameterError, match="'alpha-k' counts how often a value occurs"):
        shoal.anonymize(mixed(60), SCHEMA, **options)
    for how in ("rows", "counts"):
        assert shoal.anonymize(
            mixed(60), SCHEMA, sensitive_cells=how, **options
        ).verification.passed


def test_sensitive_groups_need_a_sensitive_column() -> None:
    schema = SCHEMA.with_column("illness", role=Role.OTHER)
    with pytest.raises(ParameterError, match="needs a sensitive column"):
        shoal.anonymize(
            mixed(20), schema, require=[shoal.KAnonymity(2)], publication="sensitive-groups"
        )


def test_remarks_are_part_of_the_release() -> None:
    require = shoal.MultiLDiversity({"illness": 3, "note": 9}, lower=True)
    made = shoal.anonymize(mixed(80), TWO_SECRETS, require=[require], method=shoal.MICD(seed=1))
    assert len(made.remarks) == 1
    assert made.remarks[0].startswith("l of 'note' was lowered from 9 to 5")
    assert made.facts()["remarks"] == list(made.remarks)
    assert "was lowered from 9 to 5" in shoal.release.report.page(made.facts())
    assert made.verification.passed


@pytest.mark.parametrize(
    ("method", "publication", "lower"),
    [(0.1, 0.05, "0.05"), (0.03, 0.5, "0.03"), (0.05, 0.05, "0.05"), ("a", 0.2, "0.2")],
)
def test_a_plan_with_two_limits_of_suppression_says_what_to_write(
    method: Any, publication: Any, lower: str
) -> None:
    with pytest.raises(PlanError, match="sets suppression_limit twice") as error:
        shoal.Plan.from_dict(
            {
                "columns": COLUMNS,
                "require": [{"model": "k-anonymity", "k": 2}],
                "method": {"name": "full-domain", "suppression_limit": method},
                "publication": {"suppression_limit": publication},
            }
        )
    assert f"Write suppression_limit = {lower} under [publication]" in error.value.hint


def test_two_limits_of_suppression_in_python_are_refused_unless_they_are_one() -> None:
    frame = pl.DataFrame({"age": [1, 1, 2, 2, 3]})
    how: dict[str, Any] = {"require": 2, "method": shoal.FullDomain(suppression_limit=0.2)}
    with pytest.raises(ParameterError, match="given twice") as error:
        shoal.anonymize(frame, {"age": "quasi"}, suppression_limit=0.5, **how)
    assert "suppression_limit=0.2" in error.value.hint
    made = shoal.anonymize(frame, {"age": "quasi"}, suppression_limit=0.2, **how)
    assert made.n_suppressed == 1


@pytest.mark.parametrize("method", ["full-domain", "incognito", "samarati", "datafly"])
def test_the_search_uses_the_limit_of_the_publication(method: str) -> None:
    """Ten rows showed * where one could have gone: the method searched at 5 %."""
    frame = pl.DataFrame({"age": [1] * 5 + [2] * 4 + [3]})
    made = shoal.anonymize(
        frame,
        {"age": shoal.quasi(kind="categorical")},
        require=2,
        method=method,
        suppression_limit=0.3,
    )
    assert made.n_suppressed == 1
    assert sorted(made.table["age"].to_list()) == ["1"] * 5 + ["2"] * 4


def test_a_limit_that_the_method_gives_is_the_only_one() -> None:
    frame = pl.DataFrame({"age": ["a"] * 4 + ["b", "c", "d"]})
    method = shoal.FullDomain(suppression_limit=1.0, levels={"age": 0})
    made = shoal.anonymize(frame, {"age": "quasi"}, require=2, method=method)
    assert made.n_suppressed == 3
    assert made.plan.publication.suppression_limit == 1.0
    assert "suppression_limit" not in made.plan.method
    assert shoal.Plan.from_dict(made.plan.to_dict()) == made.plan
