"""Top-Down's labels equal the slow twin's, row for row."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import AlphaK, KAnonymity, LeveledAlphaK, TopDown
from shoal.checks.methods import EvenRows
from shoal.engines import groups
from shoal.methods.partition import top_down
from shoal.models import Requirement
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.reference.top_down import Attribute, Holds, Reference
from tests.tables import parents, run_without_jit, tables

LEVELS = {"a": 1, "b": 2, "c": 2, "d": 3}


def holds(table: Table, require: Requirement) -> Holds:
    """What the twin must hold, from the raw cells."""
    people = None if table.people is None else table.people.tolist()
    if isinstance(require, KAnonymity):
        return Holds(require.k, people=people)
    assert isinstance(require, AlphaK | LeveledAlphaK)
    column = table.frame[next(iter(table.schema.sensitive))].to_list()
    if isinstance(require, AlphaK):
        share = Fraction(str(require.alpha))
        most = {v: share if require.value in (None, v) else Fraction(1) for v in column}
        return Holds(require.k, [(column, most)], people)
    assert require.levels is not None
    most = {v: Fraction(str(require.alphas[require.levels[v] - 1])) for v in column}
    level = dict(require.levels) if require.scope == "level" else None
    return Holds(require.k, [(column, most)], people, level)


def twin(table: Table, must: Callable[[list[int]], bool]) -> list[int]:
    """Set the slow twin up from the raw cells, not from the table's codes."""
    attributes = []
    for column in table.trees:
        raw = [None if v is None else str(v) for v in table.frame[column.name].to_list()]
        attributes.append(Attribute(raw, parents(column.hierarchy)))
    return Reference(attributes, table.n_rows, must).labels()


def labels(table: Table, *require: Requirement, seed: int | None = None) -> list[int]:
    method = TopDown(picks="first" if seed is None else "random")
    return method.group(table, require, rng=np.random.default_rng(seed)).labels.tolist()


def with_secrets(table: Table, secrets: list[str]) -> Table:
    frame = table.frame.with_columns(secret=pl.Series(secrets))
    columns = {**dict(table.schema), "secret": shoal.sensitive()}
    return Table.encode(frame, shoal.Schema(columns, entity=table.schema.entity))


def requirements(k: int) -> list[Requirement]:
    return [
        KAnonymity(k),
        AlphaK(0.5, k),
        AlphaK("2/3", k),
        AlphaK(0.4, k, value="a"),
        LeveledAlphaK(LEVELS, [0.3, 0.5, "2/3"], k),
        LeveledAlphaK(LEVELS, [0.5, 0.7, 0.9], k, scope="level"),
    ]


def adult(rows: int, seed: int) -> Table:
    folder = shoal.datasets.folder("adult")
    ages = Hierarchy.from_csv(folder / "hierarchies" / "age.csv")
    schema = shoal.Plan.read(folder / "adult.toml").schema_().with_column("age", hierarchy=ages)
    frame = shoal.datasets.adult().sample(rows, seed=seed, shuffle=True)
    return Table.encode(frame.with_columns(pl.col("occupation").fill_null("unknown")), schema)


def adult_requirements(table: Table) -> list[Requirement]:
    values = sorted(set(table.frame["occupation"].to_list()))
    levels = {value: 1 + i % 3 for i, value in enumerate(values)}
    return [
        KAnonymity(4),
        AlphaK(0.5, 4),
        AlphaK(0.25, 2),
        LeveledAlphaK(levels, [0.2, 0.3, 0.5], 3),
    ]


@pytest.mark.parametrize("which", range(4))
def test_labels_equal_the_twin_on_adult(which: int) -> None:
    table = adult(600, which)
    require = adult_requirements(table)[which]
    expected = twin(table, holds(table, require))
    assert labels(table, require) == expected
    assert len(set(expected)) > 10


