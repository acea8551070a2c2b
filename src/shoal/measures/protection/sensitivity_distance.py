"""The sensitivity distance: how different the sensitive values of a class are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import one_of
from shoal.base.arrays import Floats, Ints
from shoal.errors import ParameterError
from shoal.measures._pairs import Pair, require_pair
from shoal.measures.base import measure
from shoal.models import Histogram
from shoal.table.levels import levels_of

HIGH = 2
"""Classes with a value of levels 1 to 2 are looked at."""

_STEP = 0.05


def class_sensitivity_distance(
    levels: npt.ArrayLike,
    *,
    n_levels: int,
    weights: Sequence[float] | None = None,
    normalised: bool = True,
) -> float:
    """Measure how far apart the levels of one class are (equation 2).

    It is the mean over all pairs of records of wₖ · |Lᵢ − Lⱼ|, where k is the larger (less
    sensitive) of the two levels. A class of one record has none, and measures 0.

    Parameters
    ----------
    levels
        The level of each record's sensitive value; 1 is the most sensitive.
    n_levels
        How many levels there are.
    weights
        The weights of levels 2 to ``n_levels``. Left out, they rise by 0.05 from level to
        level and end at 1: 0.85, 0.9, 0.95, 1 for five levels. None is below 0.05.
    normalised
        Divide by ``n_levels − 1``, as equation 2 says; the paper's examples leave that out.

    Examples
    --------
    >>> round(class_sensitivity_distance([1, 2, 3, 3], n_levels=5), 4)
    0.2604
    >>> round(class_sensitivity_distance([1, 2, 3, 3], n_levels=5, normalised=False), 4)
    1.0417

    References
    ----------
    (αᵢ, k)-anonymity by graded sensitivity, definitions 5 and 6.
    """
    read = np.asarray(levels)
    fits = read.ndim == 1 and len(read) and read.dtype.kind in "iu"
    if not fits or read.min() < 1 or read.max() > n_levels:
        raise ParameterError(
            f"levels must list whole numbers from 1 to {n_levels} (n_levels), one or more.",
            "1 is the most sensitive.",
        )
    alone = np.zeros(len(read), dtype=np.int64)
    scale = _scale(n_levels, weights, normalised)
    return float(_distances(alone, read.astype(np.int64), scale)[0])


def high_class_distances(
    pair: Pair,
    *,
    weights: Sequence[float] | None = None,
    normalised: bool = True,
    holding: Literal["any", "all"] = "any",
) -> Floats:
    """Measure each class that holds a value of level 1 or 2, or of both; they may be none.

    The arguments are those of `mean_sensitivity_distance`.
    """
    one_of("holding", holding, ("any", "all"))
    found = _high(pair)
    classes = pair.sensitive_classes
    each = _distances(classes, found.levels, _scale(found.n_levels, weights, normalised))
    held = [np.isin(np.arange(len(each)), classes[found.levels == at + 1]) for at in range(HIGH)]
    wanted = np.logical_and.reduce(held) if holding == "all" else np.logical_or.reduce(held)
    return each[wanted]


def mean_sensitivity_distance(
    pair: Pair,
    *,
    weights: Sequence[float] | None = None,
    normalised: bool = True,
    holding: Literal["any", "all"] = "any",
) -> float:
    """Average the distance of the classes that hold a value of level 1 or 2 (equation 7).

    `sensitivity_distance` is this with the defaults.

    Parameters
    ----------
    weights, normalised
        As in `class_sensitivity_distance`.
    holding
        Which classes count: those that hold ``"any"`` of levels 1 and 2, as equation 7 says, or
        ``"all"`` of them, as the sentence before it says.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [30, 30, 50, 50], "disease": ["HIV", "flu", "flu", "flu"]})
    >>> levels = {"HIV": 1, "flu": 3}
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive(levels=levels)})
    >>> pair = shoal.measures.pair(frame, frame, schema)
    >>> mean_sensitivity_distance(pair, normalised=False)
    2.0
    """
    each = high_class_distances(pair, weights=weights, normalised=normalised, holding=holding)
    if not len(each):
        raise ParameterError(
            f"No class holds values of both levels 1 and {HIGH}.",
            "Use holding = 'any', which counts classes with a value of either.",
        )
    return float(each.mean())


def _high(pair: Pair) -> Graded:
    """Read the levels; refuse a publication in which there is no value to look at."""
    found = graded(pair)
    if not (found.levels <= HIGH).any():
        raise ParameterError(
            f"No published row holds a value of '{found.name}' of level 1 or {HIGH}.",
            "The measure needs classes with such values: check the levels.",
        )
    return found


@measure(better="higher", requires=_high, protection=True)
def sensitivity_distance(pair: Pair) -> float:
    """Sensitivity distance: how far apart the levels in a class are, on average.

    Only classes that hold a value of one of the two most sensitive levels count. The larger
    it is, the less an adversary learns of a person's level from the class. It needs a
    sensitive column with levels, in which each value has one. For other weights, or without
    the factor of equation 2 that the paper's examples leave out, see
    `mean_sensitivity_distance`.

    References
    ----------
    (αᵢ, k)-anonymity by graded sensitivity, equations 2 and 7.
    """
    return mean_sensitivity_distance(pair)


def _scale(n_levels: int, weights: Sequence[float] | None, normalised: bool) -> Floats:
    """Give the weight of each level from 0 on, the other factors included."""
    if weights is None:
        wanted = np.maximum(1 - _STEP * np.arange(n_levels - 2, -1, -1.0), _STEP)
    else:
        wanted = np.asarray(weights, dtype=np.float64)
        if wanted.shape != (n_levels - 1,) or not (wanted >= 0).all():
            raise ParameterError(
                f"weights must list {n_levels - 1} numbers of 0 or more, for levels 2 to "
                f"{n_levels}.",
                f"It lists {wanted.size}.",
            )
    factor = max(n_levels - 1, 1) if normalised else 1
    return np.concatenate([[0.0, 0.0], wanted]) / factor


def _distances(classes: Ints, levels: Ints, w: Floats) -> Floats:
    """Measure every class from its counts per level, without looking at pairs of records."""
    found = Histogram.count(classes, levels, (None,) * len(w))
    count, level = found.counts.astype(np.float64), found.value.astype(np.float64)
    sizes = np.bincount(classes).astype(np.float64)
    # Entries are sorted by class, then level: what stands before one in its class is lower.
    starts = np.searchsorted(found.group, np.arange(len(sizes)))[found.group]
    records = np.concatenate([[0.0], np.cumsum(count)])
    sums = np.concatenate([[0.0], np.cumsum(count * level)])
    here = np.arange(len(count))
    lower, lower_sum = records[here] - records[starts], sums[here] - sums[starts]
    terms = w[found.value] * count * (level * lower - lower_sum)
    pairs = sizes * (sizes - 1) / 2
    total = np.bincount(found.group, terms, minlength=len(sizes))
    return np.asarray(total / np.maximum(pairs, 1))


class Graded(NamedTuple):
    """A sensitive column read as levels."""

    name: str
    levels: Ints
    """The level of each published row's value; 1 is the most sensitive."""
    n_levels: int
    """How many levels the column's domain has: the largest one in the schema."""


def graded(pair: Pair) -> Graded:
    """Find the one sensitive column with levels, and the level of each published row.

    Refused if no column or several have levels, or a value has none (raises `ParameterError`).
    """
    require_pair(pair)
    schema = pair.table.schema
    named = [name for name in schema.sensitive if schema[name].levels]
    if len(named) != 1:
        raise ParameterError(
            "No sensitive column has levels."
            if not named
            else f"{len(named)} sensitive columns have levels, and the measure reads one.",
            "Give the levels of one column: shoal.sensitive(levels={…}), 1 the most sensitive.",
        )
    name = named[0]
    levels = schema[name].levels or {}
    column = pair.table.sensitive[name]
    of_code = levels_of(column.labels, levels, f"values of '{name}'")
    return Graded(name, of_code[column.codes[pair.recoded.rows]], max(levels.values()))
