import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from shoal.base.cells import parse_interval
from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies import Intervals
from tests.examples import examples


def chain(tree, leaf):
    node, labels = tree.node(leaf), []
    while node >= 0:
        labels.append(tree.labels[node])
        node = tree.parent[node]
    return labels


def test_width_starts_at_multiples():
    tree = Intervals(width=10).build(pl.Series(["17", "90", "42"]))
    assert tree.leaves == ("17", "42", "90")
    assert chain(tree, "17") == ["17", "[10, 20)", "[0, 20)", "[0, 40)", "[0, 80)", "[0, 160)", "*"]


def test_start_and_negative_numbers():
    tree = Intervals(width=5, start=18, levels=1).build(pl.Series([17, 18, 23]))
    assert [chain(tree, leaf)[1] for leaf in tree.leaves] == ["[13, 18)", "[18, 23)", "[23, 28)"]
    tree = Intervals(width=1).build(pl.Series([-2, 1]))
    assert chain(tree, "-2") == ["-2", "[-2, -1)", "[-2, 0)", "*"]
    assert chain(tree, "1") == ["1", "[1, 2)", "[0, 2)", "*"]


def test_decimal_widths_are_exact():
    tree = Intervals(width=0.1, levels=1).build(pl.Series([0.3, 0.29, 0.7]))
    assert chain(tree, "0.3")[1] == "[0.3, 0.4)"
    assert chain(tree, "0.29")[1] == "[0.2, 0.3)"
    assert chain(tree, "0.7")[1] == "[0.7, 0.8)"


def test_cuts_hold_their_last_end():
    build = Intervals(cuts=(0, 20, 40, 65, 100)).build
    tree = build(pl.Series(["0", "20", "64.5", "65", "100"]))
    assert chain(tree, "0") == ["0", "[0, 20)", "[0, 40)", "[0, 100]", "*"]
    assert chain(tree, "20")[1] == "[20, 40)"
    assert chain(tree, "64.5")[1] == "[40, 65)"
    assert chain(tree, "100") == ["100", "[65, 100]", "[40, 100]", "[0, 100]", "*"]
    with pytest.raises(HierarchyError, match="2 of 3 values are outside"):
        build(pl.Series([-1, 5, 101]))


def test_ragged_joins_collapse():
    tree = Intervals(cuts=(0, 1, 2, 3)).build(pl.Series([0, 1, 2]))
    assert chain(tree, "2") == ["2", "[2, 3]", "[0, 3]", "*"]
    assert chain(tree, "0") == ["0", "[0, 1)", "[0, 2)", "[0, 3]", "*"]


def test_bins_have_round_ends():
    tree = Intervals(bins=5, levels=1).build(pl.Series(range(17, 91)))
    assert [tree.labels[i] for i in range(tree.n_nodes) if tree.depth[i] == 1] == [
        "[15, 30)",
        "[30, 45)",
        "[45, 60)",
        "[60, 75)",
        "[75, 90]",
    ]
    assert chain(Intervals(bins=3).build(pl.Series([7])), "7")[1] == "[7, 8)"


def test_levels_and_fan_out():
    tree = Intervals(width=1, fan_out=10, levels=2).build(pl.Series([3, 57, 999]))
    assert chain(tree, "57") == ["57", "[57, 58)", "[50, 60)", "*"]


def test_numbers_get_their_one_form():
    tree = Intervals(width=10).build(pl.Series(["70.0", "7e1", "70", None, "9007199254740993"]))
    assert tree.leaves == ("70", "9007199254740993")
    assert Intervals(width=10).build(pl.Series([None], dtype=pl.String)).labels == ("*",)


def test_texts_are_refused_by_count():
    with pytest.raises(HierarchyError, match="2 of 3 values are not numbers") as caught:
        Intervals(width=1).build(pl.Series(["1", "canary", "inf"]))
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "not none"),
        ({"width": 1, "bins": 2}, "width and bins"),
        ({"width": 0}, "width must be"),
        ({"width": "10"}, "width must be"),
        ({"width": float("nan")}, "width must be"),
        ({"bins": 0}, "bins must be"),
        ({"cuts": (1,)}, "cuts must be"),
        ({"cuts": (1, 1)}, "cuts must be"),
        ({"cuts": (1, 2), "start": 0}, "start must be"),
        ({"width": 1, "fan_out": 1}, "fan_out must be"),
        ({"width": 1, "levels": 0}, "levels must be"),
        ({"width": 1, "root": ""}, "root must be"),
    ],
)
def test_options_are_checked_at_use(options, message):
    builder = Intervals(**options)
    with pytest.raises(ParameterError, match=message):
        builder.build(pl.Series([1]))


numbers = st.one_of(st.integers(-1000, 1000), st.decimals(-50, 50, places=2).map(float))


@settings(max_examples=examples(80), deadline=None)
@given(
    st.lists(numbers, min_size=1, max_size=30),
    st.one_of(
        st.sampled_from([0.1, 0.25, 1, 7, 500]).map(lambda width: {"width": width}),
        st.integers(1, 9).map(lambda bins: {"bins": bins}),
        st.just({"cuts": (-1000, -3.5, 0, 10, 1000)}),
    ),
    st.integers(2, 4),
)
def test_every_node_holds_the_numbers_below_it(values, how, fan_out):
    tree = Intervals(**how, fan_out=fan_out).build(pl.Series([str(value) for value in values]))
    assert list(map(float, tree.leaves)) == sorted({float(value) for value in values})
    for node in range(1, tree.n_nodes):
        interval = parse_interval(tree.labels[node])
        for leaf in tree.leaves[tree.first_leaf[node] : tree.last_leaf[node] + 1]:
            value = float(leaf)
            assert interval.lo <= value <= interval.hi
            assert not (interval.open_end and value == interval.hi)
