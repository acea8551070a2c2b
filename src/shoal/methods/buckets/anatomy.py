"""Anatomy: groups of l different sensitive values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Ints
from shoal.errors import InfeasibleError
from shoal.kernels.buckets.classes import DISTINCT
from shoal.methods.base import OwnMethod, Progress
from shoal.methods.buckets._classes import bucket_classes
from shoal.methods.buckets._terms import Terms, terms_of
from shoal.models import Requirement
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.table import Table


@dataclass(frozen=True)
class Anatomy(OwnMethod):
    """Put l records of l different sensitive values into a group, from the largest buckets.

    Every group then holds each value once, so a guess is right with probability 1/l at most. Made
    to be published as two tables: it ignores quasi-identifiers. It needs values that are not too
    frequent; where α allows more than one of a kind, `GCA` suppresses less.

    Parameters
    ----------
    picks
        Which record of a bucket is taken, and which group a left-over record joins: a
        ``"random"`` one, or the ``"first"``.
    seed
        Makes random picks repeatable.

    Notes
    -----
    l is the least number with 1/l ≤ α, and k if that is more; of an `LDiversity` it is the least
    number of different values, each once, that hold it. While l buckets hold records,
    one record of each of the l largest makes a group; ties go to the bucket with the earliest
    remaining record. Each left-over record joins a group that lacks its value. A value in more
    than n/l of n records cannot be spread like that, and is refused. Where the schema names an
    entity column, the l records of a group also belong to l people; a record that finds no
    place then is suppressed.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "no": shoal.identifier(), "name": shoal.identifier(), "job": shoal.quasi(),
    ...     "age": shoal.quasi(), "sex": shoal.quasi(), "zipcode": shoal.quasi(),
    ...     "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(shoal.datasets.patients(3), schema,
    ...     require=[shoal.AlphaK(0.25, 3)], method=shoal.Anatomy(picks="first"))
    >>> release.grouping.labels.tolist()
    [0, 0, 0, 1, 1, 1, 0, 1, 2, 2, 2, 2]

    References
    ----------
    Xiao, Tao: Anatomy: simple and effective privacy preservation. VLDB 2006.
    """

    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "anatomy"
    publication: ClassVar[str] = "two-table"
    carries: ClassVar[frozenset[str] | None] = frozenset({"k-anonymity", "alpha-k", "l-diversity"})
    needs: ClassVar[Literal["shares", "values", "levels"] | None] = "shares"
    carries_missing: ClassVar[bool] = True

    def describe(self) -> str:
        return "Anatomy: one record of each of the l most frequent remaining values"

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Group records of l values, then spread the left-over ones."""
        require = [each.as_shares() for each in require]
        terms = terms_of(table, require, method=self.name)
        whole = one_group(table, require)
        limits = [each for requirement in require for each in requirement.shares(whole)]
        # So many different values, each once, exceed no share.
        least = max(terms.k, *(ceil(1 / share) for each in limits for share in each.largest))
        _require_spread(table, terms, least)
        order = self.row_order(table.n_rows, rng)
        found = bucket_classes(
            table, replace(terms, k=least), rule=DISTINCT, order=order, progress=progress
        )
        return _spread(found, terms, order, None if self.picks == "first" else rng)


def _require_spread(table: Table, terms: Terms, least: int) -> None:
    """Refuse a column with too few values, or one value in too many rows."""
    counts = np.bincount(terms.codes)
    if len(counts) < least:
        raise InfeasibleError(
            f"Anatomy needs {least} different values in each group, but '{terms.column}' has "
            f"{len(counts)}.",
            "Lower k or l, raise alpha, or use the method gca (alpha-k) or gaa-cp (any).",
        )
    most = int(counts.max())
    if table.people is None and most * least > table.n_rows:
        raise InfeasibleError(
            f"Anatomy cannot spread the most frequent value of '{terms.column}': {most} of "
            f"{table.n_rows} rows hold it, more than one in {least}.",
            f"Lower k or l, raise alpha to {most / table.n_rows:.4f} or more, or use the "
            "method gca (alpha-k) or gaa-cp (any).",
        )


def _spread(found: Grouping, terms: Terms, order: Ints, rng: Generator | None) -> Grouping:
    """Let each left-over row into another group that lacks its value, value by value."""
    labels = found.labels.copy()
    left = order[labels[order] == SUPPRESSED]
    for value in np.unique(terms.codes[left]).tolist():
        rows = left[terms.codes[left] == value]
        lacks = np.ones(found.n_groups, dtype=np.bool_)
        lacks[labels[(terms.codes == value) & (labels != SUPPRESSED)]] = False
        groups = np.flatnonzero(lacks)
        if rng is not None:
            groups = rng.permutation(groups)
        several = min(len(rows), len(groups))
        labels[rows[:several]] = groups[:several]
    return Grouping(labels)
