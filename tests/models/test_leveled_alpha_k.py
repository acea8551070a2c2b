"""(αᵢ, k)-anonymity: each value by its level, gaps refused, no cell that no plan lists."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import AlphaK, LeveledAlphaK
from shoal.errors import InfeasibleError, ParameterError, SchemaError, ShoalError
from shoal.models import GroupStatistics, Histogram
from shoal.table.levels import read_levels
from tests.examples import examples
from tests.models.test_alpha_k import one_group
from tests.tables import carriers, seeded

SECRET = "Xy9secret"
LEVELS = {"HIV": 1, "flu": 2, "cold": 2}


def test_each_value_is_bounded_by_its_level() -> None:
    group = one_group(["HIV", "flu", "flu", "cold"])
    assert LeveledAlphaK(LEVELS, [0.25, 0.5], 4).judge(group).passed
    assert not LeveledAlphaK(LEVELS, [0.2, 0.5], 4).judge(group).passed
    assert not LeveledAlphaK(LEVELS, [0.25, 0.49], 4).judge(group).passed
    assert not LeveledAlphaK(LEVELS, [0.25, 0.5], 5).judge(group).passed
    achieved = LeveledAlphaK(LEVELS, [0.25, 0.5, 1], 4).judge(group).achieved
    assert achieved == {"k": 4, "alpha 1": 0.25, "alpha 2": 0.5, "alpha 3": 0.0}


def test_a_level_may_be_bounded_as_a_whole() -> None:
    group = one_group(["HIV", "flu", "flu", "cold"])
    assert LeveledAlphaK(LEVELS, [0.25, 0.75], 4, scope="level").judge(group).passed
    assert not LeveledAlphaK(LEVELS, [0.25, 0.74], 4, scope="level").judge(group).passed


def test_a_third_is_exact() -> None:
    """An example in the paper on (αᵢ, k)-anonymity violates α₁ = 0.3, since 1/3 is more."""
    group = one_group(["HIV", "flu", "cold"])
    assert not LeveledAlphaK(LEVELS, [0.3, 0.5], 3).judge(group).passed
    assert not LeveledAlphaK(LEVELS, [0.3333, 0.5], 3).judge(group).passed
    assert LeveledAlphaK(LEVELS, ["1/3", 0.5], 3).judge(group).passed
    assert LeveledAlphaK(LEVELS, [0.3334, 0.5], 3).judge(group).passed


def test_shares_are_of_people() -> None:
    rows = ["HIV"] * 5 + ["flu", "cold", "flu"]
    group = one_group(list(rows), people=[0] * 5 + [1, 2, 3])
    assert LeveledAlphaK(LEVELS, [0.25, 0.5], 4).judge(group).passed
    # One person with two values of a level counts twice there, but never as more than all.
    two = one_group(["flu", "cold", "flu", "cold"], people=[0, 0, 1, 1])
    assert LeveledAlphaK(LEVELS, [0.1, 1], 2, scope="level").judge(two).passed
    assert LeveledAlphaK(LEVELS, [0.1, 1], 2, scope="level").least_suppression(two) == 0


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["value", "level"]))
def test_it_judges_like_counting_by_hand(seed: int, scope: Any) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    names = ("a", "b", "c", "d", None)
    group = np.unique(rng.integers(0, 5, n), return_inverse=True)[1].astype(np.int64)
    value = rng.integers(0, 5, n)
    people = rng.integers(0, n, n) if seed % 2 else np.arange(n)
    levels = {"a": 1, "b": 1, "c": 2, "d": 3, "": 3}
    alphas = ["1/3", 0.5, "2/3"]
    sizes = np.bincount(group)
    persons = np.array([len(set(people[group == g].tolist())) for g in range(len(sizes))])
    counted = {"s": Histogram.count(group, value, names, people)}
    need = LeveledAlphaK(levels, alphas, 2, scope=scope)
    found = need.judge(GroupStatistics(sizes, persons, counted)).holds.tolist()
    for g, holds in enumerate(found):
        mine = [i for i in range(n) if group[i] == g]
        total = len({people[i] for i in mine})
        right = total >= 2
        sums = dict.fromkeys((1, 2, 3), 0)
        for code, name in enumerate(names):
            held = len({people[i] for i in mine if value[i] == code})
            level = levels[name or ""]
            sums[level] += held
            if scope == "value":
                right &= held <= Fraction(str(alphas[level - 1])) * total
        if scope == "level":
            for level, held in sums.items():
                right &= min(held, total) <= Fraction(str(alphas[level - 1])) * total
        assert holds == right


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.integers(0, 5), min_size=4, max_size=4), st.sampled_from(["value", "level"]))
def test_no_fewer_rows_can_go(counts: list[int], scope: Any) -> None:
    levels = {"a": 1, "b": 1, "c": 2, "d": 2}
    need = LeveledAlphaK(levels, ["1/3", "2/3"], 2, scope=scope)
    if not sum(counts):
        return
    said = need.least_suppression(
        one_group([v for v, c in zip("abcd", counts, strict=True) for _ in range(c)])
    )
    best = None
    for kept in product(*(range(count + 1) for count in counts)):
        rows = [v for v, c in zip("abcd", kept, strict=True) for _ in range(c)]
        if len(rows) >= 2 and need.judge(one_group(list(rows))).passed:
            gone = sum(counts) - len(rows)
            best = gone if best is None else min(best, gone)
    assert said == best


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"alphas": []}, "alphas must list"),
        ({"alphas": 0.5}, "alphas must list"),
        ({"alphas": "0.5"}, "alphas must list"),
        ({"alphas": [0.5, 1.5]}, "alpha of level 2 must be above 0"),
        ({"alphas": [0, 0.5]}, "alpha of level 1 must be above 0"),
        ({"alphas": [0.5]}, "Level 2 has no α: alphas lists 1"),
        ({"k": 1}, "k must be"),
        ({"scope": "group"}, "scope must be"),
        ({"levels": {"HIV": 0}}, "whole number from 1 on, not 0"),
        ({"levels": {"HIV": True}}, "whole number from 1 on, not True"),
        ({"levels": {"HIV": "1"}}, "whole number from 1 on"),
        ({"levels": {1: 1}}, "must be texts"),
        ({"levels": {}}, "levels is empty"),
        ({"levels": "levels.csv"}, "not be a str"),
        ({"levels": ["HIV"]}, "not be a list"),
    ],
)
def test_parameters_that_make_no_sense(options: dict[str, Any], match: str) -> None:
    given = {"levels": LEVELS, "alphas": [0.3, 0.5], "k": 3} | options
    with pytest.raises(ParameterError, match=match):
        LeveledAlphaK(**given).validate()


def table(*values: str | None) -> pl.DataFrame:
    return pl.DataFrame({"a": range(len(values)), "s": list(values)})


def schema(levels: dict[str, int] | None) -> shoal.Schema:
    return shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive(levels=levels)})


def refused(frame: pl.DataFrame, levels: dict[str, int] | None, need: LeveledAlphaK) -> ShoalError:
    with pytest.raises(ShoalError) as caught:
        shoal.anonymize(frame, schema(levels), require=[need])
    return caught.value


def test_a_value_without_a_level_is_counted_not_shown() -> None:
    frame = table(SECRET, f"{SECRET}2", "flu", "cold")
    error = refused(frame, LEVELS, LeveledAlphaK(None, [0.5, 0.5], 2))
    assert isinstance(error, SchemaError)
    assert "The levels of column 's' miss 2 of 4 values." in str(error)
    assert "1 level is of values that do not occur" in str(error)
    assert SECRET not in str(error)
    own = refused(frame, None, LeveledAlphaK(LEVELS, [0.5, 0.5], 2))
    assert "2 of 4 sensitive values" in str(own)
    assert SECRET not in str(own)


def test_a_missing_cell_needs_a_level() -> None:
    need = LeveledAlphaK(None, [0.5, 0.5], 2)
    frame = table("HIV", "flu", None, "cold")
    assert '"" = 3' in str(refused(frame, LEVELS, need))
    made = shoal.anonymize(frame, schema({**LEVELS, "": 2}), require=[need])
    assert made.verification.passed


def test_levels_of_values_that_do_not_occur_are_fine() -> None:
    need = LeveledAlphaK(None, [0.5, 0.5], 2)
    made = shoal.anonymize(table("HIV", "flu"), schema({**LEVELS, "plague": 1}), require=[need])
    assert made.verification.passed


def test_levels_come_from_the_schema() -> None:
    need = LeveledAlphaK(None, [0.5, 0.5], 2)
    assert need.bind(schema(LEVELS)) == LeveledAlphaK(LEVELS, [0.5, 0.5], 2, column="s")
    frame = table("HIV", "flu")
    assert "no sensitive column has them" in str(refused(frame, None, need))
    named = LeveledAlphaK(None, [0.5, 0.5], 2, column="a")
    assert "column 'a' has none" in str(refused(frame, LEVELS, named))
    gone = LeveledAlphaK(None, [0.5, 0.5], 2, column="t")
    assert "There is no column 't'" in str(refused(frame, LEVELS, gone))
    level = LeveledAlphaK(None, [0.5], 2)
    assert "Level 2 has no α" in str(refused(frame, LEVELS, level))
    two = shoal.Schema({n: shoal.sensitive(levels=LEVELS) for n in "st"})
    with pytest.raises(ParameterError, match="2 sensitive columns have them"):
        need.bind(two)


def test_too_frequent_a_value_is_named_with_alphas_that_hold() -> None:
    frame = table(*["HIV"] * 7, *["flu"] * 8, *["cold"] * 5)
    error = refused(frame, LEVELS, LeveledAlphaK(None, [0.3, 0.3], 2))
    assert isinstance(error, InfeasibleError)
    assert "'HIV' of 's' is held by 7 of 20 rows" in str(error) or "'flu' of 's'" in str(error)
    assert "alphas = [0.35, 0.4] would do" in str(error)
    holds = LeveledAlphaK(None, [0.35, 0.4], 2)
    kaca = shoal.KACA(seed=1)
    made = shoal.anonymize(frame, schema(LEVELS), require=[holds], method=kaca, suppression_limit=0)
    assert made.n_suppressed == 0


def test_a_level_that_is_too_frequent_is_named() -> None:
    frame = table(*["HIV"] * 4, *["flu"] * 8, *["cold"] * 8)
    error = refused(frame, LEVELS, LeveledAlphaK(None, [0.3, 0.5], 2, scope="level"))
    assert "Level 2 of 's' is held by 16 of 20 rows" in str(error)
    assert "alphas = [0.3, 0.8] would do" in str(error)


def test_plans_hold_it_with_levels_left_to_the_column() -> None:
    data = {
        "columns": {"a": {"role": "quasi"}, "s": {"role": "sensitive", "levels": LEVELS}},
        "require": [{"model": "leveled-alpha-k", "alphas": ["1/3", 0.5], "k": 3}],
    }
    plan = shoal.Plan.from_dict(data)
    assert plan.requirements() == [LeveledAlphaK(None, ["1/3", 0.5], 3)]
    again = shoal.Plan.from_dict(tomllib.loads(plan.to_toml()))
    assert again == plan
    made = shoal.anonymize(table("HIV", "flu", "cold"), plan)
    assert made.verification.achieved["alpha 1"] == 1 / 3
    spec = LeveledAlphaK(LEVELS, (Fraction(1, 3), 0.5), 3).to_spec()
    assert spec["alphas"] == ["1/3", 0.5]
    assert "column" not in spec


def test_levels_of_removed_rows_are_not_public() -> None:
    need = LeveledAlphaK({**LEVELS, "": 2}, [0.3, 0.5], 3, column="s")
    assert need.published({"s": {"flu", None}}).levels == {"flu": 2, "": 2}
    assert need.published({"t": {"HIV"}}).levels == {}


def test_where_all_values_are_of_one_level_it_is_alpha_k() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        values = rng.choice(["a", "b", "c"], int(rng.integers(1, 9))).tolist()
        levels = dict.fromkeys("abc", 1)
        one = AlphaK("2/5", 3).judge(one_group(values))
        assert LeveledAlphaK(levels, ["2/5"], 3).judge(one_group(values)).passed == one.passed


@pytest.mark.parametrize("method", carriers("leveled-alpha-k"))
def test_every_method_holds_paper_3(method: type[shoal.methods.Method]) -> None:
    """Table 10 of the paper on (αᵢ, k)-anonymity, on Adult."""
    need = LeveledAlphaK(None, [0.2, 0.3, 0.35, 0.4, 0.5], 5)
    folder = shoal.datasets.folder("adult")
    levels = read_levels(folder / "levels" / "occupation.csv")
    columns = shoal.Plan.read(folder / "adult.toml").schema_()
    columns = columns.with_column("occupation", levels=levels)
    frame = shoal.datasets.adult(complete=True).head(600)
    made = shoal.anonymize(frame, columns, require=[need], method=seeded(method))
    assert made.verification.passed
    for level, alpha in enumerate(need.alphas, start=1):
        assert made.verification.achieved[f"alpha {level}"] <= float(alpha)
