"""Local recoding's labels equal the slow twin's, row for row."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import AlphaK, KAnonymity, LDiversity, LocalRecoding, TCloseness
from shoal.base.cells import number_text
from shoal.checks.methods import EvenRows
from shoal.errors import ParameterError
from shoal.methods.lattice import _known
from shoal.models import Requirement
from shoal.publications.groups.completing import holds, merge_failing
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import Grouping
from shoal.table import NumericColumn, Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.methods.test_full_domain_reference import width_of
from tests.methods.test_top_down_reference import with_secrets
from tests.reference.full_domain import Attribute
from tests.reference.local_recoding import Rounds
from tests.tables import parents, run_without_jit, tables

OBJECTIVES = ("loss", "loss-geometric", "precision", "non-uniform-entropy", "height")


def twin(table: Table, require: list[Requirement], method: LocalRecoding) -> list[int]:
    """Set the slow twin up from the raw cells; what is left is merged as `merge_failing` does."""
    attributes = []
    for column, tree in zip(table.quasi, table.trees, strict=True):
        raw = table.frame[column.name].to_list()
        width = None
        if isinstance(column, NumericColumn):
            raw = [None if value is None else number_text(float(value)) for value in raw]
            width = width_of(column)
        attributes.append(Attribute(raw, parents(tree.hierarchy), width, column.weight))
    rounds = Rounds(attributes, table.n_rows, lambda rows: holds(require, table, np.array(rows)))
    share = ceil(Fraction(str(method.share)) * table.n_rows)
    labels, left = rounds.labels(str(method.objective), share)
    found = Grouping(np.array(labels, dtype=np.int32))
    if left:
        found = merge_failing(table, found, require, table.quasi)
    return found.labels.tolist()


def labels(table: Table, require: list[Requirement], method: LocalRecoding) -> list[int]:
    return method.group(table, require, rng=np.random.default_rng(0)).labels.tolist()


def adult(rows: int, seed: int) -> Table:
    """Five columns, a lattice of a few hundred nodes."""
    folder = shoal.datasets.folder("adult") / "hierarchies"
    names = ("age", "sex", "education", "marital-status", "race")
    columns = {
        name: shoal.quasi(
            kind="numeric" if name == "age" else "categorical",
            hierarchy=Hierarchy.from_csv(folder / f"{name}.csv"),
        )
        for name in names
    }
    frame = shoal.datasets.adult().select(*names, "occupation").sample(rows, seed=seed)
    schema = shoal.Schema({**columns, "occupation": shoal.sensitive()})
    return Table.encode(frame, schema)


def needs(table: Table, k: int) -> list[list[Requirement]]:
    close = TCloseness("1/2").against(one_group(table, [TCloseness("1/2")]))
    return [
        [KAnonymity(k)],
        [AlphaK(0.6, k)],
        [KAnonymity(k), LDiversity(2)],
        [KAnonymity(k), close],
        [EvenRows()],
    ]


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("share", [0.0, 0.02])
def test_labels_equal_the_twin_on_adult(which: int, share: float) -> None:
    table = adult(120, which)
    require, method = needs(table, 3)[which], LocalRecoding(share=share)
    found = labels(table, require, method)
    assert found == twin(table, require, method)
    assert len(set(found)) > 4


@settings(max_examples=examples(150), deadline=None)
@given(
    tables(),
    st.sampled_from(OBJECTIVES),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    st.integers(0, 4),
    st.data(),
)
def test_labels_equal_the_twin_on_random_tables(
    case: tuple[Table, int, int], objective: str, share: float, which: int, data: st.DataObject
) -> None:
    table, k, _ = case
    n = table.n_rows
    secrets = data.draw(st.lists(st.sampled_from("aabbcd"), min_size=n, max_size=n))
    table = with_secrets(table, secrets)
    require = needs(table, k)[which]
    if not holds(require, table, np.arange(n)):
        return  # surplus rows are left out first, which is asked below
    method = LocalRecoding(objective, share=share)  # type: ignore[arg-type]
    assert labels(table, require, method) == twin(table, require, method)


def test_labels_equal_the_twin_with_the_jit_off() -> None:
    script = """
import numba
from shoal import LocalRecoding
from shoal.kernels.lattice.frontier import advance
from tests.methods.test_local_recoding_reference import adult, labels, needs, twin

assert numba.config.DISABLE_JIT and not hasattr(advance, "signatures")
table = adult(60, 3)
for require in needs(table, 3)[:3]:
    method = LocalRecoding(share=0.05)
    assert labels(table, require, method) == twin(table, require, method)
