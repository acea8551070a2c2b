"""GAA-CP: greedy clustering for mixed numeric and categorical quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.kernels.clustering.shapes import ADDED_LOSS, MEETING
from shoal.methods._closeness import Closeness
from shoal.methods.clustering._greedy import GreedyMethod
from shoal.table import Table


@dataclass(frozen=True)
class GAACP(GreedyMethod):
    """Grow classes of k records, each time by the record that is nearest to the class.

    A good first choice: it handles numbers and hierarchies together, suppresses nothing,
    and its classes hold k to 2k − 1 records. The nearest and the farthest record come from an
    index, so a million records take seconds.

    Parameters
    ----------
    distance
        ``"paper"``: Definition 6, the mean over attributes of how far record and class
        must be generalized to meet. ``"loss"``: the exact information loss that the record
        would add, which Proposition 2 promises and Definition 6 only approximates.
    picks
        How the first record is chosen: ``"random"``, or ``"first"`` for the first row.
    seed
        Makes the random pick repeatable.

    Notes
    -----
    Readings of the paper: the pending seed counts as a remaining record, so no row is
    lost; one record joins at a time, also among equals; the next seed is the record
    farthest from the class just closed; left-over records join, in row order, the nearest
    class, which is updated after each. Ties go to the lowest row, or the earliest class.
    Ranges are those of the table. Distances are compared as exact integers. A missing cell
    stands at the root: between a missing and a known cell the difference is ½, so that
    Proposition 1 stays exact; a class with a missing cell is published as ``*``.
    Where the schema names an entity column, a class grows until it holds k people.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "age": shoal.quasi(), "sex": shoal.quasi(),
    ...     "zip": shoal.quasi(kind="numeric"), "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)],
    ...                           method=shoal.GAACP(picks="first"))
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 0, 1]

    References
    ----------
    Jiang, Zeng, Ma: Greedy clustering-anonymity method for privacy preservation of table
    data-publishing. Journal of Software 28(2), 2017, 341–351.
    """

    distance: Literal["paper", "loss"] = "paper"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "gaa-cp"
    in_blocks: ClassVar[bool] = True

    def describe(self) -> str:
        by = "the distance of the paper" if self.distance == "paper" else "exact added loss"
        return f"GAA-CP: greedy clustering by {by}"

    def closeness(self, table: Table, *, rng: np.random.Generator) -> Closeness:
        """Go by the distance that was chosen; the next seed is farthest from the last class."""
        rule = ADDED_LOSS if self.distance == "loss" else MEETING
        first = 0 if self.picks == "first" else int(rng.integers(table.n_rows))
        return Closeness(table.quasi, rule, first=first)
