"""Mondrian's labels equal the slow twin's, row for row."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import AlphaK, KAnonymity, LDiversity, LeveledAlphaK, Mondrian, TCloseness
from shoal.checks.methods import EvenRows
from shoal.methods.partition import mondrian
from shoal.models import Requirement
from shoal.publications.groups.completing import holds, least_size
from shoal.table import NumericColumn, Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.reference.mondrian import Category, Number, Reference
from tests.tables import adult_table, large_table, parents, run_without_jit, tables

Kind = Literal["strict", "relaxed"]
KINDS: tuple[Kind, ...] = ("strict", "relaxed")
LEVELS = {"a": 1, "b": 2, "c": 2, "d": 3}


def twin(table: Table, require: list[Requirement], kind: Kind, numbers: str) -> list[int]:
    """Set the slow twin up from the raw cells, not from the table's codes."""
    attributes: list[Number | Category] = []
    for column in table.trees if numbers == "tree" else table.quasi:
        weight = Fraction(str(column.weight))
        raw = table.frame[column.name].to_list()
        if isinstance(column, NumericColumn):
            attributes.append(Number(raw, weight))
        else:
            words = [None if value is None else str(value) for value in raw]
            attributes.append(Category(words, parents(column.hierarchy), weight))

    def must(rows: list[int]) -> bool:
        return holds(require, table, np.array(rows))

    least = least_size(require)
    return Reference(attributes, table.n_rows, must, least, kind == "relaxed").labels()


def labels(table: Table, require: list[Requirement], kind: Kind, numbers: str) -> list[int]:
    method = Mondrian(kind, numbers)  # type: ignore[arg-type]
    return method.group(table, require, rng=np.random.default_rng(0)).labels.tolist()


def compare(
    table: Table, require: list[Requirement], kind: Kind, numbers: str = "intervals"
) -> int:
    """Compare the labels, if all rows together hold; give the number of parts."""
    found = labels(table, require, kind, numbers)
    if not holds(require, table, np.arange(table.n_rows)):
        return 0
    assert found == twin(table, require, kind, numbers)
    return len(set(found))


def with_secrets(table: Table, secrets: list[str]) -> Table:
    frame = table.frame.with_columns(secret=pl.Series(secrets))
    columns = {**dict(table.schema), "secret": shoal.sensitive()}
    return Table.encode(frame, shoal.Schema(columns, entity=table.schema.entity))


def requirements(k: int) -> list[Requirement]:
    return [
        KAnonymity(k),
        AlphaK(0.5, k),
        AlphaK("2/3", k),
        LeveledAlphaK(LEVELS, [0.3, 0.5, "2/3"], k),
        LDiversity(2),
        EvenRows(),
    ]


@pytest.mark.parametrize("numbers", ["intervals", "tree"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [2, 5])
def test_labels_equal_the_twin_on_adult(k: int, kind: Kind, numbers: str) -> None:
    table = adult_table(300, k, uneven=True)
    assert compare(table, [KAnonymity(k)], kind, numbers) > 10


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "require",
    [AlphaK(0.4, 3), LDiversity(3), LDiversity(2, kind="entropy"), TCloseness(0.5), EvenRows()],
    ids=lambda each: each.name,
)
def test_every_requirement_equals_the_twin_on_adult(kind: Kind, require: Requirement) -> None:
    table = adult_table(250, 3)
    whole = shoal.publications.groups.counting.one_group(table, [require])
    assert compare(table, [KAnonymity(3), require.against(whole)], kind) > 4


