"""What one group holds is published, whatever the seed; the surplus goes first."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.checks.one_group import held_by_one_group, publishes_what_one_group_holds, tight
from shoal.checks.tables import SCHEMA, mixed
from shoal.engines.blocks.working import group_block
from shoal.errors import InfeasibleError, ParameterError
from shoal.methods import METHODS
from shoal.models import AlphaK, KAnonymity, LDiversity, MultiLDiversity, Requirement
from shoal.plan.compatibility import Combination, refusals
from shoal.publications import FORMS
from shoal.publications.groups.completing import holds
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.share_limits import publishable
from shoal.release.remarks import ONE_GROUP
from shoal.table import Table
from shoal.table.schema import Schema
from tests.examples import examples

ROLES = {"age": "quasi", "zip": "quasi", "ill": "sensitive"}


def patients(n: int, seed: int = 3, shares: tuple[float, ...] = (0.5, 0.3, 0.2)) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "zip": rng.integers(1000, 1100, n),
            "ill": rng.choice(list("abcd")[: len(shares)], n, p=shares),
        }
    )


def frequent(n: int, too_many: int, alpha: float = 0.5) -> pl.DataFrame:
    """So many rows more than may stay hold one value."""
    rng = np.random.default_rng(5)
    often = round(alpha * (n - too_many)) + too_many
    others = ["b", "c", "d", "e"] * n
    ill = rng.permutation(["a"] * often + others[: n - often])
    return pl.DataFrame(
        {"age": rng.integers(18, 90, n), "zip": rng.integers(1000, 1100, n)}
    ).with_columns(ill=pl.Series(ill))


def as_found(name: str) -> dict[str, Any]:
    """Ask for the groups of a method as it finds them: what refines them takes long."""
    quick = {"refine": {"times": 0}, "bound": {"times": 0}} if name == "auto" else {}
    return {"method": name, **quick}


@pytest.mark.parametrize("name", [name for name, each in METHODS.items() if each.draws()])
def test_no_seed_refuses_thirty_rows_that_hold_as_one_group(name: str) -> None:
    frame, schema = patients(30), Schema(ROLES)
    most = int(frame["ill"].value_counts()["count"].max())
    need: list[Requirement] = [AlphaK(str(Fraction(most, 30)), 5)]
    method = METHODS[name]()
    if method.needs == "levels":
        schema = schema.with_column("ill", levels={"a": 1, "b": 2, "c": 2})
    elif method.needs == "values":
        need = [MultiLDiversity({"ill": 3})]
    for seed in range(40):
        made = shoal.anonymize(frame, schema, require=need, seed=seed, **as_found(name))
        assert made.n_suppressed <= 1


@pytest.mark.parametrize("name", ["auto", "gaa-cp"])
def test_a_value_just_above_alpha_is_not_a_matter_of_luck(name: str) -> None:
    frame = frequent(800, 24)
    for seed in range(6):
        made = shoal.anonymize(frame, ROLES, require=[AlphaK(0.5, 5)], seed=seed, **as_found(name))
        assert 24 <= made.n_suppressed <= 40
        kept = publishable(Table.encode(frame, ROLES), [AlphaK(0.5, 5)])
        assert set(made.rows.tolist()) <= set(kept.tolist())


@pytest.mark.parametrize("name", [*METHODS])
@pytest.mark.parametrize("seed", range(examples(6, 3)))
def test_random_tables_that_hold_as_one_group_are_never_refused(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    method = METHODS[name]()
    policy: Any = "keep" if method.carries_missing else "drop"
    frame = mixed(int(rng.integers(8, 24)), seed=seed, missing=0.2 * (seed % 2))
    if policy == "drop":
        frame = frame.drop_nulls()
    ill = rng.choice([f"i{i}" for i in range(int(rng.integers(2, 6)))], frame.height)
    frame = frame.with_columns(illness=pl.Series(ill))
    schema = SCHEMA
    if seed % 3 == 2:
        frame = frame.with_columns(id=pl.Series(rng.integers(0, frame.height, frame.height)))
        schema = Schema(dict(SCHEMA), entity="id")
    form = FORMS[method.publication]()
    for need in tight(frame):
        try:
            if refusals(Combination(method, tuple(need), form, policy), schema):
                continue
            if not held_by_one_group(frame, schema, need):
                continue
        except ParameterError:  # what is asked for makes no sense of so few values
            continue
        how: dict[str, Any] = {"require": need, "missing": policy, **as_found(name)}
        shoal.anonymize(frame, schema, seed=int(rng.integers(1000)), **how)


def test_the_contract_notices_a_method_that_gives_up() -> None:
    class Idle(shoal.GAACP):
        def one_group(self, table: Any, require: Any) -> None:
            return None

        def group(self, table: Any, require: Any, **rest: Any) -> Grouping:
            raise InfeasibleError("It is no use.", "Take another method.")

    with pytest.raises(shoal.checks.ContractError, match="it refuses what holds: It is no use"):
        publishes_what_one_group_holds(Idle())


def test_a_method_that_finds_nothing_publishes_one_group_and_says_so() -> None:
    class Idle(shoal.GAACP):
        def group(self, table: Any, require: Any, **rest: Any) -> Grouping:
            raise InfeasibleError("It is no use.", "Take another method.")

    made = shoal.anonymize(patients(30), ROLES, require=[KAnonymity(3)], method=Idle())
    assert made.grouping.n_groups == 1
    assert made.n_suppressed == 0
    assert ONE_GROUP in made.remarks
    with pytest.raises(InfeasibleError, match="cannot hold"):
        shoal.anonymize(patients(30), ROLES, require=[KAnonymity(31)], method=Idle())


def test_the_remark_is_made_of_one_group_of_different_rows_only() -> None:
    frame, need = patients(30), [KAnonymity(3)]
    assert ONE_GROUP not in shoal.anonymize(frame, ROLES, require=need, method="gaa-cp").remarks
    same = frame.with_columns(age=pl.lit(40), zip=pl.lit(1000))
    assert ONE_GROUP not in shoal.anonymize(same, ROLES, require=need, method="gaa-cp").remarks
    one = shoal.anonymize(frame, ROLES, require=[KAnonymity(16)], method="gaa-cp")
    assert one.grouping.n_groups == 1
    assert ONE_GROUP in one.remarks


@pytest.mark.parametrize("name", ["full-domain", "datafly", "samarati", "incognito"])
def test_levels_are_searched_without_the_surplus(name: str) -> None:
    made = shoal.anonymize(frequent(100, 4), ROLES, require=[AlphaK(0.5, 2)], method=name)
    assert 4 <= made.n_suppressed <= 5
    assert made.grouping.levels is not None


@pytest.mark.parametrize("name", ["full-domain", "datafly", "samarati", "incognito"])
def test_levels_are_searched_within_the_limit_of_the_publication(name: str) -> None:
    frame = pl.DataFrame({"age": [*range(40)], "zip": [1] * 38 + [2, 3], "ill": ["a", "b"] * 20})
    how: dict[str, Any] = {"require": [KAnonymity(5)], "method": name}
    assert shoal.anonymize(frame, ROLES, suppression_limit=0.0, **how).n_suppressed == 0


def test_a_search_that_ran_out_of_time_takes_the_top_unless_it_may_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found_none(self: Any, *_: Any) -> None:
        raise InfeasibleError("No node was found within 1 second.", "Raise time_limit.")

    monkeypatch.setattr(shoal.FullDomain, "require_found", found_none)
    how: dict[str, Any] = {"require": [KAnonymity(3)]}
    made = shoal.anonymize(patients(30), ROLES, method=shoal.FullDomain(), **how)
    assert made.grouping.n_groups == 1
    assert set(made.frame["age"]) == {"*"}
    assert ONE_GROUP in made.remarks
    kept = shoal.FullDomain(maximum={"age": 0})
    with pytest.raises(InfeasibleError, match="within 1 second"):
        shoal.anonymize(patients(30), ROLES, method=kept, **how)


@pytest.mark.parametrize("name", ["kaca", "mondrian", "gaa-cp", "full-domain"])
@pytest.mark.parametrize(
    "need",
    [LDiversity(3, "entropy"), LDiversity(3, "recursive", c=1)],
    ids=["entropy", "recursive"],
)
def test_rows_of_values_too_frequent_for_diversity_go_first(name: str, need: LDiversity) -> None:
    frame = patients(40).with_columns(ill=pl.Series(["a"] * 28 + ["b", "c", "d"] * 4))
    table = Table.encode(frame, ROLES)
    kept = publishable(table, [need])
    assert 0 < table.n_rows - len(kept) < 28
    fewest = need.least_suppression(shoal.publications.groups.counting.whole_group(table))
    assert table.n_rows - len(kept) == fewest
    made = shoal.anonymize(frame, ROLES, require=[need], method=name, suppression_limit=0.6)
    assert set(made.rows.tolist()) <= set(kept.tolist())


def test_rows_with_two_values_too_frequent_go_first() -> None:
    one = ["a", "b"] * 8 + ["a"] * 4
    two = ["x", "y", "y", "x"] * 4 + ["x"] * 4
    frame = pl.DataFrame({"age": range(20), "one": one, "two": two})
    frame = frame.sample(fraction=1, shuffle=True, seed=3)
    table = Table.encode(frame, {"age": "quasi", "one": "sensitive", "two": "sensitive"})
    kept = publishable(table, [AlphaK(0.5, 2, column=name) for name in ("one", "two")])
    assert len(kept) == 16


def test_people_whose_rows_stay_together_are_left_out_whole() -> None:
    n = 60
    frame = patients(n).with_columns(
        who=pl.int_range(n) // 2, ill=pl.Series((["a"] * 4 + ["b", "b", "c", "c"]) * 7 + ["a"] * 4)
    )
    schema = Schema({"who": "identifier", **ROLES}, entity="who", linkage="all-rows")
    made = shoal.anonymize(
        frame, schema, require=[AlphaK(0.5, 2)], method="gaa-cp", suppression_limit=0.1, seed=1
    )
    gone = np.setdiff1d(np.arange(n), made.rows)
    assert len(gone)
    assert not set(frame["who"][gone]) & set(frame["who"][made.rows])


def test_anatomy_publishes_one_group_where_values_are_too_few_for_its_own() -> None:
    frame = patients(30).with_columns(ill=pl.Series(["a", "b", "c"] * 10))
    made = shoal.anonymize(frame, ROLES, require=[AlphaK(0.4, 5)], method="anatomy")
    assert made.grouping.n_groups == 1
    assert ONE_GROUP in made.remarks


@pytest.mark.parametrize("name", [name for name, each in METHODS.items() if each.in_blocks])
def test_a_block_is_one_group_where_its_method_finds_none(name: str) -> None:
    table = Table.encode(frequent(60, 4), ROLES)
    need = [AlphaK(0.5, 56)]
    for seed in range(5):
        found = group_block(table, np.arange(60), need, METHODS[name](), (seed, 0))
        assert found.n_groups == 1
        assert found.n_suppressed == 4


@pytest.mark.parametrize(
    ("ill", "two", "who", "need", "most"),
    [
        ("cccaab", "pppppp", "000121", AlphaK(0.4, 2, column="ill"), 5),
        ("bbabaaaab", "q" * 9, "405523214", AlphaK(0.5, 2, column="ill"), 8),
        ("bbbabbbbbb", "q" * 10, "1050239937", LDiversity(2, "entropy", column="ill"), 3),
        ("bbbbbbaba", "ppqpqpppp", "012345678", AlphaK(0.5, 2, column="ill"), 4),
    ],
    ids=["who-keeps-another-row", "several", "entropy", "a-rare-value-of-another-column"],
)
def test_of_people_and_columns_as_few_rows_go_as_can(ill, two, who, need, most) -> None:
    frame = pl.DataFrame({"age": range(len(ill)), "ill": [*ill], "two": [*two], "who": [*who]})
    roles = {"age": "quasi", "ill": "sensitive", "two": "sensitive", "who": "identifier"}
    schema = Schema(roles, entity="who")
    table = Table.encode(frame, schema)
    both = [need, LDiversity(2, column="two")] if len({*two}) > 1 else [need]
    require = [each.bind(schema) for each in both]
    best = max(
        len(rows)
        for size in range(len(ill) + 1)
        for rows in combinations(range(len(ill)), size)
        if rows and holds(require, table, np.array(rows))
    )
    assert best == most
    kept = publishable(table, require)
    assert holds(require, table, kept)
    assert len(kept) == best
    for name in ("auto", "gaa-cp", "kaca", "mondrian"):
        made = shoal.anonymize(
            frame, schema, require=require, suppression_limit=0.7, seed=1, **as_found(name)
        )
        assert made.n_suppressed == len(ill) - best
