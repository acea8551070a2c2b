"""The losses of Gu and Dong (2022): columns count by what they tell."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.errors import InputError
from shoal.measures.pairs import Pair, pair, require_covering
from shoal.measures.utility.loss import column_losses
from shoal.measures.weighing import WeightKind, nulled, weights
from shoal.schema import Schema

__all__ = ["INFORMED_LOSSES", "entropy_loss", "informed_losses", "mi_loss"]


def mi_loss(
    original: Any,
    published: Any,
    schema: Schema,
    *,
    label: str,
    kind: Literal["mutual-information", "gain-ratio"] = "mutual-information",
    rows: npt.ArrayLike | None = None,
) -> float:
    """Measure `loss` with columns weighed by what they tell about a label.

    The weights of the schema are not used: they come from the original table.

    Parameters
    ----------
    label
        The column that the published table will be used to predict.
    kind
        ``"gain-ratio"`` is what the paper's Table 2 prints; see `weights`.
    rows
        For each published row, the original row it stands for (`Release.rows`).

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"a": list("ccdd"), "b": list("cdcd"), "y": list("nnpp")})
    >>> schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "y": shoal.sensitive()})
    >>> kept_a = frame.with_columns(b=pl.lit("*"))
    >>> mi_loss(frame, kept_a, schema, label="y"), entropy_loss(frame, kept_a, schema)
    (0.0, 0.5)

    References
    ----------
    Gu, Dong: MI Loss evaluation model for k-anonymity in PPDM, 2022, equation 4. V. Iyengar:
    Transforming data to satisfy privacy constraints, KDD 2002.
    """
    return _informed(original, published, schema, kind, label, rows)


def entropy_loss(
    original: Any, published: Any, schema: Schema, *, rows: npt.ArrayLike | None = None
) -> float:
    """Measure `loss` with columns weighed by their entropy; see `mi_loss`."""
    return _informed(original, published, schema, "entropy", None, rows)


INFORMED_LOSSES = {"entropy_loss": entropy_loss, "mi_loss": mi_loss}
"""The losses of Gu and Dong (2022) by name; what each means stands in its docstring."""


def informed_losses(
    both: Pair, original: Any, *, label: str | None, entropy: bool
) -> dict[str, float]:
    """Take `mi_loss` where there is a label, and `entropy_loss` where it is asked for.

    One that makes no sense of the table, such as a label of one value, is left out.

    Parameters
    ----------
    original
        The table that ``both`` was made of.
    """
    made: dict[str, float] = {}
    if both.recoded.centres is not None:  # they are losses of cells that cover something
        return made
    wanted: list[tuple[str, WeightKind, str | None]] = []
    if entropy:
        wanted.append(("entropy_loss", "entropy", None))
    if label is not None:
        wanted.append(("mi_loss", "mutual-information", label))
    for name, kind, about in wanted:
        try:
            made[name] = _of(both, original, both.table.schema, kind, about)
        except InputError:
            continue
    return made


def _informed(
    original: Any,
    published: Any,
    schema: Schema,
    kind: WeightKind,
    label: str | None,
    rows: npt.ArrayLike | None,
) -> float:
    return _of(pair(original, published, schema, rows=rows), original, schema, kind, label)


def _of(both: Pair, original: Any, schema: Schema, kind: WeightKind, label: str | None) -> float:
    require_covering(both)
    made = weights(nulled(original, schema, label), schema.quasi, kind, label)
    shares = np.array([made[column.name] for column in both.table.quasi])
    return float(shares @ column_losses(both))
