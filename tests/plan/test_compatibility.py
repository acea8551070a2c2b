"""What goes together is what runs: every cell of the table, on 500 rows of Adult."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, ClassVar

import polars as pl
import pytest

import shoal
from shoal import MultiLDiversity
from shoal.checks.tables import with_wishes
from shoal.errors import ParameterError
from shoal.methods import METHODS, Method
from shoal.models import MODELS
from shoal.plan.compatibility import (
    Combination,
    Matrix,
    alternatives,
    conditions,
    refusals,
    require_compatible,
)
from shoal.publications import FORMS, Generalized, SensitiveGroups, TwoTable
from shoal.publications.groups.missing_policy import POLICIES

VALUES = 6
CELLS = list(product(MODELS, FORMS, POLICIES))


def adult() -> pl.DataFrame:
    """Ages in tens and incomplete work classes; occupations by the names that examples know."""
    number = pl.col("occupation").rank("dense").fill_null(0) % VALUES
    found = shoal.datasets.adult().head(500)
    return found.select(
        pl.col("age") // 10 * 10,
        "workclass",
        "race",
        illness=pl.format("i{}", number.cast(pl.Int64)),
    )


FRAME = adult()
PEOPLE = pl.concat([FRAME] * 4)
"""A population of which the table is a quarter."""
SCHEMA = shoal.Schema(
    {
        "age": shoal.quasi(),
        "workclass": shoal.quasi(),
        "race": shoal.other(),
        "illness": shoal.sensitive(levels={f"i{i}": 1 if i < 2 else 2 for i in range(VALUES)}),
    }
)
FRAME, SCHEMA = with_wishes(FRAME, SCHEMA, [kind.example() for kind in MODELS.values()])
TWO = SCHEMA.with_column("race", role=shoal.table.schema.Role.SENSITIVE)
PLAIN = SCHEMA.with_column("race", role=shoal.table.schema.Role.IDENTIFIER)


def fitting(asked: Combination) -> shoal.Schema:
    """Give a schema that meets the conditions of an allowed combination."""
    return PLAIN if any("the role other" in each for each in conditions(asked)) else SCHEMA


@pytest.fixture(autouse=True)
def few_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the measure that costs as much as all the rest."""
    place = "shoal.measures.utility.count_query_error.average_query_error"
    monkeypatch.setattr(place, lambda pair: 0.0)


def combination(method: str, model: str, form: str, missing: Any = "keep") -> Combination:
    return Combination(METHODS[method](), (MODELS[model].example(),), FORMS[form](), missing)


def release(asked: Combination, schema: shoal.Schema = SCHEMA) -> shoal.Release:
    return shoal.anonymize(
        FRAME,
        schema,
        require=list(asked.require),
        method=asked.method,
        publication=None if asked.follows else asked.publication,
        missing=asked.missing,
        refine={"steps": 5} if asked.refined else None,
        suppression_limit=0.2,
        seed=1,
        population=PEOPLE if any("population" in each.needs for each in asked.require) else None,
    )


def refused(asked: Combination, schema: shoal.Schema = SCHEMA) -> list[Combination]:
    """Expect a refusal by the table's reason; give the combinations that it proposes."""
    with pytest.raises(ParameterError) as caught:
        release(asked, schema)
    assert caught.value.problem == refusals(asked, schema)[0].problem
    found = alternatives(asked, schema)
    assert found
    for way in found:
        assert way.words.removeprefix("use ").lower() in caught.value.hint.lower()
        assert not refusals(way.combination, schema)
        assert way.combination.require[: len(asked.require)] == asked.require
    return [way.combination for way in found]


def is_run(model: str, missing: str) -> bool:
    """Every requirement runs with the first policy, and each other policy with some of them."""
    place = list(POLICIES).index(missing)
    return place == 0 or list(MODELS).index(model) % 5 == place


def pairs(asked: Combination) -> set[tuple[str, str]]:
    """Name which members a combination puts together, two by two."""
    names = (asked.method.name, asked.require[0].name, asked.publication.name, asked.missing)
    return {(one, other) for one, other in combinations(names, 2)}


def to_run(method: str) -> list[Combination]:
    """List combinations of a method that run: one for each requirement, and each pair in some."""
    forms = defaultdict[tuple[str, str], list[Combination]](list)
    for model, form, missing in CELLS:
        asked = combination(method, model, form, missing)
        if is_run(model, missing) and not refusals(asked, fitting(asked)):
            forms[model, missing].append(asked)
    chosen: list[Combination] = []
    shown: set[str] = set()
    for at, cells in enumerate(forms.values(), list(METHODS).index(method)):
        new = [each for each in cells if each.publication.name not in shown]
        chosen += new or [cells[at % len(cells)]]
        shown |= {each.publication.name for each in new}
    return chosen


