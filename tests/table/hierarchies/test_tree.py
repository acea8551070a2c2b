import copy
import json
import pickle

import numpy as np
import polars as pl
import pytest

from shoal.base.cells import Interval, number_text, parse_interval
from shoal.errors import HierarchyError, InputError, ParameterError
from shoal.table.hierarchies import Auto, Hierarchy, Intervals

CANARY = "canary-7f3a"


@pytest.fixture
def uneven():
    return Hierarchy.from_dict({"Europe": {"West": ["FR", "DE"], "PL": None}, "JP": []})


def test_numbers_are_depth_first(uneven):
    assert uneven.labels == ("*", "Europe", "West", "FR", "DE", "PL", "JP")
    assert uneven.parent.tolist() == [-1, 0, 1, 2, 2, 1, 0]
    assert uneven.depth.tolist() == [0, 1, 2, 3, 3, 2, 1]
    assert uneven.leaves == ("FR", "DE", "PL", "JP")
    assert uneven.leaf_nodes.tolist() == [3, 4, 5, 6]
    assert uneven.first_leaf.tolist() == [0, 0, 0, 0, 1, 2, 3]
    assert uneven.last_leaf.tolist() == [3, 2, 1, 0, 1, 2, 3]
    assert uneven.leaf_counts.tolist() == [4, 3, 2, 1, 1, 1, 1]
    assert (uneven.n_nodes, uneven.n_leaves, uneven.height, len(uneven)) == (7, 4, 3, 4)
    assert uneven.ancestors[4].tolist() == [0, 1, 2, 4]
    assert uneven.ancestors[6].tolist() == [0, 6, 6, 6]
    for name in ("parent", "depth", "first_leaf", "last_leaf", "leaf_counts", "leaf_nodes"):
        assert getattr(uneven, name).dtype == np.int32


def test_children_keep_the_order_of_first_appearance():
    tree = Hierarchy.from_paths([("z", "B", "*"), ("a", "A", "*"), ("y", "B", "*")])
    assert tree.leaves == ("z", "y", "a")
    tree = Hierarchy.from_parents({"z": "B", "a": "A", "A": "*", "B": "*", "*": None})
    assert tree.leaves == ("z", "a")


def test_constructors_agree(uneven, tmp_path):
    paths = [
        ("FR", "West", "Europe", "*"),
        ("DE", "West", "Europe", "*"),
        ("PL", "PL", "Europe", "*"),
        ("JP", "*", "*", "*"),
    ]
    parents = {"FR": "West", "DE": "West", "West": "Europe", "PL": "Europe", "Europe": "*"}
    file = tmp_path / "tree.json"
    file.write_text(json.dumps(uneven.to_dict()))
    assert Hierarchy.from_paths(paths) == uneven
    assert Hierarchy.from_parents({**parents, "JP": "*"}) == uneven
    assert Hierarchy.from_dict(uneven.to_dict()) == uneven
    assert Hierarchy.from_dict(uneven.to_dict(), root=None) == uneven
    assert Hierarchy.from_json(file) == uneven
    assert Hierarchy.from_dict({"World": ["a"]}, root=None).labels == ("World", "a")
    assert Hierarchy.from_dict([{"X": ["a"]}, "b", 2, True]).leaves == ("a", "b", "2", "true")


def test_it_is_a_value(uneven):
    for twin in (pickle.loads(pickle.dumps(uneven)), copy.deepcopy(uneven)):
        assert twin == uneven
        assert hash(twin) == hash(uneven)
        assert not twin.parent.flags.writeable
    assert uneven != Hierarchy.flat(["FR"])
    assert uneven != "FR"
    assert repr(uneven) == "Hierarchy(leaves=4, nodes=7, height=3)"


