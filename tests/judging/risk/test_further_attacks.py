"""Each attack on a case by hand, beside a slow twin, and its control at chance level."""

from __future__ import annotations

import importlib
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import risk
from shoal.errors import InputError, ParameterError, SchemaError
from tests.examples import examples

SCHEMA = shoal.Schema({"q": shoal.quasi(), "s": shoal.sensitive()})
ROWS = st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("abcd")), min_size=1, max_size=14)


@settings(max_examples=examples(150), deadline=None)
@given(ROWS, st.integers(0, 3), st.sampled_from([0.0, 0.25, 0.5]))
def test_negation_and_skewness(rows: list[tuple[str, str]], known: int, gain: float) -> None:
    held: dict[str, Counter[str]] = defaultdict(Counter)
    for cell, value in rows:
        held[cell][value] += 1
    everywhere = Counter(value for _, value in rows)
    certain = sum(counts.total() for counts in held.values() if len(counts) <= known + 1)
    suspected = sum(
        counts.total()
        for counts in held.values()
        if max(n / counts.total() - everywhere[v] / len(rows) for v, n in counts.items()) > gain
    )
    worst = max(
        counts.most_common(1)[0][1]
        / (counts.total() - sum(n for _, n in counts.most_common(known + 1)[1:]))
        for counts in held.values()
    )
    table = pl.DataFrame(rows, schema=["q", "s"], orient="row")
    found = risk.negation(table, SCHEMA, known=known)
    assert found.people == certain
    assert found.details["worst"][known] == pytest.approx(worst)
    assert found.details["certain"][0] == risk.homogeneity(table, SCHEMA).share
    assert risk.skewness(table, SCHEMA, gain=gain).people == suspected


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=16),
    st.integers(1, 4),
)
def test_several_rows(rows: list[tuple[int, int]], k: int) -> None:
    own: dict[int, set[int]] = defaultdict(set)
    for cell, person in rows:
        own[person].add(cell)
    many = [person for person, n in Counter(person for _, person in rows).items() if n > 1]
    fits = [sum(own[person] <= other for other in own.values()) for person in many]
    table = pl.DataFrame({"q": [f"c{cell}" for cell, _ in rows]})
    schema = shoal.Schema({"q": shoal.quasi(), "id": shoal.identifier()}, entity="id")
    found = risk.several_rows(table, schema, people=[person for _, person in rows], k=k)
    assert (found.people, found.total) == (sum(n < k for n in fits), len(many))
    assert found.details["alone"] == sum(n == 1 for n in fits)
    crowd = Counter(cell for cells in own.values() for cell in cells)
    alone = sum(min(crowd[cell] for cell in own[person]) < k for person in many)
    assert found.control == pytest.approx(alone / max(len(many), 1))


def by_chance(n: int = 4000, classes: int = 800) -> tuple[pl.DataFrame, shoal.Schema]:
    """Make a table whose values have nothing to do with its classes."""
    rng = np.random.default_rng(5)
    table = pl.DataFrame(
        {"q": [f"c{i}" for i in rng.integers(0, classes, n)], "s": rng.choice(list("aaabbc"), n)}
    )
    levels = {"a": 1, "b": 2, "c": 2}
    return table, SCHEMA.with_column("s", levels=levels)


def test_where_nothing_is_to_be_found_each_attack_gets_its_control() -> None:
    table, schema = by_chance()
    found = risk.attacks(table, schema)
    assert {"homogeneity", "probability", "negation", "skewness", "similarity"} <= {
        each.name for each in found
    }
    for each in found:
        assert each.control is not None
        assert each.share == pytest.approx(each.control, abs=0.05), each.name


def test_where_classes_tell_everything_the_control_does_not() -> None:
    table = pl.DataFrame({"q": ["x"] * 500 + ["y"] * 500, "s": ["a"] * 500 + ["b"] * 500})
    for each in (risk.homogeneity, risk.negation, risk.skewness):
        found = each(table, SCHEMA, **({"known": 0} if each is risk.negation else {}))
        assert (found.share, found.control) == (1.0, 0.0)
        assert found.excess == 1.0
        assert "control 0.0%" in found.in_words()


