"""How much each attribute should count: by its entropy, or by what it tells about a label."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import texts
from shoal.errors import InputError, ParameterError, did_you_mean
from shoal.frames import to_polars

__all__ = ["KINDS", "weights"]

KINDS = ("equal", "entropy", "mutual-information", "gain-ratio")
"""How weights can be made."""

BINS = 10
"""Into how many parts of about equal size a numeric label is cut."""

_DISTINCT = 20
"""A numeric label with at most so many values is taken as it is."""

Ints = npt.NDArray[np.int64]


def weights(
    table: Any, columns: Sequence[str], kind: str = "equal", label: str | None = None
) -> dict[str, float]:
    """Weigh columns; the weights sum to 1.

    Paper 5 weighs an attribute's loss by what the attribute tells about the label that the
    published table will be used to predict.

    Parameters
    ----------
    table
        Any frame.
    columns
        The columns to weigh.
    kind
        ``"equal"``; ``"entropy"``: H(X) over the sum; ``"mutual-information"``: MI(X; Y) over
        the sum (equation 4 of the paper); ``"gain-ratio"``: MI(X; Y) / H(X) over the sum, which
        is what the paper's Table 2 prints.
    label
        The column Y. A numeric one of more than 20 values is cut into ten parts of about equal
        size.

    Notes
    -----
    Values are taken as they are, not generalized; a missing cell is a value of its own. Rows
    whose label is missing are left out; if they are more than half, that is refused.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["n", "n", "p", "p"]})
    >>> weights(frame, ["a", "b"], "mutual-information", "y")
    {'a': 1.0, 'b': 0.0}
    """
    frame = to_polars(table)
    if kind not in KINDS:
        raise ParameterError(
            f"weights must be one of {', '.join(map(repr, KINDS))}, not {kind!r}.",
            did_you_mean(str(kind), KINDS),
        )
    for name in (*columns, *([] if label is None else [label])):
        if name not in frame.columns:
            raise ParameterError(
                f"The table has no column '{name}'.", did_you_mean(name, frame.columns)
            )
    if kind == "equal":
        raw = [1.0] * len(columns)
    elif kind == "entropy":
        raw = [_entropy(_codes(frame[name])) for name in columns]
    else:
        raw = _informative(frame, columns, kind, label)
    total = fsum(raw)
    if total <= 0:
        what = "vary" if kind == "entropy" else f"tell anything about '{label}'"
        raise InputError(f"None of the {len(columns)} columns {what}.", 'Use weights = "equal".')
    return {name: value / total for name, value in zip(columns, raw, strict=True)}


def _informative(
    frame: pl.DataFrame, columns: Sequence[str], kind: str, label: str | None
) -> list[float]:
    """Measure what each column tells about the label."""
    if label is None:
        raise ParameterError(f"The weights {kind!r} need a label.", "Name the column to predict.")
    if label in columns:
        raise ParameterError(
            f"The label '{label}' is one of the columns to weigh.",
            "It would tell everything about itself: leave it out of one of the two.",
        )
    absent = frame[label].null_count()
    if 2 * absent > frame.height:
        raise InputError(
            f"The label '{label}' is missing in {absent} of {frame.height} rows.",
            "Choose another label, or fill it.",
        )
    known = frame.filter(frame[label].is_not_null())
    target = _classes(known[label])
    if len(np.unique(target)) < 2:
        raise InputError(f"The label '{label}' has one value.", "Nothing can tell about it.")
    made = []
    for name in columns:
        codes = _codes(known[name])
        both = codes * (int(target.max()) + 1) + target
        mutual = max(_entropy(codes) + _entropy(target) - _entropy(both), 0.0)
        own = _entropy(codes)
        made.append(mutual / own if kind == "gain-ratio" and own else mutual)
    return made


def _classes(values: pl.Series) -> Ints:
    """Take a label as it is, or a numeric one of many values by quantiles."""
    if not values.dtype.is_numeric() or values.n_unique() <= _DISTINCT:
        return _codes(values)
    ranks = values.cast(pl.Float64).rank("average").to_numpy()
    return np.minimum((ranks - 0.5) * BINS / len(values), BINS - 1).astype(np.int64)


def _codes(values: pl.Series) -> Ints:
    """Number the values; a missing one is a value, too."""
    ranks = texts(values).rank("dense").cast(pl.Int64).fill_null(0)
    return np.asarray(ranks.to_numpy())


def _entropy(codes: Ints) -> float:
    _, counts = np.unique(codes, return_counts=True)
    return fsum(-count / len(codes) * log(count / len(codes)) for count in counts.tolist())
