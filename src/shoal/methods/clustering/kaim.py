"""KAIM: k-anonymity for tables with missing values, by entropy distance."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, log
from typing import ClassVar, Literal

import numpy as np

from shoal.base.arrays import Floats, Ints
from shoal.kernels.clustering.greedy import IN_ORDER
from shoal.kernels.clustering.shapes import MOVES
from shoal.methods._closeness import Closeness
from shoal.methods._costs import Costs, differences, paths_up
from shoal.methods._scaling import GRID
from shoal.methods.clustering._greedy import GreedyMethod
from shoal.table import CategoricalColumn, Table


@dataclass(frozen=True)
class KAIM(GreedyMethod):
    """Grow classes of k records by entropy distance, so that missing cells come together.

    Made for tables with missing cells: no record is dropped, and records that miss the same
    cells tend to share a class. All cells are generalized by their hierarchies, numbers by a
    tree of intervals, so published intervals come from a fixed list. Where nothing is missing
    and intervals may end anywhere, GAA-CP is often as good.

    Parameters
    ----------
    distance
        ``"entropy-change"``: by how much generalization raises the entropy of the cells, as a
        share of the attribute's. ``"equation-9"``: the ratio of entropies as the paper prints
        it, which charges a class for being general even if nothing changes.
    picks
        How seeds and left-over records are chosen: at ``"random"``, or always the ``"first"``
        remaining row.
    seed
        Makes random picks repeatable.

    Notes
    -----
    Readings of the paper: equation 8 lacks a minus sign; probabilities come from the known cells of
    the table. The abstract's change of entropy is the default, because equation 9 as printed
    charges a cell that does not move, against theorem 4. There are ⌊n/k⌋ classes of k records, then
    each left-over record joins the class of least distance, which is updated. A missing cell stands
    at the root: the class shows ``*``, the cell itself moves nowhere. Distances are rounded to a
    grid of 2⁻²⁰ and compared as integers; ties go to the lowest row, or the earliest class. A
    number without a hierarchy gets 16 equal intervals, joined in pairs. Where the schema names an
    entity column, a class grows until it holds k people.

    Examples
    --------
    >>> import shoal
    >>> ages = shoal.hierarchies.Intervals(cuts=[20, 30, 40, 50])
    >>> schema = shoal.Schema({
    ...     "id": shoal.identifier(), "age": shoal.quasi(kind="numeric", hierarchy=ages),
    ...     "gender": shoal.quasi(), "zipcode": shoal.other(), "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(shoal.datasets.patients(2), schema,
    ...     require=[shoal.KAnonymity(2)], method=shoal.KAIM(picks="first"))
    >>> release.table["age"].to_list()[:6]
    ['*', '*', '*', '[20, 40)', '[20, 40)', '[30, 40)']

    References
    ----------
    Gong, Yang, Luo: Data anonymization approach for incomplete microdata. Journal of Software
    24(12), 2013, 2883–2896.
    """

    distance: Literal["entropy-change", "equation-9"] = "entropy-change"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "kaim"
    numbers = "tree"

    def describe(self) -> str:
        by = "change of entropy" if self.distance == "entropy-change" else "equation 9"
        return f"KAIM: greedy clustering of incomplete records by {by}"

    def closeness(self, table: Table, *, rng: np.random.Generator) -> Closeness:
        """Go by the entropy distance; seeds come in a random order, or that of the rows."""
        return Closeness(
            table.trees,
            MOVES,
            entropy_change if self.distance == "entropy-change" else equation_9,
            seeding=IN_ORDER,
            order=self.row_order(table.n_rows, rng),
        )


def entropy_change(column: CategoricalColumn) -> Costs:
    """Growth of entropy, as a share of the root's: what the paper's abstract says.

    An inner node is worth Info(v) = −Σ p log p over the leaves under it, a leaf 0; p is the share
    of a value among the known cells. Both distances are rounded to a grid of 2⁻²⁰, so that equal
    costs are equal everywhere.
    """
    info = _info(column, _surprise(column))
    return differences(column.hierarchy, _rounded(info, info[:1]), GRID)


def equation_9(column: CategoricalColumn) -> Costs:
    """Entropy after over entropy before, as printed; a leaf's own is −p log p.

    A node that does not move has a rate of 1 (a leaf 0), so a class pays for being general.
    """
    tree = column.hierarchy
    surprise = _surprise(column)
    info = _info(column, surprise)
    before = info.copy()
    before[tree.leaf_nodes] = surprise
    node, above = paths_up(tree)
    return Costs.over(_rounded(info[above], before[node]), GRID)


def _surprise(column: CategoricalColumn) -> list[float]:
    """−p log p of every leaf; missing cells are not counted."""
    counts = column.counts[:-1].tolist()
    known = sum(counts)
    return [-(count / known) * log(count / known) if count else 0.0 for count in counts]


def _info(column: CategoricalColumn, surprise: list[float]) -> Floats:
    """Sum the leaves under each node; a leaf itself is certain."""
    tree = column.hierarchy
    ends = zip(tree.first_leaf.tolist(), tree.last_leaf.tolist(), strict=True)
    info = np.array([fsum(surprise[first : last + 1]) for first, last in ends])
    info[tree.leaf_nodes] = 0.0
    return info


def _rounded(value: Floats, whole: Floats) -> Ints:
    """Divide and round to steps of the grid; 0/0 is 0."""
    share = np.divide(value, whole, out=np.zeros_like(value), where=whole != 0)
    return np.asarray(np.rint(share * GRID), dtype=np.int64)