def pairs(link: float, n: int = 3000) -> tuple[dict[str, pl.DataFrame], pl.DataFrame, shoal.Schema]:
    """Publish people by twos; with a probability of ``link`` sex and age give the value."""
    rng = np.random.default_rng(1)
    sex, age = rng.integers(0, 2, n), rng.integers(20, 60, n)
    told = 2 * sex + (age >= 40)
    value = np.where(rng.random(n) < link, told, rng.integers(0, 4, n))
    order = np.argsort(value, kind="stable")
    half = n // 2
    group = np.empty(n, dtype=np.int64)
    group[order[:half]] = rng.permutation(half)
    group[order[half:]] = rng.permutation(half)  # each group has two different values
    original = pl.DataFrame({"sex": sex, "age": age, "s": value}).with_columns(
        pl.col("sex", "s").cast(pl.String)
    )
    schema = shoal.Schema(
        {"sex": shoal.quasi(), "age": shoal.quasi(kind="numeric"), "s": shoal.sensitive()}
    )
    column = pl.Series("group", group)
    tables = {
        "quasi": original.select("sex", "age", column),
        "sensitive": original.select("s", column),
    }
    return tables, original, schema


def test_learning_finds_what_cells_tell_and_nothing_else() -> None:
    tables, original, schema = pairs(0.9)
    found = risk.learning(tables, schema, original=original)
    assert found.share > 0.85
    assert found.control == pytest.approx(0.5, abs=0.05)
    assert found.details["counting"] == pytest.approx(0.5, abs=0.03)
    tables, original, schema = pairs(0.0)
    chance = risk.learning(tables, schema, original=original)
    assert chance.share == pytest.approx(0.5, abs=0.05)
    assert risk.learning(tables, schema, original=original) == chance  # seeded


def test_learning_gives_every_row_one_value_and_every_class_its_own() -> None:
    tables, original, schema = pairs(0.5, 400)
    module = importlib.import_module("shoal.judging.risk.attacking.learning")
    seen = risk.sight(tables, schema, original=original)
    puzzle = module._Puzzle.of(seen, "s", np.random.default_rng(0))
    score = np.random.default_rng(1).normal(size=len(puzzle.share))
    weight = puzzle._balanced(score)
    assert np.bincount(puzzle.pair_row, weight) == pytest.approx(np.ones(400))
    shown = np.bincount(puzzle.pair_entry, weight, minlength=len(puzzle.expected))
    assert shown == pytest.approx(puzzle.expected, abs=0.05)


def test_where_cells_are_exact_nothing_was_generalized() -> None:
    tables, original, schema = pairs(0.5, 400)
    seen = replace(risk.sight(tables, schema, original=original), require=(shoal.AlphaK("1/2", 2),))
    names = {each.name for each in risk.attacks(seen)}
    assert "learning" in names
    assert not names & {"downcoding", "end_points", "minimality"}
    for attack in (risk.downcoding, risk.minimality):
        with pytest.raises(ParameterError, match="Cells are"):
            attack(seen)


def test_learning_from_generalized_tables_and_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    release = shoal.anonymize(
        shoal.datasets.adult(complete=True).head(2000),
        plan.schema_(),
        require=[shoal.AlphaK("1/2", 4)],
        method=shoal.GAACP(seed=1),
    )
    found = risk.learning(release)
    assert found.promise == 0.5
    assert found.control is not None
    assert found.share > found.control
    module = importlib.import_module("shoal.judging.risk.attacking.learning")
    monkeypatch.setattr(module, "_AT_MOST", 2000)
    sampled = risk.learning(release)
    assert 0 < sampled.total < found.total
    assert sampled.details["rows"] == sampled.total
    assert abs(sampled.share - found.share) < 0.15


AGES = shoal.Schema({"age": shoal.quasi(kind="numeric")})


def test_end_points_by_hand() -> None:
    original = pl.DataFrame({"age": [20, 20, 29, 25, 40, 41]})
    published = pl.DataFrame({"age": ["[20, 29]"] * 4 + ["[40, 50]"] * 2})
    found = risk.end_points(published, AGES, original=original)
    # Two hold 20, one alone 29 and one alone 40; nobody holds 50.
    assert (found.people, found.details) == (2, {"values": 2, "ends": 4, "lone": 2})
    with pytest.raises(ParameterError, match="was not given"):
        risk.end_points(published, AGES)


def test_end_points_of_rounded_ranges_are_chance() -> None:
    rng = np.random.default_rng(2)
    ages = np.sort(rng.integers(0, 1000, 6000))
    cells = [f"[{age // 10 * 10}, {age // 10 * 10 + 9}]" for age in ages]
    found = risk.end_points(
        pl.DataFrame({"age": cells}), AGES, original=pl.DataFrame({"age": ages})
    )
    assert found.control is not None
    assert found.share == pytest.approx(found.control, abs=0.01)
    ages = np.sort(rng.integers(0, 100_000, 6000))
    drawn = [(min(part), max(part)) for part in np.split(ages, 1200)]
    observed = pl.DataFrame(
        {"age": [f"[{lo}, {hi}]" if lo < hi else str(lo) for lo, hi in drawn for _ in range(5)]}
    )
    told = risk.end_points(observed, AGES, original=pl.DataFrame({"age": ages}))
    assert told.control is not None
    assert told.share > told.control + 0.05


