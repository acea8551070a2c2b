"""(αᵢ, k)-GCA: classes that mix levels of sensitivity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.kernels.buckets.classes import BY_LEVEL, BY_LEVEL_AGAIN
from shoal.methods.buckets._gca import BucketMethod


@dataclass(frozen=True)
class LeveledGCA(BucketMethod):
    """Take a most sensitive record, then one of each other level, until the class is valid.

    Made for `LeveledAlphaK`: a class mixes highly sensitive and harmless values, so it reveals
    little. It considers only sensitive values, so its classes are wide; publish them as two tables,
    or let ``within="nearest"`` choose among records of a value. Where values have no levels, take
    `GCA`.

    Parameters
    ----------
    within, stop, picks, seed
        As in `GCA`.
    spend
        How records are spent on classes: ``"greedy"``, class by class as the paper does, or
        ``"even"``, ours: all records, sorted by level and value, are dealt like cards, as in `GCA`.
        Classes are as small as k and the shares allow, and mix levels better.
    passes
        Which bucket of a level gives a record: the largest whose value is not yet in the class
        (``"distinct"``, values repeat only when there is no other), or in every pass the
        ``"largest"``.
    farthest_from
        A left-over record prefers classes whose most sensitive level is far from ``"level-1"``,
        or from the level of the ``"record"``.

    Notes
    -----
    Readings of the paper: buckets hold the records of one value. The first
    record comes from the most sensitive level, its largest bucket; then one from each other level,
    the least sensitive first, its largest bucket with a value that the class does not hold, until
    the class is valid, in as many passes as it takes. Once all values of other levels are in the
    class, or have nobody to add, they get a second turn in the same way, and so on. Ties go to the
    bucket with the earliest remaining record. A class that cannot be completed ends the growth;
    with ``stop="paper"``, so do fewer than k values with records left, as line 4 prints. A
    left-over record joins a class that stays valid: one without its level if there is one, then
    the one whose most sensitive level is farthest from level 1 (line 18), then the smallest, then
    the earliest. What no class takes is suppressed. Where the schema names an entity column, k and
    shares count people.

    With ``spend="even"`` level 1 goes first, and in it the most frequent value; the counts of a
    level, too, differ by at most one between classes.

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
    (αᵢ, k)-anonymity by graded sensitivity, section
    4.2. Dealing evenly is ours.
    """

    passes: Literal["distinct", "largest"] = "distinct"
    farthest_from: Literal["level-1", "record"] = "level-1"

    name: ClassVar[str] = "leveled-gca"
    needs: ClassVar[Literal["shares", "values", "levels"] | None] = "levels"

    def describe(self) -> str:
        found = f"(αᵢ, k)-GCA: one record of each level, the {self.which} of its largest bucket"
        found += " with a new value" if self.passes == "distinct" else ""
        if self.farthest_from == "record":
            found += ", and leftover records far from their own level"
        return self.described(found)

    @property
    def rule(self) -> int:
        """One record of each level, by the passes that were chosen."""
        return BY_LEVEL if self.passes == "distinct" else BY_LEVEL_AGAIN

    @property
    def from_record(self) -> bool:
        """Whether left-over records go far from their own level."""
        return self.farthest_from == "record"