@pytest.mark.parametrize("compiled", [True, False])
def test_labels_equal_the_twin_on_random_tables(
    monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """Also where each class is judged by the requirements, as unknown ones are."""
    if not compiled:
        limits_of = top_down.limits_of
        monkeypatch.setattr(top_down, "limits_of", lambda *args: (limits_of(*args)[0], False))

    @settings(max_examples=examples(200) if compiled else 80, deadline=None)
    @given(tables(), st.data())
    def compare(case: tuple[Table, int, int], data: st.DataObject) -> None:
        table, k, _ = case
        n = table.n_rows
        secrets = data.draw(st.lists(st.sampled_from("aabbcd"), min_size=n, max_size=n))
        table = with_secrets(table, secrets)
        require = data.draw(st.sampled_from(requirements(max(k, 2))))
        must = holds(table, require)
        if table.people is not None and must.exceeding(list(range(n))):
            return  # whom to leave out is asked below
        assert labels(table, require) == twin(table, must)

    compare()


def test_large_random_tables_equal_the_twin() -> None:
    """Several hundred rows, few values: classes give back, and what stays is split again."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(100, 300))
        tree = Hierarchy.from_dict({"P": ["a", "b"], "Q": {"R": ["c", "d"], "e": []}, "f": []})
        frame = pl.DataFrame(
            {
                "x": rng.integers(0, 40, n),
                "y": rng.choice(tree.leaves, n, p=[0.5, 0.2, 0.1, 0.1, 0.05, 0.05]),
                "z": rng.choice(["u", "v", None], n, p=[0.6, 0.3, 0.1]),
                "secret": rng.choice(["a", "b", "c", "d"], n, p=[0.15, 0.45, 0.2, 0.2]),
                "who": rng.integers(0, n, n),
            }
        )
        columns = {
            "x": shoal.quasi(),
            "y": shoal.quasi(hierarchy=tree),
            "z": shoal.quasi(),
            "secret": shoal.sensitive(),
            "who": shoal.identifier(),
        }
        schema = shoal.Schema(columns, entity="who" if seed % 2 else None)
        table = Table.encode(frame, schema)
        for require in requirements(2 + seed % 4):
            must = holds(table, require)
            if table.people is None or not must.exceeding(list(range(n))):
                assert labels(table, require) == twin(table, must)


def test_labels_equal_the_twin_with_the_jit_off() -> None:
    script = """
import numba
from shoal.kernels.partition.descent import descend
from tests.methods.test_top_down_reference import adult, adult_requirements, holds, labels, twin

assert numba.config.DISABLE_JIT and not hasattr(descend, "signatures")
table = adult(120, 3)
for require in adult_requirements(table):
    assert labels(table, require) == twin(table, holds(table, require))
print("equal")
"""
    assert run_without_jit(script) == "equal"


def test_pauses_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = adult(300, 5)
    whole = labels(table, AlphaK(0.5, 3))
    monkeypatch.setattr(top_down, "BUDGET", 1)
    assert labels(table, AlphaK(0.5, 3)) == whole


def test_a_requirement_that_nobody_knows_is_judged() -> None:
    table = adult(200, 6)
    found = labels(table, KAnonymity(3), EvenRows())
    assert found == twin(table, lambda rows: len(rows) >= 3 and len(rows) % 2 == 0)
    assert len(set(found)) > 10


def test_random_picks_split_a_shuffled_table() -> None:
    table = adult(200, 7)
    order = np.random.default_rng(11).permutation(200)
    shuffled = Table.encode(table.frame[order], table.schema)
    expected = np.array(labels(shuffled, AlphaK(0.5, 3)))
    found = np.array(labels(table, AlphaK(0.5, 3), seed=11))
    pairs = {*zip(found[order].tolist(), expected.tolist(), strict=True)}
    assert len(pairs) == len(set(expected.tolist())) == len(set(found.tolist()))


def test_last_rows_of_a_too_frequent_value_are_left_out() -> None:
    schema = shoal.Schema({"x": shoal.quasi(), "secret": shoal.sensitive()})
    frame = pl.DataFrame({"x": list("pppqqq"), "secret": ["a", "a", "b", "a", "c", "a"]})
    table = Table.encode(frame, schema)
    assert labels(table, AlphaK(0.5, 2)) == twin(table, holds(table, AlphaK(0.5, 2)))
    assert labels(table, AlphaK(0.5, 2))[-2:] == [0, -1]
    assert labels(table, AlphaK(0.3, 2)) == [-1] * 6


@pytest.mark.parametrize("alpha", [0.5, 0.4])
def test_people_of_too_frequent_values_are_left_out(alpha: float) -> None:
    columns = {"x": shoal.quasi(), "secret": shoal.sensitive(), "who": shoal.identifier()}
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "x": rng.choice(list("pqr"), 90),
            "secret": rng.choice(list("abcd"), 90, p=[0.5, 0.2, 0.2, 0.1]),
            "who": rng.integers(0, 60, 90),
        }
    )
    release = shoal.anonymize(
        frame,
        shoal.Schema(columns, entity="who"),
        require=[AlphaK(alpha, 3)],
        method=TopDown(),
        suppression_limit=0.5,
    )
    assert release.verification.passed
    assert 0 < release.grouping.n_suppressed < 45


@settings(max_examples=examples(100), deadline=None)
@given(tables(), st.data())
def test_every_release_verifies(case: tuple[Table, int, int], data: st.DataObject) -> None:
    """With people, too, where the union of two classes that show the same cells may fail."""
    table, k, _ = case
    n = table.n_rows
    secrets = data.draw(st.lists(st.sampled_from("abcd"), min_size=n, max_size=n))
    secrets[0] = "a"  # a value that a requirement names must occur
    table = with_secrets(table, secrets)
    require = data.draw(st.sampled_from(requirements(max(k, 2))))
    try:
        release = shoal.anonymize(
            table.frame, table.schema, require=[require], method=TopDown(), suppression_limit=1.0
        )
    except shoal.errors.InfeasibleError:
        return
    assert release.verification.passed


def test_classes_of_equal_cells_hold_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Person 10 has rows in two classes that show the same cells: their union would fail."""
    columns = {"x": shoal.quasi(), "y": shoal.quasi()}
    columns |= {"secret": shoal.sensitive(), "who": shoal.identifier()}
    frame = pl.DataFrame(
        {
            "x": list("bbbabbbbaccaaacccb"),
            "y": list("wwuwvwvuuwuuuvvuvu"),
            "secret": list("cacabcbabaccaacbbb"),
            "who": [8, 5, 5, 1, 7, 8, 1, 2, 10, 10, 7, 0, 10, 9, 6, 1, 7, 10],
        }
    )
    schema = shoal.Schema(columns, entity="who")
    options = {"require": [AlphaK(0.6, 2)], "method": TopDown()}
    release = shoal.anonymize(frame, schema, **options)
    assert release.verification.passed
    assert release.grouping.n_groups > 1
    assert release.grouping.n_suppressed == 0
    monkeypatch.setattr(groups, "merge_indistinguishable", lambda table, found, *_: found)
    with pytest.raises(shoal.errors.VerificationError):
        shoal.anonymize(frame, schema, **options)


def test_shares_of_many_digits_are_judged_exactly() -> None:
    table = adult(150, 8)
    long = AlphaK("333333333333333333333/999999999999999999998", 3)
    assert labels(table, long) == labels(table, AlphaK("1/3", 3))
