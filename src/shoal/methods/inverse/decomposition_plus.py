"""Decomposition+: as Decomposition, with noise that follows the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from shoal.grouping import Grouping
from shoal.methods.base import Method, Progress
from shoal.methods.bounds import asked_size
from shoal.methods.inverse._sensitive import SensitiveAttribute, buckets, order_attributes
from shoal.methods.inverse.decomposition import decompose
from shoal.models import Requirement
from shoal.table import Table

__all__ = ["DecompositionPlus"]


@dataclass(frozen=True)
class DecompositionPlus(Method):
    """Build groups of l different primary values, with noise drawn from random records.

    A baseline of Zhang et al. (2014): as `Decomposition`, but noise is the value of a record drawn
    at random from the whole table, again until the group lacks it, so that frequent values come
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
    >>> schema = shoal.Schema({
    ...     "no": shoal.identifier(), "name": shoal.identifier(), "age": shoal.quasi(),
    ...     "sex": shoal.quasi(), "zipcode": shoal.quasi(), "job": shoal.sensitive(),
    ...     "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(shoal.datasets.patients(3), schema,
    ...     require=[shoal.MultiLDiversity({"disease": 3, "job": 3})],
    ...     method=shoal.DecompositionPlus(picks="first"))
    >>> release.grouping.sizes.tolist(), round(release.measures["noise_ratio"], 3)
    ([3, 3, 3, 3], 0.167)

    References
    ----------
    Das, Bhattacharyya: Decomposition+: improving l-diversity for multiple sensitive
    attributes, CCSIT 2012.
    """

    primary: str = "entropy"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "decomposition-plus"
    publication: ClassVar[str] = "sensitive-groups"
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
        secrets = order_attributes(table, require, self.primary, method=self.name)
        rows = np.arange(table.n_rows)
        first = self.picks == "first"

        def keys(secret: SensitiveAttribute, groups: int) -> npt.NDArray[np.float64]:
            if first:
                shown = buckets(secret.codes, len(secret.degrees)).astype(np.float64)
                return np.tile(shown, (groups, 1))
            # As if records were drawn until one shows a value that the group lacks: the value
            # that comes first, of those that come at rates like their frequencies.
            held_by = np.bincount(secret.codes, minlength=len(secret.degrees))
            waits = rng.standard_exponential((groups, len(held_by)))
            return np.asarray(waits / held_by)

        queue = rows if first else rng.permutation(rows)
        return decompose(secrets, queue, keys, asked_size(require), table.people, progress)