@pytest.mark.parametrize("compiled", [True, False])
def test_labels_equal_the_twin_on_random_tables(
    monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """Also where each part is judged by the requirements, as unknown ones are."""
    if not compiled:
        limits_of = mondrian.limits_of
        monkeypatch.setattr(mondrian, "limits_of", lambda *args: (limits_of(*args)[0], False))

    @settings(max_examples=examples(250), deadline=None)
    @given(
        tables(),
        st.sampled_from(KINDS),
        st.sampled_from(["intervals", "intervals", "tree"]),
        st.data(),
    )
    def check(case: tuple[Table, int, int], kind: Kind, numbers: str, data: st.DataObject) -> None:
        table, k, _ = case
        n = table.n_rows
        secrets = data.draw(st.lists(st.sampled_from("aabbcd"), min_size=n, max_size=n))
        table = with_secrets(table, secrets)
        compare(table, [data.draw(st.sampled_from(requirements(k)))], kind, numbers)

    check()


@pytest.mark.parametrize("seed", range(6))
def test_large_random_tables_equal_the_twin(seed: int) -> None:
    table, k, _ = large_table(seed)
    for kind in KINDS:
        compare(table, [KAnonymity(k)], kind, "tree" if seed % 3 == 0 else "intervals")


def test_labels_equal_the_twin_with_the_jit_off() -> None:
    script = """
import numba
from shoal import AlphaK, KAnonymity, LDiversity
from shoal.kernels.partition.mondrian import split
from tests.methods.test_mondrian_reference import KINDS, adult_table, compare

assert numba.config.DISABLE_JIT and not hasattr(split, "signatures")
table = adult_table(120, 3, uneven=True)
for kind in KINDS:
    for require in (KAnonymity(3), AlphaK(0.5, 3), LDiversity(2)):
        assert compare(table, [require], kind) > 4
print("equal")
"""
    assert run_without_jit(script) == "equal"


@pytest.mark.parametrize("require", [KAnonymity(3), LDiversity(2)])
def test_pauses_change_nothing(monkeypatch: pytest.MonkeyPatch, require: Requirement) -> None:
    table = adult_table(300, 5)
    whole = labels(table, [require], "relaxed", "intervals")
    monkeypatch.setattr(mondrian, "BUDGET", 1)
    assert labels(table, [require], "relaxed", "intervals") == whole


def grouped(frame: pl.DataFrame, schema: shoal.Schema, k: int, kind: Kind) -> list[int]:
    return labels(Table.encode(frame, schema), [KAnonymity(k)], kind, "intervals")


def test_a_number_is_cut_beside_its_median() -> None:
    """Hand: seven 1s and three 2s. The median is 1; below it there is nothing."""
    frame = pl.DataFrame({"x": [1, 1, 2, 1, 1, 2, 1, 1, 2, 1]})
    schema = shoal.Schema({"x": shoal.quasi()})
    assert grouped(frame, schema, 3, "strict") == [0, 0, 1, 0, 0, 1, 0, 0, 1, 0]
    assert grouped(frame, schema, 4, "strict") == [0] * 10
    # Relaxed, the first five 1s go to the left, the others join the 2s.
    assert grouped(frame, schema, 4, "relaxed") == [0, 0, 1, 0, 0, 1, 0, 1, 1, 1]


def test_children_that_fail_are_the_rest_of_a_node() -> None:
    """Hand: a has four rows, b three, c and d one each."""
    tree = Hierarchy.flat(["a", "b", "c", "d"])
    frame = pl.DataFrame({"x": list("aabbacbad")})
    schema = shoal.Schema({"x": shoal.quasi(hierarchy=tree)})
    # The rest, c and d, holds two.
    assert grouped(frame, schema, 2, "strict") == [0, 0, 1, 1, 0, 2, 1, 0, 2]
    # Not three: the smallest child joins it.
    assert grouped(frame, schema, 3, "strict") == [0, 0, 1, 1, 0, 1, 1, 0, 1]
    # Relaxed, the largest child gives its last row.
    assert grouped(frame, schema, 3, "relaxed") == [0, 0, 1, 1, 0, 2, 1, 2, 2]


def test_missing_cells_are_cut_off_if_they_hold() -> None:
    schema = shoal.Schema({"x": shoal.quasi(kind="numeric"), "y": shoal.quasi()})
    frame = pl.DataFrame({"x": [1, 9, None, None, 5, 7], "y": list("aaaaaa")})
    assert grouped(frame, schema, 2, "strict") == [0, 1, 2, 2, 0, 1]
    # Three do not hold: they count as the largest number.
    assert grouped(frame, schema, 3, "strict") == [0, 1, 1, 1, 0, 0]


def test_weights_choose_the_column() -> None:
    frame = pl.DataFrame({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
    for heavy, expected in (("x", [0, 0, 1, 1]), ("y", [0, 1, 0, 1])):
        schema = shoal.Schema({name: shoal.quasi(weight=1 + (name == heavy)) for name in "xy"})
        assert grouped(frame, schema, 2, "strict") == expected


@pytest.mark.parametrize("weights", [(1e300, 1e299), (1e300, 1e-300), (0.12345678901234567, 1 / 3)])
def test_absurd_weights_work(weights: tuple[float, float]) -> None:
    schema = shoal.Schema({n: shoal.quasi(weight=w) for n, w in zip("xy", weights, strict=True)})
    frame = pl.DataFrame({"x": [1.5, 1e200, 3.1, 4.0], "y": ["p", "q", "p", "q"]})
    assert len(set(grouped(frame, schema, 2, "strict"))) == 2


def test_equal_records_stay_together_when_strict() -> None:
    table = adult_table(2000, 1)
    quasi = table.frame.select(table.schema.quasi)
    for kind in KINDS:
        found = quasi.with_columns(label=pl.Series(labels(table, [KAnonymity(7)], kind, "tree")))
        most = found.group_by(table.schema.quasi).agg(pl.col("label").n_unique())["label"].max()
        assert (most == 1) == (kind == "strict")


def test_last_rows_of_a_too_frequent_value_are_left_out() -> None:
    schema = shoal.Schema({"x": shoal.quasi(), "secret": shoal.sensitive()})
    frame = pl.DataFrame({"x": list("pppqqq"), "secret": ["a", "a", "b", "a", "c", "a"]})
    found = labels(Table.encode(frame, schema), [AlphaK(0.5, 2)], "strict", "intervals")
    assert found[-1] == -1
    assert found.count(-1) == 2


@pytest.mark.parametrize("options", [{"partitioning": "loose"}, {"numbers": "both"}])
def test_unknown_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(shoal.errors.ParameterError, match=next(iter(options))):
        Mondrian(**options).validate()  # type: ignore[arg-type]


@settings(max_examples=examples(60), deadline=None)
@given(tables(), st.sampled_from(KINDS), st.data())
def test_every_release_verifies(
    case: tuple[Table, int, int], kind: Kind, data: st.DataObject
) -> None:
    """With people, too, where the union of two parts that show the same cells may fail."""
    table, k, _ = case
    n = table.n_rows
    secrets = data.draw(st.lists(st.sampled_from("abcd"), min_size=n, max_size=n))
    table = with_secrets(table, secrets)
    require = data.draw(
        st.sampled_from([KAnonymity(max(k, 2)), AlphaK(0.5, max(k, 2)), LDiversity(2)])
    )
    try:
        release = shoal.anonymize(
            table.frame,
            table.schema,
            require=[require],
            method=Mondrian(kind),
            suppression_limit=1.0,
        )
    except shoal.errors.InfeasibleError:
        return
    assert release.verification.passed
