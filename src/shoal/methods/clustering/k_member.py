"""k-member: greedy clustering by the least increase of information loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.errors import SchemaError
from shoal.kernels.clustering.greedy import FAR_FROM_LAST
from shoal.kernels.clustering.shapes import MOVES
from shoal.methods._closeness import Closeness
from shoal.methods._costs import heights
from shoal.methods.clustering._greedy import GreedyMethod
from shoal.table import NumericColumn, Table


@dataclass(frozen=True)
class KMember(GreedyMethod):
    """Grow classes of k records, each time by the record that adds the least loss.

    The baseline of Gong et al. (2013), and the ancestor of GAA-CP, which often loses less; choose
    it to compare. A class of n records loses n times the sum, over its attributes, of the width of
    its interval over the range, or the height of its node over the height of the tree.

    Parameters
    ----------
    numbers
        What numbers lose, and how they are published: ``"intervals"``, the least that hold a
        class, as in the paper of k-member; ``"tree"``, nodes of the column's hierarchy, as Gong
        et al. publish them. A numeric column without a hierarchy is then refused.
    picks
        How the record to begin with is chosen: ``"random"``, or ``"first"`` for the first row.
    seed
        Makes the random pick repeatable.

    Notes
    -----
    As in the paper, the first seed is the record farthest from the one picked, and each next
    seed is farthest from the last record that joined, not from its class; left-over records
    join, in row order, the class whose loss they increase least. A missing cell stands at the
    root and loses nothing itself; a class with one is published as ``*``. Gong et al. drop
    incomplete rows before (``missing="drop"``), and their Table 2 shows nodes of trees for numbers,
    too (``numbers="tree"``). Distances are compared as exact integers, ties go to the lowest row,
    or the earliest class.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "age": shoal.quasi(), "sex": shoal.quasi(),
    ...     "zip": shoal.quasi(kind="numeric"), "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema,
    ...     require=[shoal.KAnonymity(2)], method=shoal.KMember(picks="first"))
    >>> release.grouping.labels.tolist()
    [1, 1, 0, 1, 0]

    References
    ----------
    Byun, Kamra, Bertino, Li: Efficient k-anonymization using clustering techniques.
    DASFAA 2007.
    """

    numbers: Literal["intervals", "tree"] = "intervals"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "k-member"
    in_blocks: ClassVar[bool] = True

    def describe(self) -> str:
        by = ", numbers by their trees" if self.numbers == "tree" else ""
        return f"k-member: greedy clustering by least increase of loss{by}"

    def closeness(self, table: Table, *, rng: np.random.Generator) -> Closeness:
        """Go by the added loss; the next seed is farthest from the last record that joined."""
        if self.numbers == "tree":
            _require_hierarchies(table)
        columns = table.trees if self.numbers == "tree" else table.quasi
        first = 0 if self.picks == "first" else int(rng.integers(table.n_rows))
        return Closeness(columns, MOVES, heights, FAR_FROM_LAST, first)


def _require_hierarchies(table: Table) -> None:
    """Refuse numbers without a tree: nobody has said which intervals to publish."""
    for column in table.quasi:
        if isinstance(column, NumericColumn) and column.hierarchy is None:
            raise SchemaError(
                f"Column '{column.name}' is numeric and has no hierarchy, which the method "
                "'k-member' needs with numbers = \"tree\".",
                'Give it one, such as intervals of a width, or use numbers = "intervals".',
            )