def is_cell(asked: Combination) -> bool:
    """Whether another cell of the table tries the same."""
    usual = (type(asked.method)(), type(asked.publication)())
    return len(asked.require) == 1 and (asked.method, asked.publication) == usual


def test_the_table_has_missing_cells() -> None:
    assert FRAME["workclass"].null_count() > 10
    assert FRAME.height == 500
    assert not FRAME["age"].null_count()


def test_each_pair_that_goes_together_runs_somewhere() -> None:
    possible, run = set[tuple[str, str]](), set[tuple[str, str]]()
    for method in METHODS:
        run = run.union(*map(pairs, to_run(method)))
        for model, form, missing in CELLS:
            asked = combination(method, model, form, missing)
            if is_run(model, missing) and not refusals(asked, fitting(asked)):
                possible |= pairs(asked)
    assert run == possible


@pytest.mark.parametrize("method", METHODS)
def test_every_cell_runs_or_is_refused(method: str) -> None:
    rows = {row.publication: row for row in Matrix.of([method]).rows}
    proposed = {}
    for model, form, missing in CELLS:
        asked, row = combination(method, model, form, missing), rows[form]
        allowed = row.require[model].allowed and row.missing[missing].allowed
        schema = fitting(asked)
        assert allowed == (not refusals(asked, schema))
        if not allowed:
            proposed |= {repr(each): each for each in refused(asked, schema) if not is_cell(each)}
    for asked in to_run(method):
        made = release(asked, fitting(asked))
        assert made.verification.passed
        assert made.publication.name == asked.publication.name
    for each in proposed.values():
        if each.missing == "keep":
            assert release(each, fitting(each)).verification.passed


def test_rows_of_counterfeits_need_a_table_without_other_columns() -> None:
    asked = combination("gaa-cp", "m-invariance", "generalized")
    assert not refusals(asked, PLAIN)
    (other,) = refused(asked)
    assert other.publication == TwoTable()
    assert len(refusals(asked, TWO)) == 1


@pytest.mark.parametrize("method", METHODS)
def test_refinement_goes_with_what_the_table_says(method: str) -> None:
    forms = [FORMS[form]() for form in FORMS] + [TwoTable("generalized"), Generalized("observed")]
    for form in forms:
        cells = [replace(combination(method, m, form.name), publication=form) for m in MODELS]
        allowed = [each for each in cells if not refusals(each, SCHEMA)]
        if not allowed:
            continue
        refining = replace(allowed[-1], refined=True)
        if refusals(refining, SCHEMA):
            assert any(not each.refined for each in refused(refining))
        else:
            made = release(refining)
            assert made.verification.passed
            assert made.refined is not None
            assert made.refined.after <= made.refined.before


PADDING = [name for name in METHODS if METHODS[name]().adds_values]


def test_some_methods_add_values() -> None:
    assert PADDING


@pytest.mark.parametrize(("method", "form"), list(product(PADDING, FORMS)))
def test_added_values_are_published_or_refused_before_any_work(method: str, form: str) -> None:
    several = MultiLDiversity({"illness": 4, "race": 3})
    asked = replace(combination(method, several.name, form), require=(several,))
    if form == "sensitive-groups":
        assert release(asked, TWO).n_noise
        counts = replace(asked, publication=SensitiveGroups(sensitive_cells="counts"))
        assert refused(counts, TWO)[0].publication == SensitiveGroups()
    else:
        assert any(each.publication.carries_padding for each in refused(asked, TWO))
        assert len(conditions(asked)) > len(conditions(replace(asked, method=METHODS["kaca"]())))


def said(asked: Combination, schema: shoal.Schema = SCHEMA) -> str:
    with pytest.raises(ParameterError) as caught:
        require_compatible(asked, schema)
    return caught.value.hint


def test_the_nearest_changes_as_little_as_it_can() -> None:
    """An option before a member, the form before the method, and what is required never less."""
    once = combination("kaca", "alpha-k", "sensitive-groups")
    assert said(once) == 'Use sensitive_cells = "rows".'
    sets = combination("datafly", "k-anonymity", "generalized")
    sets = replace(sets, publication=Generalized(categories="sets"))
    usual = shoal.methods.method_of(None).name
    assert said(sets) == f"Use categories = \"nodes\", or method '{usual}'."
    noisy = replace(
        combination("micd", "multi-l-diversity", "generalized"),
        require=(MultiLDiversity({"illness": 3, "race": 2}),),
    )
    assert said(noisy, TWO) == "Use publication 'sensitive-groups', or noise = \"never\"."
    assert said(combination("anatomy", "k-anonymity", "two-table")).endswith("'alpha-k', too.")
    assert said(combination("micd", "k-anonymity", "two-table")).endswith(
        "require 'multi-l-diversity', too."
    )
    refined = replace(combination("gaa-cp", "k-anonymity", "two-table"), refined=True)
    assert said(refined) == 'Leave out refine, or use quasi_cells = "generalized".'


