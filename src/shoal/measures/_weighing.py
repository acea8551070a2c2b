"""How much each attribute should count: by its entropy, or by what it tells about a label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, inf, log
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np
import polars as pl

from shoal.base.arguments import is_number, one_of
from shoal.base.arrays import Ints
from shoal.base.cells import texts
from shoal.errors import InputError, ParameterError, a_type, did_you_mean
from shoal.io.frames import to_coded, to_polars
from shoal.table.preparing import prepared
from shoal.table.schema import Role, Schema, is_missing

WeightKind: TypeAlias = Literal["equal", "entropy", "mutual-information", "gain-ratio"]
"""How weights can be made."""

KINDS: tuple[WeightKind, ...] = get_args(WeightKind)

INFORMED = ("mutual-information", "gain-ratio")
"""Those that need a label."""

FLOOR = 1e-6
"""A column that tells nothing still counts: by so much of what the heaviest one does."""

BINS = 10
"""Into how many parts of about equal size a numeric label is cut."""

_DISTINCT = 20
"""A numeric label with at most this many values is used unchanged."""


def weights(
    table: Any, columns: Sequence[str], kind: WeightKind = "equal", label: str | None = None
) -> dict[str, float]:
    """Weigh columns; the weights sum to 1.

    Gu and Dong (2022) weigh an attribute's loss by what the attribute tells about the label that
    the published table will be used to predict.

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
        The column Y. A numeric one of more than 20 values, or a text one that holds only numbers,
        is cut into ten parts of about equal size.

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
    one_of("weights", kind, KINDS)
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise ParameterError(
            f"columns must list columns, not be {a_type(columns)}.", 'Such as ["age", "zip"].'
        )
    columns = list(columns)
    for name in (*columns, *([] if label is None else [label])):
        if not isinstance(name, str) or name not in frame.columns:
            raise ParameterError(
                f"The table has no column {name!r}.", did_you_mean(str(name), frame.columns)
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


def weighed(
    table: Any, schema: Schema, kind: str | Mapping[str, float], label: str | None = None
) -> Schema:
    """Copy a schema with weights made from the table, or given, for its quasi-identifiers.

    Weights are scaled so that they are 1 on average, which is what columns weigh by default. A
    weight of 0 becomes a millionth of the largest one: every quasi-identifier is still
    generalized no further than it must be.

    Parameters
    ----------
    kind
        As in `weights`, or a weight for some columns; the others then keep theirs.
    label
        As in `weights`. It may be any column but a quasi-identifier or an identifier.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["n", "n", "p", "p"]})
    >>> schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "y": shoal.sensitive()})
    >>> made = weighed(frame, schema, "mutual-information", "y")
    >>> made["a"].weight, made["b"].weight
    (2.0, 2e-06)
    """
    if isinstance(kind, Mapping):
        if label is not None:
            raise ParameterError("Explicit weights need no label.", "Leave label out.")
        return _with(schema, _given(kind, schema))
    found = to_coded(table)
    schema.require_roles(found.columns)
    if label in schema.identifiers:
        raise ParameterError(
            f"The label '{label}' is an identifier.", "Choose a column that is published."
        )
    weight_kind = cast(WeightKind, kind)  # refused there if it is another word
    cells, prepared_schema = prepared(found, schema)
    made = weights(nulled(cells, prepared_schema, label), schema.quasi, weight_kind, label)
    return _with(schema, {name: share * len(made) for name, share in made.items()})


def nulled(table: Any, schema: Schema, label: str | None) -> pl.DataFrame:
    """Make texts that mean missing null in the columns that weights are made of."""
    frame = to_polars(table)
    names = [*schema.quasi, *([label] if isinstance(label, str) and label in schema else [])]
    for name in dict.fromkeys(names):
        if name in frame.columns:  # by Series: a column may be named *
            absent = is_missing(frame[name], schema.missing_of(name))
            frame = frame.with_columns(frame[name].set(absent, None))
    return frame


def _given(given: Mapping[str, float], schema: Schema) -> dict[str, float]:
    """Check weights that someone wrote down."""
    for name, weight in given.items():
        if name not in schema or schema[name].role is not Role.QUASI:
            raise ParameterError(
                f"weights names '{name}', which is not a quasi-identifier.",
                did_you_mean(name, schema.quasi),
            )
        if not is_number(weight) or not 0 <= weight < inf:
            raise ParameterError(
                f"The weight of '{name}' must be 0 or more, not {weight!r}.", "Such as 2.0."
            )
    made = {name: float(given.get(name, schema[name].weight)) for name in schema.quasi}
    if not any(made.values()):
        raise ParameterError("All weights are 0.", "Give at least one column a weight above 0.")
    return made


def _with(schema: Schema, made: Mapping[str, float]) -> Schema:
    least = FLOOR * max(made.values())
    for name, weight in made.items():
        schema = schema.with_column(name, weight=max(weight, least))
    return schema


def _informative(
    frame: pl.DataFrame, columns: Sequence[str], kind: str, label: str | None
) -> list[float]:
    """Measure what each column tells about the label."""
    if label is None:
        raise ParameterError(f"The weights {kind!r} need a label.", "Name the column to predict.")
    if label in columns:
        raise ParameterError(
            f"The label '{label}' is one of the columns to weigh.",
            "It would predict itself: choose another label, or give the column a role other "
            "than quasi.",
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
        raise InputError(
            f"The label '{label}' has only one value, so columns cannot be weighted by it.",
            'Choose a label with several values, or weights without a label, such as "entropy".',
        )
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
    if values.n_unique() <= _DISTINCT:
        return _codes(values)
    if values.dtype == pl.String:  # every cell of a CSV file is a text
        values = _numbers(values)
    if not values.dtype.is_numeric():
        return _codes(values)
    ranks = values.cast(pl.Float64).rank("average").to_numpy()
    return np.minimum((ranks - 0.5) * BINS / len(values), BINS - 1).astype(np.int64)


def _numbers(values: pl.Series) -> pl.Series:
    """Read texts as numbers, if all of them are."""
    read = values.cast(pl.Float64, strict=False)
    return read if read.is_finite().fill_null(False).all() else values


def _codes(values: pl.Series) -> Ints:
    """Number the values; a missing one is a value, too."""
    ranks = texts(values).rank("dense").cast(pl.Int64).fill_null(0)
    return np.asarray(ranks.to_numpy())


def _entropy(codes: Ints) -> float:
    _, counts = np.unique(codes, return_counts=True)
    return fsum(-count / len(codes) * log(count / len(codes)) for count in counts.tolist())
