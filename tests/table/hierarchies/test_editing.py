"""Edits give a tree with the same values, and refuse what gives none."""

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from shoal.errors import HierarchyError
from shoal.table.hierarchies import Hierarchy, Intervals, from_spec, tree_spec
from shoal.table.hierarchies.editing import dissolved, grouped, merged, moved, renamed, with_values
from tests.examples import examples

TREE = Hierarchy.from_dict(
    {"Europe": {"West": ["France", "Spain"], "Malta": []}, "Asia": ["Japan"], "Peru": None}
)


def nodes(*labels):
    return [TREE.node(label) for label in labels]


def test_moved_nodes_come_last_with_all_below_them():
    made = moved(TREE, nodes("West", "Peru"), TREE.node("Asia"))
    assert made.to_dict() == {
        "*": {
            "Europe": ["Malta"],
            "Asia": {"Japan": [], "West": ["France", "Spain"], "Peru": []},
        }
    }


def test_what_lies_below_a_chosen_node_goes_with_it():
    both = moved(TREE, nodes("West", "Spain"), 0)
    assert both == moved(TREE, nodes("West"), 0)


def test_groups_without_members_are_gone():
    made = moved(TREE, nodes("West", "Malta"), TREE.node("Asia"))
    assert "Europe" not in made.labels
    chain = Hierarchy.from_dict({"A": {"B": {"C": ["a"]}}, "d": None})
    assert moved(chain, [chain.node("a")], 0).labels == ("*", "d", "a")


def test_a_group_is_made_where_its_first_member_stands():
    assert grouped(TREE, nodes("Malta"), "Islands").to_dict()["*"]["Europe"] == {
        "West": ["France", "Spain"],
        "Islands": ["Malta"],
    }
    apart = grouped(TREE, nodes("Spain", "Japan"), "S and J")
    assert apart.to_dict() == {
        "*": {
            "S and J": ["Spain", "Japan"],
            "Europe": {"West": ["France"], "Malta": []},
            "Peru": [],
        }
    }


def test_merged_groups_keep_a_name_of_theirs_or_get_one():
    assert merged(TREE, nodes("Europe", "Asia")).to_dict()["*"] == {
        "Europe": {"West": ["France", "Spain"], "Malta": [], "Japan": []},
        "Peru": [],
    }
    assert "Asia" in merged(TREE, nodes("Europe", "Asia"), "Asia").labels
    assert "Eurasia" in merged(TREE, nodes("Asia", "Europe"), "Eurasia").labels


def test_dissolved_groups_leave_their_members_in_their_place():
    assert dissolved(TREE, nodes("Europe", "West")).labels == (
        *("*", "France", "Spain", "Malta", "Asia", "Japan", "Peru"),
    )


def test_the_root_may_have_another_name():
    assert renamed(TREE, 0, "World").labels[0] == "World"
    assert renamed(TREE, TREE.node("Asia"), "Asia") == TREE


def test_values_are_added_once():
    made = with_values(TREE, ["Japan", "Fiji", "Fiji"])
    assert made.leaves == (*TREE.leaves, "Fiji")
    alone = with_values(Hierarchy.flat(()), ["a", "b"])
    assert alone == Hierarchy.flat(["a", "b"])


def test_known_ranges_stay_known():
    tree = Intervals(width=10).build(pl.Series(["23", "37"]))
    made = dissolved(tree, [tree.node("[20, 40)")])
    assert made.intervals[made.node("[20, 30)")] == tree.intervals[tree.node("[20, 30)")]


