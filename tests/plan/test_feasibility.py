"""What a table could hold is known before any work, and equals what a run refuses."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest

import shoal
from shoal.errors import InfeasibleError, ParameterError, SchemaError, ShoalError
from shoal.io.frames import Coded
from shoal.models import MODELS
from shoal.plan import Plan
from shoal.plan.applying import with_combination
from shoal.plan.feasibility import WholeTable, required_numbers, strictest

ROLES = {"who": "identifier", "age": "quasi", "ill": "sensitive"}
SCHEMA = shoal.Schema(ROLES, missing=["", "?"])


def table(**more: list[object]) -> Coded:
    ills = ["flu"] * 5 + ["cold"] * 3 + ["HIV"] * 2
    who = [str(n) for n in range(9)] + ["8"]
    return Coded(pl.DataFrame({"who": who, "age": [*range(9), None], "ill": ills, **more}))


def whole(**more: object) -> WholeTable:
    return WholeTable.of(table(), SCHEMA, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "asked",
    [
        shoal.KAnonymity(3),
        shoal.KAnonymity(99),
        shoal.AlphaK(0.9, 3),
        shoal.LDiversity(2),
        shoal.LDiversity(9),
        shoal.LDiversity(2, "entropy"),
        shoal.LDiversity(2, "recursive", c=2),
        shoal.PSensitiveK(2, 3),
        shoal.MultiLDiversity({"ill": 2}),
        shoal.HighestRisk(0.5),
        shoal.AverageRisk("1/100"),
    ],
)
def test_the_strictest_number_holds_and_the_next_one_does_not(asked: shoal.Requirement) -> None:
    found = whole()
    for number in required_numbers(asked):
        most = strictest(found, asked, number)
        assert most is not None
        found.require_feasible(number.set(asked, most))
        step = Fraction(1) if number.whole else Fraction(1, 10_000)
        beyond = most + (step if number.stricter == "more" else -step)
        with pytest.raises(ShoalError):
            found.require_feasible(number.set(asked, beyond))


@pytest.mark.parametrize(
    ("asked", "option", "value"),
    [
        (shoal.KAnonymity(50), "k", "10"),
        (shoal.AlphaK(0.2, 3), "alpha", "0.5"),
        (shoal.LDiversity(7), "l", "3"),
        (shoal.LDiversity("2.9", "entropy"), "l", "2.8"),
    ],
)
def test_it_is_the_number_that_the_refusal_names(
    asked: shoal.Requirement, option: str, value: str
) -> None:
    found = whole()
    number = next(each for each in required_numbers(asked) if each.option == option)
    with pytest.raises(InfeasibleError) as refused:
        found.require_feasible(asked)
    assert value in refused.value.hint
    assert strictest(found, asked, number) == Fraction(value)


def test_no_value_of_a_number_may_do() -> None:
    asked = shoal.AlphaK(0.5, 99)  # there are 10 rows: no alpha helps
    k, alpha = required_numbers(asked)
    assert strictest(whole(), asked, alpha) is None
    assert strictest(whole(), shoal.AlphaK(0.1, 3), k) is None


def test_rows_that_may_be_suppressed_make_more_possible() -> None:
    asked = shoal.AlphaK(0.9, 2)
    _, alpha = required_numbers(asked)
    strict, lenient = (
        strictest(whole(), asked, alpha, suppression_limit=limit) for limit in (0, 0.4)
    )
    assert strict is not None
    assert lenient is not None
    assert lenient < strict


def test_people_are_counted_where_they_are_told_apart() -> None:
    found = WholeTable.of(table(), shoal.Schema(ROLES, entity="who"))
    assert strictest(found, shoal.KAnonymity(3), *required_numbers(shoal.KAnonymity(3))) == 9


def test_rows_are_dropped_as_the_policy_says() -> None:
    assert whole().group.sizes.tolist() == [10]
    assert whole(missing="drop").group.sizes.tolist() == [9]
    empty = Coded(pl.DataFrame({"who": ["1"], "age": ["?"], "ill": ["flu"]}))
    with pytest.raises(InfeasibleError, match="All "):
        WholeTable.of(empty, SCHEMA, missing="drop")


def test_it_refuses_what_a_run_refuses() -> None:
    for asked in (shoal.KAnonymity(11), shoal.AlphaK(0.3, 3), shoal.LDiversity(4)):
        said = []
        for work in (
            lambda asked=asked: whole().require_feasible(asked, suppression_limit=0.05),
            lambda asked=asked: shoal.anonymize(table().frame, SCHEMA, require=asked),
        ):
            with pytest.raises(InfeasibleError) as refused:
                work()
            said.append((refused.value.problem, refused.value.hint))
        assert said[0] == said[1]


def test_columns_that_do_not_fit_are_refused() -> None:
    bare = shoal.Schema({**SCHEMA, "ill": {"role": "sensitive", "levels": {"flu": 1}}})
    with pytest.raises(SchemaError, match="levels"):
        WholeTable.of(table(), bare)
    plain = shoal.Schema({**SCHEMA, "ill": "other"})
    with pytest.raises(ParameterError, match="no column is sensitive"):
        WholeTable.of(table(), plain).require_feasible(shoal.LDiversity(2))


def test_private_columns_are_read_where_a_requirement_names_them() -> None:
    data = table(wish=["2"] * 9 + ["50"])
    schema = shoal.Schema({**SCHEMA, "wish": "identifier"})
    asked = shoal.PersonalK("wish")
    found = WholeTable.of(data, schema, [asked])
    with pytest.raises(InfeasibleError, match="1 of 10 rows"):
        found.require_feasible(asked)
    found.require_feasible(asked, suppression_limit=0.2)


def test_a_tree_of_a_sensitive_column_is_filled_in() -> None:
    tree = {"builder": "tree", "tree": {"*": {"virus": {"flu": {}, "HIV": {}}, "x": {"cold": {}}}}}
    schema = shoal.Schema({**SCHEMA, "ill": {"role": "sensitive", "hierarchy": tree}})
    found = WholeTable.of(table(), schema)
    assert set(found.group.histograms["ill"].labels) == {"virus", "x"}


def test_every_requirement_tells_its_numbers() -> None:
    for kind in MODELS.values():
        asked = kind.example()
        told = required_numbers(asked)
        assert len(told) == len(asked.thresholds()), asked.name
        for number in told:
            assert number.set(asked, number.value).validate() is None


def test_a_way_out_is_written_into_the_plan() -> None:
    data = {
        "columns": {"age": {"role": "quasi"}, "ill": {"role": "sensitive"}},
        "require": [{"model": "k-anonymity", "k": 2}],
        "method": {"name": "micd", "seed": 3},
        "publication": {"form": "generalized", "bounds": "observed", "suppression_limit": 0.1},
        "blocks": "auto",
        "refine": {"seconds": 1.0},
    }
    from shoal.plan.compatibility import alternatives, refusals

    asked = Plan.from_dict(data).combination()
    assert refusals(asked)
    for way in alternatives(asked):
        made = with_combination(data, way.combination)
        plan = Plan.from_dict(made)
        assert not refusals(plan.combination())
        assert plan.publication.suppression_limit == 0.1
        assert plan.blocks == "auto"
        assert plan.publication.fixed_seed(plan.build_method()) == 3
    assert data["refine"] == {"seconds": 1.0}
