"""A sensitive column, encoded: small integers for its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum, log

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import texts
from shoal.schema import is_missing

__all__ = ["SensitiveColumn"]


@dataclass(frozen=True, eq=False)
class SensitiveColumn:
    """The values of a sensitive column; code i stands for the i-th label.

    Parameters
    ----------
    codes
        A code per row.
    labels
        The distinct texts in sorted order, then ``None`` if a cell is missing: nobody knows
        what it would be, so it counts as a value of its own.

    Examples
    --------
    >>> column = SensitiveColumn.encode(pl.Series(["flu", None, "HIV", "flu"]), ())
    >>> column.codes.tolist(), column.labels
    ([1, 2, 0, 1], ('HIV', 'flu', None))
    """

    codes: npt.NDArray[np.int64]
    labels: tuple[str | None, ...]

    @classmethod
    def encode(cls, values: pl.Series, missing: Iterable[str]) -> SensitiveColumn:
        """Encode a column; the texts in ``missing`` mean missing."""
        known = texts(values).set(is_missing(values, missing), None)
        distinct = known.drop_nulls().unique().sort()
        numbers = pl.Series(range(len(distinct)), dtype=pl.Int64)
        codes = known.replace_strict(
            distinct, numbers, default=len(distinct), return_dtype=pl.Int64
        )
        labels: tuple[str | None, ...] = tuple(distinct)
        return cls(codes.to_numpy(), (*labels, None) if known.null_count() else labels)

    @property
    def size(self) -> int:
        """How many distinct values there are."""
        return len(self.labels)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many rows hold each value."""
        return np.bincount(self.codes, minlength=self.size).astype(np.int64)

    @property
    def entropy(self) -> float:
        """How evenly the values are spread, in nats."""
        shares = [count / len(self.codes) for count in self.counts.tolist() if count]
        return fsum(-share * log(share) for share in shares)

    def degrees(self, given: Mapping[str, float] | None = None) -> list[float]:
        """Say how sensitive each value is: ln(rows / rows that hold it), unless it is given.

        Rarity is not sensitivity, so a schema may say better.

        Examples
        --------
        >>> column = SensitiveColumn.encode(pl.Series(["flu", "HIV", "flu", "flu"]), ())
        >>> [round(degree, 3) for degree in column.degrees()]
        [1.386, 0.288]
        >>> column.degrees({"HIV": 9})[0]
        9.0
        """
        known = given or {}
        rows = len(self.codes)
        return [
            float(known.get(label or "", log(rows / count) if count else log(rows)))
            for label, count in zip(self.labels, self.counts.tolist(), strict=True)
        ]