@pytest.mark.parametrize(
    "edit",
    [
        lambda: moved(TREE, [0], 1),
        lambda: moved(TREE, [], 0),
        lambda: moved(TREE, [99], 0),
        lambda: moved(TREE, [-1], 0),
        lambda: moved(TREE, [1.5], 0),
        lambda: moved(TREE, nodes("Europe"), TREE.node("West")),
        lambda: moved(TREE, nodes("Europe"), TREE.node("Europe")),
        lambda: moved(TREE, nodes("Europe"), TREE.node("Peru")),
        lambda: grouped(TREE, nodes("Peru"), "Asia"),
        lambda: grouped(TREE, nodes("Peru"), "Japan"),
        lambda: grouped(TREE, nodes("Peru"), " "),
        lambda: grouped(TREE, nodes("Peru"), None),
        lambda: grouped(TREE, [0], "All"),
        lambda: renamed(TREE, TREE.node("Peru"), "Chile"),
        lambda: renamed(TREE, TREE.node("Asia"), "Peru"),
        lambda: renamed(TREE, 0, ""),
        lambda: dissolved(TREE, [0]),
        lambda: dissolved(TREE, nodes("Peru")),
        lambda: merged(TREE, nodes("Asia")),
        lambda: merged(TREE, nodes("Asia", "Peru")),
        lambda: merged(TREE, nodes("Europe", "West")),
        lambda: merged(TREE, [0, 1]),
        lambda: merged(TREE, nodes("Asia", "Europe"), "Peru"),
        lambda: with_values(TREE, ["Asia"]),
        lambda: with_values(TREE, ["*"]),
        lambda: with_values(TREE, ["Fiji"], TREE.node("Peru")),
    ],
)
def test_what_makes_no_tree_is_refused_without_a_label(edit):
    with pytest.raises(HierarchyError) as caught:
        edit()
    assert caught.value.hint
    said = str(caught.value)
    assert not [label for label in TREE.labels[1:] if label in said]


@st.composite
def trees(draw):
    n = draw(st.integers(2, 20))
    parents = [-1] + [draw(st.integers(max(0, i - 6), i - 1)) for i in range(1, n)]
    return Hierarchy([f"n{node}" for node in range(n)], parents)


some = st.lists(st.integers(0, 19), min_size=1, max_size=6)
edits = st.tuples(
    st.sampled_from(["moved", "grouped", "renamed", "dissolved", "merged"]),
    some,
    st.integers(0, 19),
    st.sampled_from(["n3", "new", "other", "third"]),
)


@settings(max_examples=examples(200), deadline=None)
@given(trees(), st.lists(edits, max_size=6))
def test_edits_neither_lose_nor_double_a_value(tree, asked):
    leaves = sorted(tree.leaves)
    for name, chosen, to, label in asked:
        before = tree.to_dict()
        try:
            made = {
                "moved": lambda: moved(tree, chosen, to),  # noqa: B023
                "grouped": lambda: grouped(tree, chosen, label),  # noqa: B023
                "renamed": lambda: renamed(tree, to, label),  # noqa: B023
                "dissolved": lambda: dissolved(tree, chosen),  # noqa: B023
                "merged": lambda: merged(tree, chosen, label),  # noqa: B023
            }[name]()
        except HierarchyError:
            continue
        assert tree.to_dict() == before
        assert sorted(made.leaves) == leaves
        assert len(set(made.labels)) == made.n_nodes
        assert from_spec(tree_spec(made)).build(pl.Series(["x"])) == made
        tree = made


@settings(max_examples=examples(50), deadline=None)
@given(trees(), some)
def test_a_new_group_holds_what_was_chosen_and_nothing_else(tree, chosen):
    inside = [node for node in chosen if 0 < node < tree.n_nodes]
    if not inside:
        return
    made = grouped(tree, inside, "new")
    below = {
        leaf
        for node in inside
        for leaf in tree.leaves[tree.first_leaf[node] : tree.last_leaf[node] + 1]
    }
    group = made.node("new")
    assert set(made.leaves[made.first_leaf[group] : made.last_leaf[group] + 1]) == below
    # To move the members back and to dissolve it leave no trace of the group.
    assert sorted(dissolved(made, [group]).leaves) == sorted(tree.leaves)
