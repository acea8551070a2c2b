"""The arrays of a hierarchy against a slow twin that only walks parents."""

import pickle

import numpy as np
import polars as pl
from hypothesis import given, settings, strategies as st

from shoal.table.hierarchies import Hierarchy
from tests.examples import examples


@st.composite
def trees(draw):
    """Random recursive trees: node i hangs below an earlier node, in shuffled order."""
    n = draw(st.integers(1, 25))
    parents = [-1] + [
        draw(st.integers(max(0, i - draw(st.integers(1, 25))), i - 1)) for i in range(1, n)
    ]
    order = draw(st.permutations(range(n)))
    place = {node: i for i, node in enumerate(order)}
    labels = [f"n{node}" for node in order]
    moved = [-1 if parents[node] < 0 else place[parents[node]] for node in order]
    return Hierarchy(labels, moved), {
        f"n{node}": None if parents[node] < 0 else f"n{parents[node]}" for node in range(n)
    }


class Twin:
    def __init__(self, parent_of):
        self.parent_of = parent_of

    def climb(self, label):
        chain = []
        while label is not None:
            chain.append(label)
            label = self.parent_of[label]
        return chain

    def is_leaf(self, label):
        return label not in self.parent_of.values()

    def leaves_below(self, label):
        return {x for x in self.parent_of if self.is_leaf(x) and label in self.climb(x)}

    def lca(self, labels):
        chains = [self.climb(label) for label in labels]
        return next(x for x in chains[0] if all(x in chain for chain in chains))


@settings(max_examples=examples(60), deadline=None)
@given(trees())
def test_arrays_equal_the_slow_twin(pair):
    tree, parent_of = pair
    twin = Twin(parent_of)
    assert sorted(tree.labels) == sorted(parent_of)
    assert set(tree.leaves) == {x for x in parent_of if twin.is_leaf(x)}
    for node, label in enumerate(tree.labels):
        chain = twin.climb(label)[::-1]
        above = tree.parent[node]
        assert (None if above < 0 else tree.labels[above]) == parent_of[label]
        assert tree.depth[node] == len(chain) - 1
        full = chain + [label] * (tree.height + 1 - len(chain))
        assert [tree.labels[i] for i in tree.ancestors[node]] == full
        below = set(tree.leaves[tree.first_leaf[node] : tree.last_leaf[node] + 1])
        assert below == twin.leaves_below(label)
        assert tree.leaf_counts[node] == len(below)
        assert above < node
    assert tree.height == tree.depth.max()


@settings(max_examples=examples(60), deadline=None)
@given(trees())
def test_common_ancestors_equal_the_slow_twin(pair):
    tree, parent_of = pair
    twin = Twin(parent_of)
    a, b = (x.ravel() for x in np.meshgrid(np.arange(tree.n_nodes), np.arange(tree.n_nodes)))
    for i, j, found in zip(a, b, tree.lca(a, b), strict=True):
        assert tree.labels[found] == twin.lca([tree.labels[i], tree.labels[j]])
    lo, hi = np.triu_indices(tree.n_leaves)
    for i, j, found in zip(lo, hi, tree.lca_of_codes(lo, hi), strict=True):
        assert tree.labels[found] == twin.lca(tree.leaves[i : j + 1])
    for node in range(tree.n_nodes):
        covered = tree.covers_code(node, np.arange(tree.n_leaves))
        assert {x for x, yes in zip(tree.leaves, covered, strict=True) if yes} == (
            twin.leaves_below(tree.labels[node])
        )


@settings(max_examples=examples(40), deadline=None)
@given(trees(), st.data())
def test_codes_and_copies(pair, data):
    tree, parent_of = pair
    values = data.draw(st.lists(st.sampled_from([*tree.leaves, None])))
    codes = tree.codes(pl.Series(values, dtype=pl.String))
    assert [None if code < 0 else tree.leaves[code] for code in codes] == values
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert Hierarchy.from_dict(tree.to_dict(), root=None) == tree
    # A mapping says its order by mention, so only the shape must agree.
    again = Hierarchy.from_parents(parent_of)
    assert dict(zip(again.labels, again.depth.tolist(), strict=True)) == dict(
        zip(tree.labels, tree.depth.tolist(), strict=True)
    )


labels = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=6)


@settings(max_examples=examples(80), deadline=None)
@given(
    st.lists(labels, min_size=2, max_size=12, unique=True),
    st.integers(1, 4),
    st.sampled_from([";", ",", "\t", "|", ":", "x", " "]),
)
def test_csv_round_trip(tmp_path_factory, names, fan_out, separator):
    parents = [-1] + [(i - 1) // fan_out for i in range(1, len(names))]
    tree = Hierarchy(names, parents)
    file = tmp_path_factory.mktemp("csv") / "tree.csv"
    tree.to_csv(file, separator)
    assert Hierarchy.from_csv(file, separator=separator) == tree


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(labels, min_size=2, max_size=8, unique=True))
def test_level_labels_climb_parents(names):
    tree = Hierarchy(names, [-1, *range(len(names) // 2), *[0] * len(names)][: len(names)])
    for level in range(tree.height + 2):
        for code, label in enumerate(tree.level_labels(level)):
            node = tree.leaf_nodes[code]
            for _ in range(level):
                node = max(tree.parent[node], 0)
            assert tree.labels[node] == label
