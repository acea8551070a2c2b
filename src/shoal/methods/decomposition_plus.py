"""Decomposition+: as Decomposition, with noise that follows the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.grouping import Grouping
from shoal.methods.base import Method, Progress
from shoal.methods.decomposition import decompose
from shoal.methods.secrets import Secret, order_secrets
from shoal.models import Requirement
from shoal.table import Table

__all__ = ["DecompositionPlus"]


@dataclass(frozen=True)
class DecompositionPlus(Method):
    """Build groups of l different primary values, with noise drawn from random records.

    A baseline of paper 4: as `Decomposition`, but noise is the value of a record drawn at
    random from the whole table, again until the group lacks it, so that frequent values come
    more often and no list of candidates is kept. Choose it to compare.

    Parameters
    ----------
    primary
        The column whose values open the groups: ``"entropy"`` for the one of highest entropy,
        or its name.
    picks
        How records and noise are drawn: at ``"random"``, or always the ``"first"`` row that
        will do.
    seed
        Makes random picks repeatable.

    Notes
    -----
    Records that open no group go where `Decomposition` puts them.

    Examples
    --------
    >>> import shoal
    >>> from shoal.table import Table
    >>> schema = shoal.Schema({"job": shoal.quasi(), "disease": shoal.sensitive(),
    ...     **{name: shoal.other() for name in ("name", "age", "sex", "zipcode")}})
    >>> table = Table.encode(shoal.datasets.patients(3), schema)
    >>> grouping = shoal.DecompositionPlus(picks="first").group(
    ...     table, [shoal.MultiLDiversity({"disease": 3})], rng=None)
    >>> grouping.sizes.tolist()
    [3, 3, 3, 3]

    References
    ----------
    Das, Bhattacharyya: Decomposition+: improving l-diversity for multiple sensitive
    attributes, CCSIT 2012.
    """

    primary: str = "entropy"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "decomposition-plus"
    carries: ClassVar[frozenset[str] | None] = frozenset({"k-anonymity", "multi-l-diversity"})

    def describe(self) -> str:
        """Say in words how groups are found."""
        return "Decomposition+: groups from the largest buckets, noise from random records"

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Open groups, place the rest, then add noise from random records."""
        secrets = order_secrets(table, require, self.primary)
        rows = np.arange(table.n_rows)
        first = self.picks == "first"
        in_order = {
            s.name: list(dict.fromkeys(s.codes.tolist())) for s in (secrets if first else ())
        }

        weights = {
            s.name: np.bincount(s.codes, minlength=len(s.degrees)) / len(rows) for s in secrets
        }

        def draw(secret: Secret, held: set[int], count: int) -> list[int]:
            if first:
                return [value for value in in_order[secret.name] if value not in held][:count]
            # As if records were drawn until one shows a value that the group lacks.
            chances = weights[secret.name].copy()
            chances[list(held)] = 0
            drawn = rng.choice(len(chances), size=count, replace=False, p=chances / chances.sum())
            return [int(value) for value in drawn]

        return decompose(secrets, rows if first else rng.permutation(rows), draw, progress)