print("equal")
"""
    assert run_without_jit(script) == "equal"


def test_pauses_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = adult(300, 5)
    whole = labels(table, [KAnonymity(3)], LocalRecoding())
    monkeypatch.setattr(_known, "TURNS", 1)
    monkeypatch.setattr(_known, "WAITING", 8)
    assert labels(table, [KAnonymity(3)], LocalRecoding()) == whole


def test_rounds_go_up_by_hand() -> None:
    """First the pairs that are equal, then those alike in the first letter, then the others."""
    tree = Hierarchy.from_dict({"a*": ["aa", "ab", "ac"], "b*": ["ba", "bb", "bc"]})
    schema = shoal.Schema({"x": shoal.quasi(hierarchy=tree)})
    frame = pl.DataFrame({"x": ["aa", "ab", "aa", "ba", "ac", "bb"]})
    table = Table.encode(frame, schema)
    # A round of a third: the two aa; ab with ac and ba with bb.
    assert labels(table, [KAnonymity(2)], LocalRecoding(share=1 / 3)) == [0, 1, 0, 2, 1, 2]
    # A round of all rows: nothing before the first letters.
    assert labels(table, [KAnonymity(2)], LocalRecoding(share=1)) == [0, 0, 0, 1, 0, 1]
    assert labels(table, [KAnonymity(3)], LocalRecoding(share=0.5)) == [0] * 6


def test_rows_that_are_left_join_the_nearest_group() -> None:
    """Hand: three aa are published; ab alone holds nowhere, and joins them."""
    tree = Hierarchy.from_dict({"a*": ["aa", "ab", "ac"], "b*": ["ba", "bb"]})
    schema = shoal.Schema({"x": shoal.quasi(hierarchy=tree)})
    frame = pl.DataFrame({"x": ["ba", "aa", "aa", "ba", "ab"]})
    table = Table.encode(frame, schema)
    assert labels(table, [KAnonymity(2)], LocalRecoding(share=0)) == [0, 1, 1, 0, 1]


def test_it_loses_less_than_one_round() -> None:
    table = adult(3000, 1)
    options = {"require": [KAnonymity(5)], "bounds": "observed"}
    lost = {
        name: shoal.anonymize(table.frame, table.schema, method=method, **options).measures["loss"]
        for name, method in {
            "one round": shoal.FullDomain(),
            "rounds": LocalRecoding(numbers="tree"),
            "more rounds": LocalRecoding(share=0, numbers="tree"),
            "intervals": LocalRecoding(share=0),
        }.items()
    }
    assert lost["one round"] > 2 * lost["rounds"]
    assert lost["rounds"] > lost["more rounds"] > lost["intervals"]


def test_it_gives_no_levels_and_suppresses_nothing() -> None:
    table = adult(500, 2)
    found = LocalRecoding().group(table, [KAnonymity(7)], rng=np.random.default_rng(0))
    assert found.levels is None
    assert found.n_suppressed == 0
    assert found.sizes.min() >= 7


def test_weights_count() -> None:
    """The heavier column is generalized later."""
    frame = pl.DataFrame({"x": list("aabb"), "y": list("pqpq")})
    for heavy, expected in (("x", [0, 0, 1, 1]), ("y", [0, 1, 0, 1])):
        schema = shoal.Schema({name: shoal.quasi() for name in "xy"})
        method = LocalRecoding(weights={name: 1.0 + (name == heavy) for name in "xy"})
        assert labels(Table.encode(frame, schema), [KAnonymity(2)], method) == expected


@settings(max_examples=examples(60), deadline=None)
@given(tables(), st.data())
def test_every_release_verifies(case: tuple[Table, int, int], data: st.DataObject) -> None:
    table, k, _ = case
    n = table.n_rows
    secrets = data.draw(st.lists(st.sampled_from("abcd"), min_size=n, max_size=n))
    table = with_secrets(table, secrets)
    few: list[Callable[[int], Requirement]] = [
        KAnonymity,
        lambda k: AlphaK(0.5, k),
        lambda k: LDiversity(2),
        lambda k: TCloseness(0.4),
    ]
    require = data.draw(st.sampled_from(few))(max(k, 2))
    try:
        release = shoal.anonymize(
            table.frame,
            table.schema,
            require=[require],
            method=LocalRecoding(),
            suppression_limit=1.0,
        )
    except shoal.errors.InfeasibleError:
        return
    assert release.verification.passed


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"share": -0.1}, "share must be a number from 0 to 1"),
        ({"share": "a"}, "share must be a number from 0 to 1"),
        ({"numbers": "both"}, "numbers must be one of"),
        ({"objective": "discernibility"}, "measures the sizes of all classes"),
        ({"objective": "average_class_size"}, "measures the sizes of all classes"),
        ({"objective": "least"}, "objective must be one of"),
        ({"objective": "mutual-information-loss"}, "needs a label"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        LocalRecoding(**options).validate()  # type: ignore[arg-type]


def test_a_lattice_of_too_many_nodes_is_refused() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"c{j}": rng.integers(0, 10**6, 40).astype(str) for j in range(12)})
    tree = shoal.hierarchies.Prefixes()
    schema = shoal.Schema({name: shoal.quasi(hierarchy=tree) for name in frame.columns})
    with pytest.raises(ParameterError, match="too many") as refused:
        labels(Table.encode(frame, schema), [KAnonymity(2)], LocalRecoding())
    assert "Use mondrian or gaa-cp" in str(refused.value)
