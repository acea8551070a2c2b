"""Builders by name, the files they read, and what all of them promise."""

import json
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies import (
    BUILDERS,
    Auto,
    CsvFile,
    Dates,
    Flat,
    Hierarchy,
    Intervals,
    Order,
    Prefixes,
    Tree,
    from_spec,
)

EXAMPLES = [
    CsvFile("sex.csv"),
    CsvFile("sex.csv", separator="\t", encoding="latin-1"),
    Tree({"X": ["a", "b"], "c": []}),
    Tree({"X": ["a"]}, root=None),
    Tree(path="tree.json", root="any"),
    Intervals(width=0.5, start=1, levels=3),
    Intervals(cuts=(0, 20, 40.5)),
    Intervals(bins=7, fan_out=3),
    Prefixes(mask="x", keep=2, step=2, root="all"),
    Dates(levels=("month", "year")),
    Order(fan_out=3, order=("low", "high")),
    Auto(fan_out=3, max_height=2, counts={"a": 3}),
    Flat(),
    Flat(root="any"),
]


def test_registry_knows_every_builder():
    names = {"auto", "csv", "dates", "flat", "intervals", "order", "prefixes", "tree"}
    assert names <= set(BUILDERS)
    assert {type(example) for example in EXAMPLES} == {BUILDERS[name] for name in names}
    assert all(builder.name == name for name, builder in BUILDERS.items())


@pytest.mark.parametrize("builder", EXAMPLES, ids=repr)
def test_specs_come_back(builder):
    spec = builder.to_spec()
    assert from_spec(json.loads(json.dumps(spec)), folder=Path()) == builder
    assert None not in spec.values()


def test_defaults_are_left_out():
    assert Flat().to_spec() == {"builder": "flat"}
    assert Prefixes(step=2).to_spec() == {"builder": "prefixes", "step": 2}
    assert Intervals(width=10).to_spec() == {"builder": "intervals", "width": 10}


def test_files_lie_beside_the_plan(tmp_path):
    Hierarchy.flat(["a", "b"]).to_csv(tmp_path / "tree.csv")
    (tmp_path / "tree.json").write_text('{"X": ["a", "b"]}')
    values = pl.Series(["a"])
    from_csv = from_spec("tree.csv", folder=tmp_path)
    assert from_csv == CsvFile("tree.csv", folder=tmp_path)
    assert from_csv.build(values).labels == ("*", "a", "b")
    assert from_csv.to_spec() == {"builder": "csv", "path": "tree.csv"}
    from_json = from_spec("tree.json", folder=tmp_path)
    assert from_json.build(values).labels == ("*", "X", "a", "b")
    again = from_spec({"builder": "tree", "path": "tree.json", "root": ""}, folder=tmp_path)
    assert again.build(values).labels == ("X", "a", "b")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tree.xlsx", "'.xlsx'"),
        (3, "not an int"),
        ({}, "must be named by"),
        ({"builder": "interval"}, "Did you mean 'intervals'"),
        ({"builder": "intervals", "widht": 3}, "'widht'.*Did you mean 'width'"),
        ({"builder": "csv"}, "needs the option 'path'"),
        ({"builder": "csv", "path": "a.csv", "folder": "/"}, "no option 'folder'"),
    ],
)
def test_specs_that_fail(spec, message):
    with pytest.raises(ParameterError, match=message):
        from_spec(spec, folder=Path())


@pytest.mark.parametrize("options", [{}, {"tree": {"X": ["a"]}, "path": "x.json"}])
def test_tree_needs_one_source(options):
    with pytest.raises(ParameterError, match="tree or path"):
        Tree(**options).build(pl.Series(["a"]))


def test_flat_is_in_natural_order():
    assert Flat().build(pl.Series(["10", "9", None, "9"])).labels == ("*", "9", "10")


@pytest.mark.parametrize("builder", [Auto(), Flat(), Order(), Prefixes()], ids=repr)
def test_a_value_named_like_the_root_is_refused(builder):
    with pytest.raises(HierarchyError, match="1 label") as caught:
        builder.build(pl.Series(["*", "abc", "abd"]))
    assert "abc" not in str(caught.value)


@pytest.mark.parametrize(
    "builder", [Auto(), Flat(), Order(), Prefixes(), Dates(), Intervals(width=3)], ids=repr
)
def test_what_every_builder_promises(builder):
    values = pl.Series(["2024", "1999", None, "2024", "2001"])
    before = values.clone()
    tree = builder.build(values)
    assert set(tree.leaves) == {"2024", "1999", "2001"}
    assert tree.labels[0] == "*"
    assert tree == builder.build(values.reverse())
    assert values.equals(before)
    assert builder.build(values.clear()).labels == ("*",)
