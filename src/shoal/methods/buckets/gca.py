"""(α, k)-GCA: classes from the largest buckets of sensitive values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.kernels.buckets.classes import BY_SIZE
from shoal.methods.buckets._gca import BucketMethod


@dataclass(frozen=True)
class GCA(BucketMethod):
    """Take one record of each sensitive value, the most frequent first, until the class is valid.

    Made for `AlphaK`: classes mix values, the frequent ones first, so that few records are left
    over. It considers only sensitive values, so its classes are wide; publish them as two tables,
    or let ``within="nearest"`` choose among records of a value. Where some values are worse to
    reveal than others, take `LeveledGCA`.

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
    spend
        How records are spent on classes: ``"greedy"``, class by class as the paper does, or
        ``"even"``, ours: all records, sorted by value, are dealt like cards.

    Notes
    -----
    Readings of the paper: buckets hold the records of one value. The first
    record comes from the largest bucket, then one from each other, the largest first, until the
    class is valid, in as many passes as it takes: k may be above the number of values where α
    allows it. Ties go to the bucket with the earliest remaining record. A class that cannot be
    completed ends the growth; with ``stop="paper"``, so do fewer than k values with records left,
    as line 4 prints. A left-over record joins a class that stays valid: one without its value if
    there is one, then the smallest, then the earliest. What no class takes is suppressed. Where the
    schema names an entity column, k and shares count people.

    With ``spend="even"`` the records go, the most frequent value first, one by one to ⌊n/k⌋ classes
    in turn, or to as many as the shares allow. Sizes, and the counts of a value, then differ by at
    most one between classes, and nothing is left over. What even the whole table has too much of is
    suppressed before. The other options, but ``picks``, play no part and are refused, and so are
    people with several records.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "no": shoal.identifier(), "name": shoal.identifier(), "job": shoal.quasi(),
    ...     "age": shoal.quasi(), "sex": shoal.quasi(), "zipcode": shoal.quasi(),
    ...     "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(shoal.datasets.patients(3), schema,
    ...     require=[shoal.AlphaK(0.4, 3)], method=shoal.GCA())
    >>> release.grouping.labels.tolist()
    [0, 0, 0, 2, 1, 2, 1, 1, 2, 3, 3, 3]

    References
    ----------
    (αᵢ, k)-anonymity by graded sensitivity: the
    (α, k) variant that it compares with.
    """

    name: ClassVar[str] = "gca"
    rule = BY_SIZE

    def describe(self) -> str:
        found = f"(α, k)-GCA: the {self.which} record of each value, the largest bucket first"
        return self.described(found)
