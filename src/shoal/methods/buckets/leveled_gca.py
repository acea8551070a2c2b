"""(αᵢ, k)-GCA: classes that mix levels of sensitivity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.grouping import Grouping
from shoal.kernels.buckets.classes import BY_LEVEL
from shoal.methods.base import Progress
from shoal.methods.buckets._gca import BucketMethod
from shoal.methods.buckets._terms import terms_of
from shoal.models import Requirement
from shoal.table import Table

__all__ = ["LeveledGCA"]


@dataclass(frozen=True)
class LeveledGCA(BucketMethod):
    """Take a most sensitive record, then one of each other level, until the class is valid.

    Made for `LeveledAlphaK`: a class mixes grave and harmless values, so that nobody learns
    much from it. It looks at sensitive values only, so its classes are wide; publish them as
    two tables, or let ``within="nearest"`` choose among records of a value. Where values have
    no levels, take `GCA`.

    Parameters
    ----------
    within
        Which record of a bucket joins: the first in ``"order"``, or the one ``"nearest"`` to
        the class by GAA-CP's distance.
    stop
        When no further class is begun: ``"exhausted"``, when none can be completed, or as the
        ``"paper"`` prints (line 4), also when fewer than k values have records left. The second
        leaves more records over, which make the classes there are larger, or are suppressed.
    picks
        The order of records: ``"first"`` as in the table, ``"random"`` shuffled.
    seed
        Makes a shuffle repeatable.

    Notes
    -----
    Readings of the paper: buckets hold the records of one value. The first record comes from
    the most sensitive level, its largest bucket; then one from each other level, the least
    sensitive first, its largest bucket, until the class is valid, in as many passes as it
    takes. Ties go to the bucket with the earliest remaining record. A class that cannot be
    completed ends the growth; with ``stop="paper"``, so do fewer than k values with records
    left, as line 4 prints. A left-over record joins a class that stays valid: one without
    its level if there is one, then the one whose most sensitive level is farthest from the
    record's, then the smallest, then the earliest. What no class takes is suppressed. Where
    the schema names an entity column, k and shares count people.

    Examples
    --------
    >>> import shoal
    >>> levels = {"HIV": 1, "Cancer": 1, "Heart Disease": 3, "Flu": 4, "Viral Infection": 4,
    ...           "Fever": 5}
    >>> schema = shoal.Schema({
    ...     "no": shoal.identifier(), "name": shoal.identifier(), "job": shoal.quasi(),
    ...     "age": shoal.quasi(), "sex": shoal.quasi(), "zipcode": shoal.quasi(),
    ...     "disease": shoal.sensitive(levels=levels)})
    >>> need = shoal.LeveledAlphaK(None, ["1/3", 0.35, 0.4, 0.45, 0.5], 3)
    >>> release = shoal.anonymize(shoal.datasets.patients(3), schema, require=[need],
    ...                           method=shoal.LeveledGCA())
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 2, 1, 3, 0, 1, 2, 2, 3, 3]

    References
    ----------
    (αᵢ, k)-anonymity by graded sensitivity, section 4.2.
    """

    name: ClassVar[str] = "leveled-gca"

    def describe(self) -> str:
        """Say in words how groups are found."""
        found = f"(αᵢ, k)-GCA: one record of each level, the {self.which} of its largest bucket"
        return self.until(found)

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Grow classes level by level, then place the left-over records."""
        terms = terms_of(table, require, leveled=True, method=self.name)
        return self.grow(table, terms, BY_LEVEL, rng, progress)
