import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies import Auto
from tests.examples import examples


def test_parts_follow_frequencies():
    values = pl.Series(["a"] * 6 + list("bcdefg") + [None])
    assert Auto(fan_out=2, max_height=2).build(values).show().splitlines() == [
        "* (7)",
        "├── a",
        "└── b..g (6)",
        "    ├── b",
        "    ├── c",
        "    ├── d",
        "    ├── e",
        "    ├── f",
        "    └── g",
    ]


def test_given_counts_replace_frequencies():
    counts = {"a": 1, "b": 1, "c": 1, "d": 3}
    tree = Auto(fan_out=2, counts=counts).build(pl.Series(["a"]))
    assert tree.to_dict() == {"*": {"a..c": {"a": [], "b..c": ["b", "c"]}, "d": []}}
    assert Auto(fan_out=2, counts=dict.fromkeys("abcd", 0)).build(pl.Series(["a"])).to_dict() == {
        "*": {"a..b": ["a", "b"], "c..d": ["c", "d"]}
    }
    with pytest.raises(HierarchyError, match="misses 1 of 1"):
        Auto(counts=counts).build(pl.Series(["x"]))


def test_labels_of_numbers_and_of_codes():
    assert "[10, 100]" in Auto(fan_out=2).build(pl.Series([1, 10, 100])).labels
    codes = Auto(fan_out=2).build(pl.Series(["001", "010", "100"]))
    assert codes.leaves == ("001", "010", "100")
    assert "010..100" in codes.labels
    assert Auto().build(pl.Series([None], dtype=pl.String)).labels == ("*",)


@pytest.mark.parametrize(
    "options",
    [{"fan_out": 1}, {"max_height": 0}, {"counts": {"canary": -1}}, {"counts": {"canary": "x"}}],
)
def test_options_are_checked_at_use(options):
    builder = Auto(**options)
    with pytest.raises(ParameterError, match=next(iter(options))) as caught:
        builder.build(pl.Series(["a"]))
    assert "canary" not in str(caught.value) + repr(builder)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=1), st.integers(2, 5), st.integers(1, 5))
def test_shape_and_determinism(values, fan_out, max_height):
    builder = Auto(fan_out=fan_out, max_height=max_height)
    tree = builder.build(pl.Series(values))
    assert tree.leaves == tuple(map(str, sorted(set(values))))
    assert tree.height <= max_height
    assert tree == builder.build(pl.Series(values[::-1]))
    parents = tree.parent.tolist()
    for node in range(tree.n_nodes):
        children = parents.count(node)
        assert children != 1 or node == 0
        assert children <= fan_out or tree.depth[node] == max_height - 1
