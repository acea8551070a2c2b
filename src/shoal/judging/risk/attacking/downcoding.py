"""The downcoding attack: cells that are no wider than they must be say what made them so wide."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Ints
from shoal.errors import ParameterError
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import SEED, redrawn
from shoal.judging.risk.sight import Sight, sight
from shoal.measures import Pair
from shoal.publications.recoding import CategoryCells, Cells, NumberCells
from shoal.table import NumericColumn, QuasiColumn
from shoal.table.schema import SchemaLike


def _generalized(seen: Sight) -> bool:
    """Say whether cells are nodes, ranges or sets, which cover what their rows hold."""
    recoded = seen.pair.recoded
    return recoded.centres is None and not recoded.exact


@attack(fits=lambda seen, _: _generalized(seen), needs=("original",), of_column=False)
def downcoding(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    seed: int = SEED,
) -> Attack:
    """Count the generalized cells of which it is known that a finer one stood there.

    A class is generalized just as far as its rows need. So a range from the least to the
    largest number says that both are there; a node with two children says that both children
    are; a set of values says that all are. The adversary writes these finer cells into the class:
    not in whose row they belong, but in one of them. Claims are counted where they are true.
    The result is private.

    Parameters
    ----------
    published, schema, original, rows
        As in `sight`.
    column
        Nothing: it is about all quasi-identifiers.
    seed
        Draws the control.

    Returns
    -------
    Attack
        Its unit is the cell: ``people`` are cells that are known finer, of ``total`` that were
        generalized. Its control makes the same claims about values that are drawn at random
        from those that each cell covers. Details: ``claimed``, how many cells are claimed, true
        or not; ``by_column``, the share per column.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [20, 25, 29], "sex": ["f", "m", "m"]})
    >>> published = pl.DataFrame({"age": ["[20, 29]"] * 3, "sex": ["*"] * 3})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "sex": shoal.quasi()})
    >>> attack = shoal.risk.downcoding(published, schema, original=original)
    >>> attack.people, attack.total, attack.unit  # 20, 29, f and m are there
    (4, 6, 'cells')

    References
    ----------
    A. Cohen: Attacks on deidentification's defenses, USENIX Security 2022.
    """
    seen = sight(published, schema, original=original, rows=rows)
    if not _generalized(seen):
        raise ParameterError(
            "Cells are exact values or centres of their class, so there is nothing to refine.",
            "Downcoding works on generalized cells.",
        )
    names = [each.name for each in seen.pair.table.quasi]
    found = _counted(seen.pair, None)
    by_chance = _counted(seen.pair, np.random.default_rng(seed))
    known, claimed, wide = (int(each) for each in found.sum(axis=0))
    shares = [one / max(of, 1) for one, _, of in found.tolist()]
    details = {"claimed": claimed, "by_column": dict(zip(names, shares, strict=True))}
    meaning = "an attacker can tell which finer cells a generalized cell replaced"
    chance = int(by_chance[:, 0].sum())
    return Attack.counted("downcoding", None, known, chance, wide, meaning, details, unit="cells")


def _counted(pair: Pair, rng: np.random.Generator | None) -> Ints:
    """Count, per column, cells that are rightly claimed, claimed, and generalized."""
    made = []
    for column, cells in zip(pair.table.quasi, pair.recoded.columns, strict=True):
        codes = np.asarray(column.codes)[pair.recoded.rows].astype(np.int64)
        if rng is not None:
            codes = redrawn(column, cells, codes, rng)
        made.append(_of_column(column, cells, codes, pair.sensitive_classes))
    return np.array(made, dtype=np.int64).reshape(len(made), 3)


def _of_column(
    column: QuasiColumn, cells: Cells, codes: Ints, classes: Ints
) -> tuple[int, int, int]:
    """Count them in one column."""
    missing = bool((codes == column.size).any())
    if isinstance(cells, NumberCells):
        assert isinstance(column, NumericColumn), "numbers are published of numbers"
        wide = (cells.lo != cells.hi) | cells.open_end | cells.star
        values = np.append(column.values, 0)[codes]
        finer = (values == cells.lo[cells.index]) + 2 * (values == cells.hi[cells.index])
        finer[codes == column.size] = 0
        # A `*` says no ends, and ranges of a tree end where that says.
        tries = np.where(wide & ~cells.star & ~cells.open_end, 2, 0)
    else:
        wide, tries, finer = _categories(cells, codes, missing)
    mine = wide[cells.index]
    total = int(mine.sum())
    claims = np.zeros(int(classes.max(initial=-1)) + 1, dtype=np.int64)
    claims[classes] = tries[cells.index]
    size = np.bincount(classes, minlength=len(claims))
    claims[size < claims] = 0
    shown = mine & (finer > 0)
    width = int(finer.max(initial=0)) + 1
    there = np.unique(classes[shown] * width + finer[shown]) // width
    different = np.bincount(there, minlength=len(claims))
    return int(claims[different >= claims].sum()), int(claims.sum()), total


def _categories(cells: CategoryCells, codes: Ints, missing: bool) -> tuple[Bools, Ints, Ints]:
    """Say which cells are wide, how many finer cells each claims to show, and each row's."""
    tree = cells.hierarchy
    children = np.bincount(tree.parent[1:], minlength=tree.n_nodes)
    wide = cells.leaf_counts > 1
    tries = np.where(children[cells.nodes] == 2, 2, 0)
    # A `*` may also stand for a missing cell, where there are such.
    tries[((cells.nodes == 0) | cells.star) & missing] = 0
    depth = np.minimum(tree.depth[cells.nodes] + 1, tree.height)[cells.index]
    leaf = np.append(tree.leaf_nodes, 0)[codes]
    finer = tree.ancestors[leaf, depth].astype(np.int64)
    for cell, listed in enumerate(cells.sets or ()):
        if listed is not None:
            tries[cell] = len(listed)
            here = cells.index == cell
            finer[here] = tree.n_nodes + codes[here]
    tries[~wide] = 0
    return wide | cells.star, tries, finer