TREE = shoal.Hierarchy.from_dict({"n": ["n1", "n2"], "s": ["s1", "s2", "s3"]})
REGIONS = shoal.Schema({"age": shoal.quasi(kind="numeric"), "r": shoal.quasi(hierarchy=TREE)})


def test_downcoding_by_hand() -> None:
    original = pl.DataFrame(
        {"age": [20, 25, 29, 30, 30, 31], "r": ["n1", "n2", "n2", "s1", "s2", "n1"]}
    )
    published = pl.DataFrame(
        {"age": ["[20, 29]"] * 3 + ["[30, 35]"] * 3, "r": ["n"] * 3 + ["*"] * 3}
    )
    found = risk.downcoding(published, REGIONS, original=original)
    # 20 and 29; n1 and n2; below * both n and s. The claim that 35 is there is false.
    assert (found.people, found.total, found.details["claimed"]) == (6, 12, 8)
    assert found.unit == "cells"
    hidden = original.with_columns(r=pl.Series(["n1", "n2", "n2", "s1", None, "n1"]))
    # Where cells are missing, a * may be one of them.
    assert risk.downcoding(published, REGIONS, original=hidden).people == 4
    sets = published.with_columns(r=pl.Series(["{n1, n2}"] * 3 + ["{n1, s1, s2}"] * 3))
    assert risk.downcoding(sets, REGIONS, original=original).people == 2 + 2 + 3


def test_downcoding_of_levels_is_chance() -> None:
    rng = np.random.default_rng(3)
    leaves = rng.choice(TREE.leaves, 3000)
    classes = rng.integers(0, 300, 3000)
    schema = shoal.Schema({"c": shoal.quasi(), "r": shoal.quasi(hierarchy=TREE)})
    cells = [f"{TREE.labels[int(TREE.parent[TREE.node(leaf)])]}" for leaf in leaves]
    original = pl.DataFrame({"c": [str(c) for c in classes], "r": leaves})
    found = risk.downcoding(original.with_columns(r=pl.Series(cells)), schema, original=original)
    assert found.control is not None
    assert found.people > 0
    assert found.share == pytest.approx(found.control, abs=0.03)


def split(together: bool) -> risk.Attack:
    """One class of men and women, whose values go with their sex or do not."""
    sexes = ["f"] * 20 + ["m"] * 20
    values = ["a"] * 14 + ["b"] * 6 + ["b"] * 14 + ["a"] * 6 if together else ["a", "b"] * 20
    table = pl.DataFrame({"sex": sexes, "s": values})
    schema = shoal.Schema({"sex": shoal.quasi(), "s": shoal.sensitive()})
    release = shoal.anonymize(
        table, schema, require=shoal.AlphaK(0.6, 5), method="full-domain", seed=1
    )
    return risk.minimality(release)


def test_minimality_by_hand() -> None:
    assert split(together=False).people == 0  # published by sex: nothing to split
    found = split(together=True)
    assert (found.people, found.details["splittable"]) == (40, 1.0)
    table = pl.DataFrame({"q": ["x", "x"], "s": ["a", "b"]})
    with pytest.raises(ParameterError, match="No requirement concerns"):
        risk.minimality(table, SCHEMA, original=table)


def test_minimality_is_chance_where_values_have_nothing_to_do_with_cells() -> None:
    rng = np.random.default_rng(2)
    n = 20_000
    ages, pays = rng.integers(0, 12, n), rng.integers(0, 50, n)  # 600 classes
    secret = pl.Series(rng.choice(list("aaabbbccd"), n))
    frame = pl.DataFrame(
        {"age": 5 * ages + rng.integers(0, 5, n), "pay": 20 * pays + rng.integers(0, 20, n)}
    ).with_columns(s=secret)
    wide = pl.DataFrame(
        {
            "age": [f"[{5 * age}, {5 * age + 4}]" for age in ages],
            "pay": [f"[{20 * pay}, {20 * pay + 19}]" for pay in pays],
        }
    ).with_columns(s=secret)
    schema = shoal.Schema(
        {
            "age": shoal.quasi(kind="numeric"),
            "pay": shoal.quasi(kind="numeric"),
            "s": shoal.sensitive(),
        }
    )
    seen = risk.sight(wide, schema, original=frame)
    found = risk.minimality(replace(seen, require=(shoal.AlphaK(0.5, 8),)))
    assert found.details["splittable"] > 0.9
    assert found.share > 0.05
    assert found.share == pytest.approx(found.control, abs=0.03)


