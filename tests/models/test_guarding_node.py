"""Guarding nodes: trees, values, people, methods, and what cannot hold."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import GuardingNode
from shoal.checks import check_requirement
from shoal.errors import InfeasibleError, InputError, ParameterError
from shoal.methods import METHODS
from shoal.publications.groups.counting import count_groups, one_group, with_private
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.indistinguishable import merge_indistinguishable
from shoal.publications.recoding import generalize
from shoal.table import Table
from tests.examples import examples
from tests.reference.personal import guarded

ROLES = {"who": "identifier", "age": "quasi", "ill": "sensitive", "guard": "identifier"}
TREE = {
    "flu": "lungs",
    "cough": "lungs",
    "HIV": "virus",
    "lungs": "virus",
    "ulcer": "gut",
    "virus": "any",
    "gut": "any",
}
VALUES = ["flu", "cough", "HIV", "lungs", "ulcer", None]
NODES = [None, *(node for node in TREE)]
ROWS = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 5), st.sampled_from(VALUES), st.sampled_from(NODES)
    ),
    min_size=1,
    max_size=25,
)
ANY_METHOD = [name for name, kind in METHODS.items() if kind.carries is None]


def frame(ill: list[Any], guard: list[Any], who: list[Any] | None = None) -> pl.DataFrame:
    rows = len(ill)
    return pl.DataFrame(
        {
            "who": who or [f"p{row}" for row in range(rows)],
            "age": [20 + 7 * row % 50 for row in range(rows)],
            "ill": pl.Series(ill, dtype=pl.String),
            "guard": pl.Series(guard, dtype=pl.String),
        }
    )


@settings(max_examples=examples(80), deadline=None)
@given(ROWS, st.sampled_from(["1/3", "0.5", "2/3", 1]), st.booleans(), st.booleans())
def test_groups_are_judged_as_by_the_slow_twin(
    rows: list[tuple[int, int, str | None, str | None]],
    share: str | int,
    by_people: bool,
    plain: bool,
) -> None:
    group, people, ill, guard = (list(each) for each in zip(*rows, strict=True))
    schema = shoal.Schema(ROLES, entity="who" if by_people else None)
    table = Table.encode(frame(ill, guard, [f"p{person}" for person in people]), schema)
    need = GuardingNode(share, "guard", parents=None if plain else TREE)
    labels = np.unique(group, return_inverse=True)[1]
    columns = {**table.sensitive, **with_private(table, [need]).private}
    found = count_groups(labels, int(labels.max()) + 1, table.people, columns)
    expected = []
    for each in range(int(labels.max()) + 1):
        mine = np.flatnonzero(labels == each).tolist()
        expected.append(
            guarded(
                [ill[row] for row in mine],
                [guard[row] for row in mine],
                [people[row] if by_people else row for row in mine],
                Fraction(str(share)),
                {} if plain else TREE,
            )
        )
    assert need.judge(found).holds.tolist() == expected
    assert list(found.histograms) == ["ill"]


@pytest.mark.parametrize("share", ["1/3", 1])
def test_the_contract_with_other_shares(share: str | int) -> None:
    tree = GuardingNode.example().parents
    if share == 1:
        groups = shoal.models.written(ill=["i0 i0"], private={"guard": ["i0 i0"]})
        assert GuardingNode(1, "guard", parents=tree).judge(groups).passed
    else:
        check_requirement(GuardingNode(share, "guard", "illness", tree))


@pytest.mark.parametrize("name", ANY_METHOD)
@pytest.mark.parametrize("entity", [None, "who"])
def test_methods_hold_it(name: str, entity: str | None) -> None:
    ill = [("flu", "cough", "HIV", "ulcer", "ulcer")[row % 5] for row in range(40)]
    guard = [("flu", None, "lungs", None, None, None, "HIV")[row % 7] for row in range(40)]
    who = [f"p{row % 25 if entity else row}" for row in range(40)]
    original = frame(ill, guard, who)
    made = shoal.anonymize(
        original,
        shoal.Schema(ROLES, entity=entity),
        require=[2, GuardingNode(0.5, "guard", parents=TREE)],
        method=name,
        seed=1,
    )
    shown = original[made.rows].with_columns(made.frame["age"].alias("class"))
    for part in shown.partition_by("class"):
        people = part["who"].to_list() if entity else range(part.height)
        assert guarded(part["ill"].to_list(), part["guard"].to_list(), people, Fraction(1, 2), TREE)
    assert made.rows.size >= 38


def test_a_hierarchy_of_the_column_is_the_tree() -> None:
    """Its lowest nodes are published; a guarded leaf counts as the node that stands for it."""
    tree = shoal.Hierarchy.from_dict({"virus": ["flu", "HIV"], "gut": ["ulcer", "colitis"]})
    roles = {**ROLES, "ill": shoal.sensitive(hierarchy=tree)}
    ill = ["flu", "ulcer", "HIV", "colitis"] * 5
    for node, holds in (("HIV", 0.5), ("gut", 0.5), ("virus", 0.5)):
        original = frame(ill, [node] + [None] * 19)
        made = shoal.anonymize(original, roles, require=[2, GuardingNode(holds, "guard")], seed=1)
        assert set(made.frame["ill"]) == {"virus", "gut"}
        assert made.verify().passed
    with pytest.raises(InputError, match="names nodes that are not in the tree in 1 cell"):
        shoal.anonymize(
            frame(ill, ["lungs"] + [None] * 19), roles, require=[2, GuardingNode(0.5, "guard")]
        )


def test_a_tree_that_is_built_from_the_column() -> None:
    pay = shoal.sensitive(hierarchy=shoal.hierarchies.Intervals(cuts=[0, 1000, 3000, 9000]))
    roles = {**ROLES, "ill": pay}
    original = frame([str(400 * row) for row in range(20)], ["[0, 1000)"] + [None] * 19)
    made = shoal.anonymize(original, roles, require=[2, GuardingNode(0.5, "guard")], seed=1)
    assert made.verification.passed
    strange = original.with_columns(guard=pl.Series(["[0, 999)"] + [None] * 19))
    with pytest.raises(InputError, match="not in the tree in 1 cell"):
        shoal.anonymize(strange, roles, require=[2, GuardingNode(0.5, "guard")])


@pytest.mark.parametrize(
    ("tree", "cell", "said"),
    [
        (TREE, "flue", "names nodes that are not in the tree in 2 cells"),
        (TREE, "any", "names the root in 2 cells"),
        (TREE, "*", "names the root in 2 cells"),
        (None, "*", "names the root in 2 cells"),
        (None, "flue", "names values that do not occur in column 'ill' in 2 cells"),
    ],
)
def test_bad_nodes_are_counted_and_not_shown(
    tree: dict[str, str] | None, cell: str, said: str
) -> None:
    original = frame(["flu", "ulcer"] * 6, [cell, "ulcer", cell] + [""] * 9)
    with pytest.raises(InputError) as caught:
        shoal.anonymize(original, ROLES, require=[2, GuardingNode(0.5, "guard", parents=tree)])
    assert said in caught.value.problem
    assert "flue" not in str(caught.value)


def test_values_outside_the_tree_are_refused() -> None:
    original = frame(["flu", "gout", "ulcer"] * 4, ["flu"] + [None] * 11)
    with pytest.raises(ParameterError, match="The tree lacks 1 of 3 values of 'ill'"):
        shoal.anonymize(original, ROLES, require=[2, GuardingNode(0.5, "guard", parents=TREE)])


def test_too_many_guards_for_too_few_other_values() -> None:
    """One row of nine is no infection, so only two can be in groups that are half without one."""
    original = frame(["flu"] * 8 + ["ulcer"], ["virus"] * 4 + [None] * 5)
    need = GuardingNode("1/2", "guard", parents=TREE)
    with pytest.raises(InfeasibleError, match="at least 2 of 9 rows") as caught:
        shoal.anonymize(original, ROLES, require=[2, need])
    assert caught.value.hint
    two = original.with_columns(guard=pl.Series(["virus"] * 2 + [None] * 7))
    need.require_feasible(one_group(Table.encode(two, ROLES), [need]))


def test_groups_without_guards_may_hold_anything() -> None:
    """Most have the flu, and one guards it: all rows together fail, and groups still hold."""
    original = frame(["flu"] * 10 + ["ulcer", "flu"], [None] * 11 + ["flu"]).with_columns(
        age=pl.Series([*range(20, 30), 60, 61])
    )
    made = shoal.anonymize(
        original, ROLES, require=[2, GuardingNode("1/2", "guard")], method="gaa-cp", seed=1
    )
    assert made.n_suppressed == 0
    assert made.verification.achieved["share"] == 0.5


def test_two_tables_hold_it() -> None:
    ill = [("flu", "cough", "HIV", "ulcer")[row % 4] for row in range(24)]
    original = frame(ill, [("virus", None, None)[row % 3] for row in range(24)])
    need = GuardingNode("3/4", "guard", parents=TREE)
    made = shoal.anonymize(original, ROLES, require=[2, need], publication="two-table", seed=1)
    assert made.verification.passed
    assert made.verify().achieved["share"] <= 0.75


@pytest.mark.parametrize(
    "wrong",
    [
        {"share": 0},
        {"share": 1.5},
        {"share": "half"},
        {"guard": ""},
        {"parents": {}},
        {"parents": {"a": "b", "c": "d"}},
        {"parents": {"a": "b", "b": "a"}},
        {"parents": ["a"]},
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        GuardingNode(**({"share": 0.5, "guard": "guard"} | wrong)).validate()


def test_the_tree_is_not_public() -> None:
    said = GuardingNode(0.5, "guard", parents=TREE).published({"ill": {"flu"}}).to_spec()
    assert said == {"model": "guarding-node", "share": 0.5, "guard": "guard"}


def test_groups_that_are_too_small_are_merged_where_unions_may_fail() -> None:
    """Left-over rows make a group below k, and nothing but its size fails."""
    table = Table.encode(frame(["flu", "ulcer"] * 4, [None] * 8), ROLES)
    grouping = Grouping(np.array([0, 0, 0, 1, 1, 1, 2, 2], dtype=np.int32))
    need = [shoal.KAnonymity(3), GuardingNode(0.5, "guard", parents=TREE)]
    made = merge_indistinguishable(
        table, grouping, need, table.quasi, lambda groups: generalize(table, groups)
    )
    assert made.n_suppressed == 0
    assert sorted(made.sizes.tolist()) in ([3, 5], [8])
