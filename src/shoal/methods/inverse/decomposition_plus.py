"""Decomposition+: as Decomposition, with noise that follows the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.base.arrays import Floats
from shoal.methods.inverse._sensitive import SensitiveAttribute, buckets
from shoal.methods.inverse.decomposition import Decomposition


@dataclass(frozen=True)
class DecompositionPlus(Decomposition):
    """Build groups of l different primary values, with noise drawn from random records.

    A baseline of Zhang et al. (2014): as `Decomposition`, but noise is the value of a record drawn
    at random from the whole table, again until the group lacks it, so that frequent values come
    more often and no list of candidates is kept. Choose it to compare.

    Parameters
    ----------
    primary, picks, seed
        As in `Decomposition`; the ``"first"`` noise is the value of the first row that will do.

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

    name: ClassVar[str] = "decomposition-plus"

    def describe(self) -> str:
        return "Decomposition+: groups from the largest buckets, noise from random records"

    def keys(self, attribute: SensitiveAttribute, groups: int, rng: np.random.Generator) -> Floats:
        """Draw records of the table until one shows a value that the group lacks."""
        if self.picks == "first":
            shown = buckets(attribute.codes, len(attribute.degrees)).astype(np.float64)
            return np.tile(shown, (groups, 1))
        # The value that comes first, of those that come at rates like their frequencies.
        held_by = np.bincount(attribute.codes, minlength=len(attribute.degrees))
        waits = rng.standard_exponential((groups, len(held_by)))
        return np.asarray(waits / held_by)