def test_two_parts_change_where_one_is_not_enough() -> None:
    asked = replace(combination("micd", "t-closeness", "sensitive-groups"), refined=True)
    (first, *_) = alternatives(asked, SCHEMA)
    assert " and " in first.words
    assert not refusals(first.combination, SCHEMA)


def test_a_form_that_nobody_named_changes_with_the_method() -> None:
    """Who takes another method gets its form, unless another one is named."""
    asked = replace(combination("micd", "t-closeness", "sensitive-groups"), follows=True)
    (first, *_) = refused(asked)
    assert first.publication.name == first.method.publication
    assert " and " not in said(asked)


def test_levels_may_be_in_the_schema_or_in_a_requirement() -> None:
    bare = SCHEMA.with_column("illness", levels=None)
    asked = combination("leveled-gca", "k-anonymity", "two-table")
    assert conditions(asked)[-1] == "A sensitive column has levels."
    assert not refusals(asked, SCHEMA)
    assert "needs levels" in refusals(asked, bare)[0].problem
    assert not refusals(combination("leveled-gca", "leveled-alpha-k", "two-table"), bare)


@pytest.mark.parametrize("form", [form for form in FORMS if FORMS[form].sensitive_columns[0]])
def test_sensitive_columns_are_counted(form: str) -> None:
    none = SCHEMA.with_column("illness", role=shoal.table.schema.Role.OTHER, levels=None)
    asked = combination("gaa-cp", "k-anonymity", form)
    assert "sensitive column" in refusals(asked, none)[0].problem
    assert said(asked, none) == "Use publication 'generalized'."


def complete_only() -> Method:
    @dataclass(frozen=True)
    class CompleteOnly(shoal.GAACP):
        """It does not say that it groups rows with missing cells."""

        name: ClassVar[str] = "complete-only"
        carries_missing: ClassVar[bool] = Method.carries_missing

    return CompleteOnly(seed=1)


def test_a_method_meets_missing_cells_only_if_it_says_that_it_groups_them() -> None:
    asked = replace(combination("gaa-cp", "k-anonymity", "generalized"), method=complete_only())
    assert "rows with missing cells" in refusals(asked)[0].problem
    assert said(asked).startswith('Use missing = "drop"')
    assert not any(refusals(replace(asked, missing=policy)) for policy in POLICIES[1:])


def test_the_checks_take_such_a_method_at_its_word() -> None:
    checks = shoal.checks.methods
    for check in (checks.every_missing_policy, checks.missing_row_kept, checks.output_verifies):
        check(complete_only())


def test_what_nothing_can_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A requirement that only methods for anything carry, where none of these is installed."""
    asked = Combination(METHODS["micd"](), (shoal.checks.methods.EvenRows(),), SensitiveGroups())
    assert said(asked).startswith("Use method")
    monkeypatch.setattr("shoal.plan.compatibility.nearest.METHODS", {"micd": METHODS["micd"]})
    assert said(asked).startswith("No installed method can do it")


def footnotes(found: Matrix) -> Iterator[str]:
    yield from found.reasons.values()
    yield from found.conditions.values()


def test_footnotes_are_distinct_and_sentences() -> None:
    found = Matrix.of()
    marks = list(footnotes(found))
    assert len(set(marks)) == len(marks)
    assert all(text.endswith(".") and text[0].isupper() for text in found.reasons)
    assert all(text.endswith(".") and text[0].isupper() for text in found.conditions)
    assert "'" not in "".join(found.reasons)  # they speak of any members


def test_a_form_that_says_nothing_of_its_cells_has_no_bound() -> None:
    class Strange(Generalized):
        """A form of another package: nobody knows whether its cells are nodes and ranges."""

        name: ClassVar[str] = "strange"
        unbounded = shoal.publications.base.Publication.unbounded

    asked = Combination(METHODS["gaa-cp"](), (shoal.KAnonymity(3),), Strange(), bounded=True)
    [why] = refusals(asked)
    assert why.part == "bound"
    assert "'strange' does not state" in why.problem
    assert refusals(replace(asked, bounded=False)) == []


@pytest.mark.parametrize("name", METHODS)
def test_blocks_go_with_methods_that_say_so(name: str) -> None:
    method = METHODS[name]()
    asked = Combination(method, (shoal.KAnonymity(3),), Generalized(), blocks=True)
    refused = [each for each in refusals(asked) if each.part == "blocks"]
    assert bool(refused) == (not method.in_blocks)
    for way in alternatives(asked):
        assert refusals(way.combination) == []
    if refusals(asked) == refused != []:
        assert alternatives(asked)[0].words == "leave out blocks"