def test_it_does_not_change(uneven):
    with pytest.raises(AttributeError):
        uneven.labels = ()
    with pytest.raises(AttributeError):
        del uneven.labels
    for name in ("parent", "ancestors", "leaf_counts", "last_leaf"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(uneven, name)[0] = 1


def test_codes(uneven):
    values = pl.Series(["JP", None, "FR", "JP"])
    codes = uneven.codes(values)
    assert codes.tolist() == [3, -1, 0, 3]
    assert codes.dtype == np.int32
    assert uneven.codes(values.cast(pl.Categorical)).tolist() == [3, -1, 0, 3]
    assert uneven.codes(pl.Series([], dtype=pl.String)).tolist() == []
    assert uneven.codes(pl.Series([None, None])).tolist() == [-1, -1]
    assert Hierarchy.flat(["1", "2.5"]).codes(pl.Series([2.5, 1.0])).tolist() == [1, 0]


def test_codes_of_many_rows():
    tree = Hierarchy.flat([str(i) for i in range(1000)])
    numbers = np.arange(300_000) % 1000
    assert np.array_equal(tree.codes(pl.Series(numbers)), numbers)


def test_codes_refuse_inner_nodes_and_strangers(uneven):
    with pytest.raises(HierarchyError, match="misses 2 of 3 distinct values") as caught:
        uneven.codes(pl.Series([CANARY, "West", "FR", CANARY, None]))
    assert CANARY not in str(caught.value)
    assert uneven.uncovered(pl.Series([CANARY, "FR", None])) == 1
    assert not uneven.covers([CANARY])
    assert uneven.covers(["FR", None])


def test_nodes(uneven):
    found = uneven.nodes(pl.Series(["*", "West", "FR", None, "?"]))
    assert found.tolist() == [0, 2, 3, -1, -2]
    assert uneven.node("Europe") == 1
    with pytest.raises(HierarchyError) as caught:
        uneven.node(CANARY)
    assert CANARY not in str(caught.value)


def test_scalars_and_arrays(uneven):
    assert uneven.lca(3, 4) == 2
    assert uneven.lca(3, np.array([3, 5, 6])).tolist() == [3, 1, 0]
    assert uneven.lca_of_codes(0, 2) == 1
    assert uneven.lca_of_codes(2, 2) == 5
    assert uneven.lca_of_codes(-1, -1) == 0
    assert uneven.covers_code(2, 1)
    assert not uneven.covers_code(2, 2)
    assert uneven.covers_code(np.array([0, 1]), -1).tolist() == [True, False]


def test_a_level_of_the_whole_tree_keeps_leaves_that_lie_less_deep(uneven):
    def shown(level):
        return [uneven.labels[node] for node in uneven.at_level(level)]

    assert shown(0) == [*uneven.leaves, "*"]
    assert shown(uneven.height) == ["*"] * (uneven.n_leaves + 1)
    assert shown(1)[-2:] == [uneven.leaves[-1], "*"]
    with pytest.raises(ParameterError, match=r"level must be a whole number of 0 or more"):
        uneven.at_level("deep")


def test_nodes_that_are_ranges_keep_their_ends_as_numbers():
    tree = Hierarchy.from_dict({"[0, 2.5)": ["1", "2"], "many": ["9007199254740993"]})
    ends = [each and (each.lo, each.hi) for each in tree.intervals]
    assert ends == [None, (0, 2.5), (1, 1), (2, 2), None, (2**53 + 1, 2**53 + 1)]
    assert tree.intervals is tree.intervals


def test_levels_climb_from_the_leaf(uneven):
    assert uneven.level_labels(0) == uneven.leaves
    assert uneven.level_labels(1) == ("West", "West", "Europe", "*")
    assert uneven.level_labels(2) == ("Europe", "Europe", "*", "*")
    assert uneven.level_labels(9) == ("*",) * 4
    with pytest.raises(ParameterError, match="-1"):
        uneven.level_labels(-1)


def test_root_alone():
    tree = Hierarchy.flat([])
    assert (tree.labels, tree.n_leaves, tree.height) == (("*",), 1, 0)
    assert tree.codes(pl.Series([None])).tolist() == [-1]
    assert tree.lca_of_codes(0, 0) == 0
    assert Hierarchy.from_dict(tree.to_dict()) == tree


def test_show(uneven):
    assert uneven.show().splitlines() == [
        "* (4)",
        "├── Europe (3)",
        "│   ├── West (2)",
        "│   │   ├── FR",
        "│   │   └── DE",
        "│   └── PL",
        "└── JP",
    ]
    assert Hierarchy.flat(map(str, range(50))).show().splitlines()[-1] == "└── … 38 more"
    with pytest.raises(ParameterError):
        uneven.show(0)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Hierarchy.from_paths([]), "empty"),
        (lambda: Hierarchy.from_paths([(CANARY, "*"), ()]), "A path is empty"),
        (lambda: Hierarchy.from_parents({}), "empty"),
        (lambda: Hierarchy.from_dict({}), "empty"),
        (lambda: Hierarchy.from_paths([("a", CANARY), ("b", "*")], lines=[4, 9]), "2 roots.*9"),
        (lambda: Hierarchy.from_parents({CANARY: None, "b": None, "c": None}), "3 roots"),
        (lambda: Hierarchy.from_dict({CANARY: [], "b": []}, root=None), "2 roots"),
        (lambda: Hierarchy.from_paths([("a", CANARY, "a", "*")], lines=[3]), r"cycle \(line 3\)"),
        (lambda: Hierarchy.from_parents({CANARY: "b", "b": CANARY}), "cycle: 2 labels"),
        (lambda: Hierarchy.from_parents({CANARY: "b", "b": CANARY, "a": "*"}), "cycle: 2 labels"),
        (lambda: Hierarchy.from_parents({CANARY: CANARY}), "cycle: 1 label never"),
        (
            lambda: Hierarchy.from_paths([(CANARY, "X", "*"), (CANARY, "Y", "*")], lines=[1, 5]),
            r"1 label has two parents \(line 5\)",
        ),
        (
            lambda: Hierarchy.from_paths([("a", CANARY, "X", "*"), ("b", CANARY, "*")]),
            "1 label has two parents",
        ),
        (
            lambda: Hierarchy.from_paths([("a", CANARY, "*"), (CANARY, "*")], lines=[1, 2]),
            r"1 label is used both as a value and as a node above values \(line 2\)",
        ),
        (lambda: Hierarchy.from_paths([("*", "*"), ("a", "*")]), "both as a value"),
        (lambda: Hierarchy.flat(["a", CANARY], root=CANARY), "both as a value"),
        (lambda: Hierarchy.from_paths([(CANARY, "", "*")], lines=[6]), "no label.*6"),
        (lambda: Hierarchy.from_dict({"X": [CANARY], "Y": [CANARY]}), "1 label stands in more"),
        (lambda: Hierarchy.from_dict({"X": CANARY}), "is a str"),
        (lambda: Hierarchy.from_dict({"X": [None]}), "label of the tree is None"),
        (
            lambda: Hierarchy.from_paths([[f"{CANARY}{i}" for i in range(400)]]),
            "more than 250 levels",
        ),
    ],
)
def test_what_is_no_tree(build, message):
    with pytest.raises(HierarchyError, match=message) as caught:
        build()
    assert CANARY not in str(caught.value)
    assert caught.value.hint