def test_several_rows_that_look_alike_tell_no_more_than_one() -> None:
    rng = np.random.default_rng(3)
    cells = np.repeat(rng.integers(0, 40, 500), 3)  # everyone three times, in one class
    table = pl.DataFrame({"q": [f"c{cell}" for cell in cells]})
    schema = shoal.Schema({"q": shoal.quasi(), "id": shoal.identifier()}, entity="id")
    found = risk.several_rows(table, schema, people=np.repeat(np.arange(500), 3), k=12)
    assert 0 < found.share < 1
    assert found.share == found.control


def test_membership() -> None:
    original = pl.DataFrame({"age": [20, 25, 40, 45], "r": ["n1", "n2", "s1", "s2"]})
    published = pl.DataFrame(
        {"age": ["[20, 25]"] * 2 + ["[40, 45]"] * 2, "r": ["n", "n", "s", "s"]}
    )
    others = pl.DataFrame(
        {"age": [22, 22, 41, 30, None], "r": ["n1", "s1", "s3", "n1", "elsewhere"]}
    )
    found = risk.membership(published, REGIONS, original=original, outside=others)
    # The first fits, the third too; the others fit no class.
    assert (found.people, found.total, found.control) == (3, 5, 0.0)
    assert found.details["guessed"] == pytest.approx((1 + 3 / 5) / 2)
    same = risk.membership(published, REGIONS, original=original, outside=original)
    assert (same.share, same.details["guessed"]) == (0.0, 0.5)  # chance
    with pytest.raises(ParameterError, match="No people outside the table"):
        risk.membership(published, REGIONS, original=original)
    with pytest.raises(SchemaError, match="'r'"):
        risk.membership(published, REGIONS, original=original, outside=others.drop("r"))
    with pytest.raises(InputError, match="outside is empty"):
        risk.membership(published, REGIONS, original=original, outside=others.clear())


TABLE = pl.DataFrame({"q": ["x", "x", "y"], "s": ["a", "b", "a"]})
BAD: dict[str, Any] = {
    "negation of less": lambda: risk.negation(TABLE, SCHEMA, known=-1),
    "negation of a half": lambda: risk.negation(TABLE, SCHEMA, known=1.5),  # type: ignore[arg-type]
    "a gain above 1": lambda: risk.skewness(TABLE, SCHEMA, gain=2),
    "a gain in words": lambda: risk.skewness(TABLE, SCHEMA, gain="x"),  # type: ignore[arg-type]
    "no rounds": lambda: risk.learning(TABLE, SCHEMA, original=TABLE, rounds=0),
    "no original": lambda: risk.learning(
        {"quasi": TABLE.select("q", g=1), "sensitive": TABLE.select("s", g=1)}, SCHEMA
    ),
    "k of 0": lambda: risk.several_rows(TABLE, SCHEMA, people=[1, 1, 2], k=0),
    "nobody told apart": lambda: risk.several_rows(TABLE, SCHEMA),
    "a column of none": lambda: risk.several_rows(TABLE, SCHEMA, people=[1, 1, 2], column="s"),
    "ends of a column": lambda: risk.end_points(TABLE, SCHEMA, original=TABLE, column="s"),
    "people of other rows": lambda: risk.several_rows(TABLE, SCHEMA, people=[1]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str) -> None:
    with pytest.raises(ParameterError) as caught:
        BAD[case]()
    assert caught.value.hint


@pytest.mark.parametrize("name", risk.ATTACKS.files)
def test_every_attack_of_ours_has_a_control(name: str) -> None:
    n = 40
    frame = pl.DataFrame(
        {"age": [20 + i % 10 for i in range(n)], "s": ["abcd"[i % 4] for i in range(n)]}
    )
    schema = shoal.Schema(
        {"age": shoal.quasi(), "s": shoal.sensitive(levels={"a": 1, "b": 1, "c": 2, "d": 2})}
    )
    wide = frame.with_columns(age=pl.lit("[20, 29]"))
    people = [i // 2 for i in range(n)]
    seen = risk.sight(wide, schema, people=people, original=frame, outside=frame)
    seen = replace(seen, require=(shoal.AlphaK("1/2", 2),))
    attack = risk.ATTACKS[name]
    column = "s" if attack.of_column else None
    assert attack.applies(seen, column)
    assert attack(seen, column=column).control is not None


def test_attacks_that_need_to_know_more_are_left_out() -> None:
    names = {each.name for each in risk.attacks(TABLE, SCHEMA)}
    assert not names & {"learning", "several_rows", "membership", "downcoding", "end_points"}
    original = pl.DataFrame({"q": ["x", "x", "y"], "s": ["a", "b", "a"]})
    known = {each.name for each in risk.attacks(TABLE, SCHEMA, original=original, outside=original)}
    assert {"learning", "membership", "downcoding", "end_points"} <= known
