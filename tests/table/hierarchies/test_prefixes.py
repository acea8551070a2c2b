import polars as pl
import pytest

from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies import Prefixes


def chain(tree, leaf):
    node, labels = tree.node(leaf), []
    while node >= 0:
        labels.append(tree.labels[node])
        node = tree.parent[node]
    return labels


def test_zip_code():
    tree = Prefixes().build(pl.Series(["23208", "10115", "23219", None, "23208"]))
    assert chain(tree, "23208") == ["23208", "2320*", "232**", "23***", "2****", "*"]
    assert tree.leaves == ("10115", "23208", "23219")
    assert tree.labels[tree.lca_of_codes(1, 2)] == "232**"


def test_keep_step_mask_and_root():
    values = pl.Series(["23208"])
    assert chain(Prefixes(keep=3).build(values), "23208") == ["23208", "2320*", "232**", "*"]
    assert chain(Prefixes(step=2).build(values), "23208") == ["23208", "232**", "2****", "*"]
    tree = Prefixes(mask="x", root="any", step=4).build(values)
    assert chain(tree, "23208") == ["23208", "2xxxx", "any"]


def test_codes_of_uneven_length_are_filled_up_on_the_right():
    tree = Prefixes().build(pl.Series(["I10", "I10.1", "I1", "J", ""]))
    assert chain(tree, "I10.1") == ["I10.1", "I10.*", "I10**", "I1***", "I****", "*"]
    assert chain(tree, "I10") == ["I10", "I10**", "I1***", "I****", "*"]
    assert chain(tree, "I1") == ["I1", "I1***", "I****", "*"]
    assert chain(tree, "J") == ["J", "J****", "*"]
    assert chain(tree, "") == ["", "*"]


def test_short_codes_and_empty_columns():
    assert chain(Prefixes().build(pl.Series(["7", "8"])), "7") == ["7", "*"]
    assert Prefixes().build(pl.Series([None], dtype=pl.String)).labels == ("*",)


def test_masks_in_values_are_refused():
    with pytest.raises(HierarchyError, match="1 label is used both"):
        Prefixes().build(pl.Series(["23208", "232**"]))


@pytest.mark.parametrize(
    "options", [{"mask": ""}, {"mask": "**"}, {"keep": 0}, {"step": 0}, {"step": True}, {"root": 1}]
)
def test_options_are_checked_at_use(options):
    builder = Prefixes(**options)
    with pytest.raises(ParameterError, match=next(iter(options))):
        builder.build(pl.Series(["1"]))
