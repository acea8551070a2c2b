"""The losses of Gu and Dong (2022): columns count by what they tell.

Each is called after its weights. Their "MI Loss" is two of them: `mutual_information_loss` is their
equation 4, `gain_ratio_loss` has the weights of their Table 2, for which their claims hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.errors import InputError
from shoal.measures._pairs import Pair, pair, require_covering
from shoal.measures._weighing import WeightKind, nulled, weights
from shoal.measures.utility.loss import column_losses
from shoal.table.schema import Schema


def mutual_information_loss(
    original: Any, published: Any, schema: Schema, *, label: str, rows: npt.ArrayLike | None = None
) -> float:
    """Measure `loss` with columns weighted by their mutual information with a label.

    The weights of the schema are not used: they come from the original table. `gain_ratio_loss`
    weighs per bit of a column.

    Parameters
    ----------
    label
        The column that the published table will be used to predict.
    rows
        For each published row, the original row it comes from (`Release.rows`).

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"a": list("ccdd"), "b": list("cdcd"), "y": list("nnpp")})
    >>> schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "y": shoal.sensitive()})
    >>> kept_a = frame.with_columns(b=pl.lit("*"))
    >>> mutual_information_loss(frame, kept_a, schema, label="y")
    0.0
    >>> entropy_loss(frame, kept_a, schema)
    0.5

    References
    ----------
    Gu, Dong: MI Loss evaluation model for k-anonymity in PPDM, 2022, equation 4. V. Iyengar:
    Transforming data to satisfy privacy constraints, KDD 2002.
    """
    return _of(pair(original, published, schema, rows=rows), "mutual-information", label)


def gain_ratio_loss(
    original: Any, published: Any, schema: Schema, *, label: str, rows: npt.ArrayLike | None = None
) -> float:
    """Measure `loss` with columns weighted by their gain ratio about a label.

    A gain ratio is mutual information over the column's entropy: what Table 2 of Gu and Dong
    (2022) prints as the weights of "MI Loss". Parameters are those of `mutual_information_loss`,
    which has their equation 4.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"a": list("ccdd"), "b": list("cdef"), "y": list("nnpp")})
    >>> schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "y": shoal.sensitive()})
    >>> kept_a = frame.with_columns(b=pl.lit("*"))
    >>> round(gain_ratio_loss(frame, kept_a, schema, label="y"), 4)
    0.3333
    >>> mutual_information_loss(frame, kept_a, schema, label="y")
    0.5
    """
    return _of(pair(original, published, schema, rows=rows), "gain-ratio", label)


def entropy_loss(
    original: Any, published: Any, schema: Schema, *, rows: npt.ArrayLike | None = None
) -> float:
    """Measure `loss` with columns weighted by their entropy; see `mutual_information_loss`."""
    return _of(pair(original, published, schema, rows=rows), "entropy", None)


_BY_WEIGHTS: dict[str, tuple[WeightKind, Callable[..., float]]] = {
    "entropy_loss": ("entropy", entropy_loss),
    "mutual_information_loss": ("mutual-information", mutual_information_loss),
    "gain_ratio_loss": ("gain-ratio", gain_ratio_loss),
}
"""Each loss by its name, with its weights."""

INFORMED_LOSSES = {name: function for name, (_, function) in _BY_WEIGHTS.items()}
"""The losses of Gu and Dong (2022) by name; what each means stands in its docstring."""


def informed_losses(both: Pair, weighed: Iterable[tuple[Any, str | None]]) -> dict[str, float]:
    """Take the losses that some weights ask for; of two labels, the first.

    One that makes no sense of the table, such as a label of one value, is left out.

    Parameters
    ----------
    weighed
        Kinds of weights, each with its label; other weights ask for nothing.
    """
    made: dict[str, float] = {}
    if both.recoded.centres is not None:  # they are losses of cells that cover something
        return made
    kinds = list(weighed)
    for name, (kind, _) in _BY_WEIGHTS.items():
        labels = [label for each, label in kinds if each == kind]
        if not labels:
            continue
        try:
            made[name] = _of(both, kind, labels[0])
        except InputError:
            continue
    return made


def _of(both: Pair, kind: WeightKind, label: str | None) -> float:
    require_covering(both)
    schema = both.table.schema
    made = weights(nulled(both.table.coded, schema, label), schema.quasi, kind, label)
    shares = np.array([made[column.name] for column in both.table.quasi])
    return float(shares @ column_losses(both))
