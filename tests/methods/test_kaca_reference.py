"""KACA's labels equal the slow twin's, row for row."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import repeat

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import KACA, KAnonymity
from shoal.methods.merging import kaca
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.reference.kaca import Attribute, Reference
from tests.tables import parents, run_without_jit, tables


def twin(table: Table) -> Reference:
    """Set the slow twin up from the raw cells, not from the table's codes."""
    attributes = []
    for column in table.trees:
        raw = [None if v is None else str(v) for v in table.frame[column.name].to_list()]
        weight = Fraction(str(column.weight))
        attributes.append(Attribute(raw, parents(column.hierarchy), weight))
    people = None if table.people is None else table.people.tolist()
    return Reference(attributes, table.n_rows, people=people)


def labels(table: Table, k: int, seed: int | None = None) -> list[int]:
    """Group by KACA: the first small class each time, or random ones."""
    rng = np.random.default_rng(seed)
    method = KACA(picks="first" if seed is None else "random")
    return method.group(table, [KAnonymity(k)], rng=rng).labels.tolist()


def draws(seed: int | None, n: int = 100_000) -> Iterator[float]:
    return repeat(0.0) if seed is None else iter(np.random.default_rng(seed).random(n).tolist())


def adult_schema() -> shoal.Schema:
    folder = shoal.datasets.folder("adult")
    ages = Hierarchy.from_csv(folder / "hierarchies" / "age.csv")
    return shoal.Plan.read(folder / "adult.toml").schema_().with_column("age", hierarchy=ages)


@pytest.mark.parametrize(("k", "seed"), [(2, None), (5, None), (10, None), (5, 1)])
def test_labels_equal_the_twin_on_adult(k: int, seed: int | None) -> None:
    frame = shoal.datasets.adult().sample(600, seed=k, shuffle=True)
    table = Table.encode(frame, adult_schema())
    expected = twin(table).labels(k, draws(seed))
    assert labels(table, k, seed) == expected
    assert len(set(expected)) > 10


@settings(max_examples=examples(150), deadline=None)
@given(tables(), st.sampled_from([None, 0, 1]), st.sampled_from([1, 4, 16]))
def test_labels_equal_the_twin_on_random_tables(
    case: tuple[Table, int, int], seed: int | None, per_bucket: int
) -> None:
    table, k, _ = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kaca, "PER_BUCKET", per_bucket)  # small tables have few buckets
        assert labels(table, k, seed) == twin(table).labels(k, draws(seed))


def test_labels_equal_the_twin_with_the_jit_off() -> None:
    script = """
import numba, shoal
from shoal.kernels.merging.merge import merge
from shoal.table import Table
from tests.methods.test_kaca_reference import adult_schema, draws, labels, twin

assert numba.config.DISABLE_JIT and not hasattr(merge, "signatures")
table = Table.encode(shoal.datasets.adult().sample(80, seed=3), adult_schema())
for k, seed in ((2, None), (4, 1)):
    assert labels(table, k, seed) == twin(table).labels(k, draws(seed))
print("equal")
"""
    assert run_without_jit(script) == "equal"


def test_costs_that_do_not_fit_are_rounded_to_the_documented_denominator() -> None:
    """Weights of 40 digits: the exact denominator is far past 64 bits."""
    tree = Hierarchy.from_dict({"P": ["a", "b"], "Q": ["c", "d"]})
    weights = (0.12345678901234567, 1 / 3, 7.0e-5)
    schema = shoal.Schema(
        {f"c{j}": shoal.quasi(hierarchy=tree, weight=w) for j, w in enumerate(weights)}
    )
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({f"c{j}": rng.choice(tree.leaves, 40) for j in range(3)})
    table = Table.encode(frame, schema)
    slow = twin(table)
    for attribute, weight in zip(slow.attributes, weights, strict=True):
        steps = round(Fraction(str(weight)) / Fraction(str(1 / 3)) * (2**20 * 720) / 2)
        attribute.weight = Fraction(2 * steps)
    slow = Reference(slow.attributes, slow.n)
    for attribute in slow.attributes:
        attribute.distortion.cache_clear()
    assert labels(table, 3) == slow.labels(3, draws(None))


@pytest.mark.parametrize("weights", [(1e300, 1e299), (1e300, 1e-300), (1e-12, 1e-12)])
def test_absurd_weights_work(weights: tuple[float, float]) -> None:
    schema = shoal.Schema({n: shoal.quasi(weight=w) for n, w in zip("xy", weights, strict=True)})
    frame = pl.DataFrame({"x": ["a", "a", "b", "b"], "y": ["p", "q", "p", "q"]})
    table = Table.encode(frame, schema)
    assert labels(table, 2) == [0, 0, 1, 1]


def test_numbers_as_intervals_narrow_the_cells_of_the_same_classes() -> None:
    frame = shoal.datasets.adult().sample(400, seed=4)
    made = {
        numbers: shoal.anonymize(
            frame,
            adult_schema(),
            require=[KAnonymity(4)],
            method=KACA(picks="first", numbers=numbers),
            bounds="observed",
        )
        for numbers in ("tree", "intervals")
    }
    nodes, least = made["tree"], made["intervals"]
    assert nodes.grouping.labels.tolist() == least.grouping.labels.tolist()
    tree = adult_schema()["age"].hierarchy
    assert isinstance(tree, Hierarchy)
    assert set(nodes.frame["age"]) <= {*tree.labels, "*"}
    assert not set(least.frame["age"]) <= {*tree.labels, "*"}
    assert least.measures["iloss"] < nodes.measures["iloss"]
    others = [name for name in adult_schema().quasi if name != "age"]
    assert nodes.frame.select(others).equals(least.frame.select(others))


def test_classes_that_fail_a_requirement_are_merged_by_what_is_published() -> None:
    """With intervals, 30 to 39 lies nearer to 40 to 41 than to 20 to 29; trees see only nodes."""
    ages = [20, 20, 38, 39, 40, 41]
    secrets = ["a", "b", "a", "a", "b", "c"]
    tree = Hierarchy.from_dict(
        {
            "[20, 40)": {"[20, 30)": ["20"], "[30, 40)": ["38", "39"]},
            "[40, 60)": {"[40, 50)": ["40", "41"]},
        }
    )
    schema = shoal.Schema(
        {"age": shoal.quasi(kind="numeric", hierarchy=tree), "secret": shoal.sensitive()}
    )
    table = Table.encode(pl.DataFrame({"age": ages, "secret": secrets}), schema)
    require = [KAnonymity(2), shoal.LDiversity(2)]
    found = {
        numbers: KACA(picks="first", numbers=numbers)
        .group(table, require, rng=np.random.default_rng(0))
        .labels.tolist()
        for numbers in ("tree", "intervals")
    }
    assert found == {"tree": [0, 0, 0, 0, 1, 1], "intervals": [0, 0, 1, 1, 1, 1]}


def test_unknown_forms_of_numbers_are_refused() -> None:
    with pytest.raises(shoal.errors.ParameterError, match="numbers"):
        KACA(numbers="both").validate()  # type: ignore[arg-type]