def test_json_files_that_fail(tmp_path):
    file = tmp_path / "tree.json"
    with pytest.raises(InputError, match="cannot be read"):
        Hierarchy.from_json(file)
    file.write_text(f'{{"X":\n ["{CANARY}"')
    with pytest.raises(InputError, match="line 2") as caught:
        Hierarchy.from_json(file)
    assert CANARY not in str(caught.value)
    file.write_text('{"X": ["a"], "X": ["b"]}')
    with pytest.raises(HierarchyError, match="1 key occurs twice"):
        Hierarchy.from_json(file)


def test_many_leaves_are_quick():
    paths = [(str(i), f"g{i // 10}", f"h{i // 500}", "*") for i in range(50_000)]
    tree = Hierarchy.from_paths(paths)
    assert tree.n_leaves == 50_000
    assert tree.leaf_counts[tree.node("h3")] == 500


def test_a_builder_hands_its_ends_to_the_tree_so_that_a_label_is_only_text():
    ends = {"teens": Interval(10, 20, open_end=True), "seventeen": Interval(17, 17)}
    tree = Hierarchy(["seventeen", "teens", "[0, 99]", "*"], [1, 3, 3, -1], ends)
    assert tree.labels == ("*", "teens", "seventeen", "[0, 99]")
    assert tree.intervals == (None, ends["teens"], ends["seventeen"], Interval(0, 99))
    assert pickle.loads(pickle.dumps(tree)).intervals == tree.intervals
    assert Hierarchy(tree.labels, tree.parent.tolist()) != tree


@pytest.mark.parametrize("builder", [Intervals(bins=3), Intervals(width=0.1), Auto(fan_out=2)])
def test_builders_of_numbers_need_no_labels_to_know_their_ends(builder, monkeypatch):
    column = pl.Series([0.1, 0.25, 1.0, 2.0, 3e20, 1e-9][: 4 if builder.name != "auto" else 6])
    read = tuple(map(parse_interval, builder.build(column).labels))
    with monkeypatch.context() as patch:
        patch.setattr("shoal.table.hierarchies.tree.parse_interval", lambda label: None)
        assert builder.build(column).intervals == read
    monkeypatch.setattr(f"shoal.table.hierarchies.builders.{builder.name}.interval_text", _worded)
    worded = builder.build(column)
    assert any(label.startswith("from") for label in worded.labels)
    assert worded.intervals == read


def _worded(lo, hi, open_end=False):
    return f"from {lo} to {hi}" if lo < hi else number_text(lo)
