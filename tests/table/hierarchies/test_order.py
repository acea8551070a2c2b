import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies import Order
from tests.examples import examples


def test_natural_order_and_labels():
    tree = Order(fan_out=2).build(pl.Series(["10", "9", "1", "2", "3", None]))
    assert tree.show().splitlines() == [
        "* (5)",
        "├── 1..9 (4)",
        "│   ├── 1..2 (2)",
        "│   │   ├── 1",
        "│   │   └── 2",
        "│   └── 3..9 (2)",
        "│       ├── 3",
        "│       └── 9",
        "└── 10",
    ]


def test_few_values_need_no_groups():
    assert Order().build(pl.Series(["b", "a"])).labels == ("*", "a", "b")
    assert Order().build(pl.Series([None], dtype=pl.String)).labels == ("*",)


def test_given_order_decides_the_leaves():
    tree = Order(fan_out=2, order=("low", "mid", "high")).build(pl.Series(["high", "low"]))
    assert tree.leaves == ("low", "mid", "high")
    with pytest.raises(HierarchyError, match="misses 1 of 2 values") as caught:
        Order(order=("low",)).build(pl.Series(["low", "canary"]))
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [{"fan_out": 1}, {"order": ("canary", "canary")}, {"order": "canary"}, {"order": (1,)}],
)
def test_options_are_checked_at_use(options):
    builder = Order(**options)
    with pytest.raises(ParameterError, match=next(iter(options))) as caught:
        builder.build(pl.Series(["a"]))
    assert "canary" not in str(caught.value) + repr(builder)


def test_labels_that_meet_are_refused():
    with pytest.raises(HierarchyError, match="1 label stands in more than one place"):
        Order(fan_out=2, order=("a", "b", "a..b")).build(pl.Series(["a"]))


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(1, 70), st.integers(2, 5))
def test_leaves_stay_in_order_and_nodes_stay_small(n, fan_out):
    tree = Order(fan_out=fan_out).build(pl.Series(range(n)))
    assert tree.leaves == tuple(map(str, range(n)))
    children = [tree.parent.tolist().count(node) for node in range(tree.n_nodes)]
    assert max(children) <= fan_out
    assert all(count != 1 for count in children[1:])
