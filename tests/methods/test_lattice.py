"""The classes of a node are those of its rows, whichever node they were rolled up from."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import AlphaK, KAnonymity, LDiversity, MultiLDiversity, TCloseness
from shoal.methods.lattice import _lattice as module, _snapshots as snapshots
from shoal.methods.lattice._lattice import Lattice
from shoal.methods.lattice._losses import OBJECTIVES, mean_losses, score_of
from shoal.methods.lattice._method import lattice_of
from shoal.methods.lattice._optimum import Search
from shoal.methods.lattice._snapshots import Levels
from shoal.methods.lattice.full_domain import FullDomain
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.tables import random_tree, run_without_jit


def table_of(seed: int, *, people: bool = False) -> Table:
    """Draw a table with trees of uneven depth, holes and a sensitive column."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 60))
    columns: dict[str, shoal.Column] = {}
    data: dict[str, pl.Series] = {}
    for name in "abcd"[: int(rng.integers(1, 5))]:
        tree = Hierarchy.from_dict(random_tree(rng, name))
        words = [None if rng.random() < 0.1 else str(w) for w in rng.choice(tree.leaves, n)]
        words[0] = tree.leaves[0]
        columns[name] = shoal.quasi(hierarchy=tree)
        data[name] = pl.Series(words, dtype=pl.String)
    data["secret"] = pl.Series(rng.choice(list("uuuvw"), n).tolist())
    data["who"] = pl.Series(rng.integers(0, max(n // 2, 2), n))
    schema = shoal.Schema(
        {**columns, "secret": shoal.sensitive(), "who": shoal.identifier()},
        entity="who" if people else None,
    )
    return Table.encode(pl.DataFrame(data), schema)


def shown(table: Table, levels: Levels) -> list[tuple[object, ...]]:
    """What every row shows, by walking up its tree; a hole joins the root at the top only."""
    cells = []
    for column, level in zip(table.trees, levels, strict=True):
        tree = column.hierarchy
        mine: list[object] = []
        for code in column.codes.tolist():
            if code == column.size:
                mine.append(0 if level == tree.height else None)
                continue
            node = int(tree.leaf_nodes[code])
            way = [node]
            while way[-1] != 0:
                way.append(int(tree.parent[way[-1]]))
            way.reverse()
            mine.append(way[min(len(way) - 1, tree.height - level)])
        cells.append(mine)
    return list(zip(*cells, strict=True))


def plain(table: Table, require: list[Requirement], levels: Levels) -> tuple[int, int, list[int]]:
    """Suppressed rows, those of classes too small, and a class number per row, −1 if it fails."""
    classes: dict[tuple[object, ...], list[int]] = {}
    for row, cells in enumerate(shown(table, levels)):
        classes.setdefault(cells, []).append(row)
    labels = [-1] * table.n_rows
    small = 0
    for number, rows in enumerate(classes.values()):
        one = Grouping(np.where(np.isin(np.arange(table.n_rows), rows), 0, -1).astype(np.int32))
        groups = one.statistics(table.people, table.sensitive)
        if all(each.judge(groups).passed for each in require):
            for row in rows:
                labels[row] = number
        if len(rows) < max(each.least_size for each in require):
            small += len(rows)
    return labels.count(-1), small, labels


def compare(seed: int, *, people: bool) -> int:
    """Compare nodes in a random order; gives how many."""
    table = table_of(seed, people=people)
    rng = np.random.default_rng(seed)
    cases: list[list[Requirement]] = [
        [KAnonymity(3)],
        [AlphaK(0.6, 2)],
        [KAnonymity(2), MultiLDiversity({"secret": 2})],
    ]
    require = cases[seed % 3]
    lattice = lattice_of(table, require, "loss")
    nodes = list(product(*(range(height + 1) for height in lattice.heights)))
    for at in rng.permutation(len(nodes))[:12]:
        gone, small, labels = plain(table, require, nodes[at])
        node = lattice.node_at(nodes[at])
        assert node.suppressed == gone
        assert small <= node.lasting <= gone
        found = lattice.grouping(nodes[at]).labels.tolist()
        # The same classes, whatever their numbers.
        assert len(set(zip(found, labels, strict=True))) == len(set(found)) == len(set(labels))
        assert (np.array(found) < 0).tolist() == [label < 0 for label in labels]
    return min(len(nodes), 12)


@pytest.mark.parametrize("people", [False, True])
@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6))
def test_a_node_has_the_classes_of_its_rows(people: bool, seed: int) -> None:
    compare(seed, people=people)


@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("by_cells", [False, True])
def test_neither_halves_nor_stops_nor_forgetting_nor_long_keys_change_classes(
    people: bool, by_cells: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HALVED", 2)
    monkeypatch.setattr(module, "KEYS_BELOW", 2**62 if by_cells else 30)
    monkeypatch.setattr(module, "CLASSES_AT_ONCE", 1)
    monkeypatch.setattr(snapshots, "REMEMBERED_BYTES", 2000)
    for seed in range(40):
        compare(seed, people=people)


def test_classes_without_the_compiler() -> None:
    script = """
import numba
from shoal.kernels.lattice.roll_up import roll
from tests.methods.test_lattice import compare, compare_optimum
assert numba.config.DISABLE_JIT and not hasattr(roll, "signatures")
print(sum(compare(seed, people=seed % 2 == 1) > 0 for seed in range(20)))
for seed in range(10):
    compare_optimum(seed, "loss", 0.2)
"""
    assert run_without_jit(script) == "20"


def compare_optimum(seed: int, objective: str, share: float) -> None:
    """Compare the best node with that of all nodes."""
    lattice, search = searched(seed, objective, share)
    found = search.run()
    key = score_of(lattice, objective)
    every = product(*(range(height + 1) for height in lattice.heights))
    fitting = [key(node) for node in every if lattice.node_at(node).suppressed <= search.most]
    if not fitting:
        assert found.node is None
        return
    assert found.node is not None
    assert (found.score, found.node.levels) == (pytest.approx(min(fitting)[0]), min(fitting)[1])


@pytest.mark.parametrize("objective", ["loss", "loss-geometric"])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_best_node_is_that_of_all(objective: str, share: float) -> None:
    """Also where it suppresses nearly as many rows as its score allows."""
    for seed in range(30):
        compare_optimum(seed, objective, share)


def searched(seed: int, objective: str, share: float) -> tuple[Lattice, Search]:
    """Count nodes of a lattice, so that they say something about others."""
    table = table_of(seed, people=seed % 2 == 1)
    cases: list[list[Requirement]] = [[KAnonymity(3)], [AlphaK(0.6, 3)]]
    require = cases[seed % 2]
    method = FullDomain(objective, suppression_limit=share)
    lattice = lattice_of(table, require, objective)
    how = OBJECTIVES[objective]
    weights = np.full(len(lattice.heights), 1 / len(lattice.heights))
    losses = mean_losses(table, how)
    monotone = method.monotone(table, require)
    search = Search(lattice, how, losses, weights, method.most(table), monotone)
    return lattice, search


@pytest.mark.parametrize("objective", ["loss", "loss-geometric", "non-uniform-entropy"])
@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_what_nodes_say_of_those_below_is_true_and_not_idle(objective: str, share: float) -> None:
    """No node scores below its bound; and some bounds are nearly the score."""
    near = 0.0
    for seed in range(16):
        lattice, search = searched(seed, objective, share)
        key = score_of(lattice, objective)
        for node in product(*(range(height + 1) for height in lattice.heights)):
            search.count(node)
        for node in product(*(range(height + 1) for height in lattice.heights)):
            extra = search.known.least_extra(node)
            if lattice.node_at(node).suppressed > search.most:
                continue  # what does not fit may have any bound
            score = key(node)[0]
            if np.isinf(extra):  # it must lose more rows than the best node's score allows
                assert score > search.score
                continue
            assert search.plain(node) + extra <= score + 1e-9
            if extra and score:
                near = max(near, (search.plain(node) + extra) / score)
    assert near > 0.9


@pytest.mark.parametrize("objective", ["discernibility", "average-class-size"])
def test_what_nodes_say_of_those_above_is_true(objective: str) -> None:
    for seed in range(16):
        lattice, search = searched(seed, objective, 0.3)
        key = score_of(lattice, objective)
        every = list(product(*(range(height + 1) for height in lattice.heights)))
        for node in every:
            search.count(node)
        for one, other in product(every[:30], every):
            above = all(x <= y for x, y in zip(one, other, strict=True))
            if above and lattice.node_at(other).suppressed <= search.most:
                assert search.seen[one][1] <= key(other)[0] + 1e-9


SEVERAL: list[list[Requirement]] = [
    [KAnonymity(3)],
    [KAnonymity(2), AlphaK("2/3", 2)],
    [KAnonymity(2), LDiversity(2)],
    [LDiversity("3/2", "entropy"), KAnonymity(3)],
    [KAnonymity(2), LDiversity(2, "recursive", c=2), LDiversity(2, "entropy")],
    [KAnonymity(2), TCloseness("1/4")],
    [LDiversity(2, "recursive", c="3/2"), TCloseness("2/5")],
    [TCloseness("1/3"), TCloseness("2/5")],
    [MultiLDiversity({"secret": 2}), TCloseness("1/3"), AlphaK("4/5", 2)],
]


def brute_force(
    table: Table, require: list[Requirement], levels: Levels
) -> tuple[int, list[list[int]]]:
    """Suppressed rows, and the rows of each class, judged by the requirements themselves."""
    classes: dict[tuple[object, ...], list[int]] = {}
    for row, cells in enumerate(shown(table, levels)):
        classes.setdefault(cells, []).append(row)
    left = list(classes.values())
    alone = [each for each in require if not each.relative]
    beside = [each for each in require if each.relative]
    for some in (alone, *[beside] * (len(left) if beside else 0)):
        labels = np.full(table.n_rows, -1, dtype=np.int32)
        for number, rows in enumerate(left):
            labels[rows] = number
        groups = Grouping(labels).statistics(table.people, table.sensitive)
        verdicts = [each.judge(groups).holds for each in some]
        left = [rows for at, rows in enumerate(left) if all(holds[at] for holds in verdicts)]
        if not left:
            break
    return table.n_rows - sum(map(len, left)), list(classes.values())


@pytest.mark.parametrize("people", [False, True])
@settings(max_examples=examples(40), deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(SEVERAL),
    st.sampled_from(["loss", "loss-geometric", "non-uniform-entropy", "discernibility", "height"]),
    st.sampled_from([0.0, 0.05, 0.2, 0.5, 1.0]),
)
def test_the_best_node_is_that_of_all_with_several_requirements(
    people: bool, seed: int, require: list[Requirement], objective: str, share: float
) -> None:
    """Levels and ties, too; and no node loses fewer rows than one above it says it must."""
    table = table_of(seed, people=people)
    method = FullDomain(objective, suppression_limit=share)
    every = lattice_of(table, require, objective)
    most, key = method.most(table), score_of(every, objective)
    nodes = list(product(*(range(height + 1) for height in every.heights)))
    gone = {node: brute_force(table, require, node)[0] for node in nodes}
    assert all(every.node_at(node).suppressed == gone[node] for node in nodes)
    fitting = [key(node) for node in nodes if gone[node] <= most]
    _, found = method.search(table, require)
    if not fitting:
        assert found.node is None
        return
    assert found.node is not None
    assert (found.score, found.node.levels) == (pytest.approx(min(fitting)[0]), min(fitting)[1])
    for above in nodes[:: max(len(nodes) // 8, 1)]:
        lasting = every.node_at(above, most).lasting
        for node in nodes:
            if all(x <= y for x, y in zip(node, above, strict=True)):
                assert min(lasting, most + 1) <= max(gone[node], 0) or gone[node] > most
