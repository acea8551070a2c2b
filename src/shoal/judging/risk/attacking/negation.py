"""The negation attack: the adversary knows values that a person does not have."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.base.arguments import require_whole
from shoal.base.arrays import Bools, Floats
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import of_classes
from shoal.judging.risk.sight import Sight, sight
from shoal.table.schema import SchemaLike

KNOWN = 2
"""How many values the adversary rules out."""


@attack()
def negation(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    known: int = KNOWN,
) -> Attack:
    """Count the people whose value is certain once one or two other values are ruled out.

    "He does not have HIV, and he is too young for a stroke." An attacker who can rule out some
    values of a person in a class with just one more is certain of the rest. The worst values are
    taken: the adversary knows the ones that help most. The result is private.

    Parameters
    ----------
    published, schema, column
        As in `sight`; the sensitive column may be left out where there is one.
    known
        How many values can be ruled out; with 0 it is `homogeneity`.

    Returns
    -------
    Attack
        Its control deals the same values out at random over the classes. Details: ``certain``,
        the share of people with 0, 1, … values ruled out; ``likeliest``, how likely the best
        guess then is right, as a mean over people, and ``worst`` in the worst class.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 3 + ["*"] * 4,
    ...                       "disease": ["flu", "flu", "HIV", "HIV", "flu", "TB", "asthma"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> attack = shoal.risk.negation(table, schema, known=1)
    >>> attack.people, attack.details["worst"]
    (3, [0.6666666666666666, 1.0])

    References
    ----------
    A. Machanavajjhala et al.: l-diversity, ICDE 2006; D. Martin, D. Kifer, A. Machanavajjhala,
    J. Gehrke, J. Halpern: Worst-case background knowledge, ICDE 2007.
    """
    require_whole("known", known, 0, "Such as 2.")
    seen = sight(published, schema)
    name, _ = seen.column(column)
    certain = [_certain(seen, name, ruled) for ruled in range(known + 1)]
    likely = [_likeliest(seen, name, ruled) for ruled in range(known + 1)]
    means = [float(each @ seen.crowds / seen.crowds.sum()) for each in likely]
    return of_classes(
        "negation",
        seen,
        name,
        lambda each: _certain(each, name, known),
        f"an attacker who can rule out {known} other {'value' if known == 1 else 'values'} is "
        "certain of the value",
        first={"known": known},
        then={
            "certain": [seen.share_in(each) for each in certain],
            "likeliest": means,
            "worst": [float(each.max()) for each in likely],
        },
        remark=f"; the best guess is right for {means[known]:.1%}, {means[0]:.1%} without",
    )


def _certain(seen: Sight, name: str, ruled: int) -> Bools:
    """Mark the classes where nothing else is left."""
    different = seen.histograms[name].different(seen.n_classes)
    return (different >= 1) & (different <= ruled + 1)


def _likeliest(seen: Sight, name: str, ruled: int) -> Floats:
    """Say per class how likely its most frequent value is, without the next most frequent."""
    found = seen.histograms[name]
    order = np.lexsort((-found.counts, found.group))
    group, counts = found.group[order], found.counts[order]
    size = found.different(seen.n_classes)
    place = np.arange(len(group)) - np.repeat(np.cumsum(size) - size, size)
    out = (place >= 1) & (place <= ruled)
    gone = np.bincount(group[out], counts[out], minlength=seen.n_classes)
    best = np.bincount(group[place == 0], counts[place == 0], minlength=seen.n_classes)
    left = found.held(seen.n_classes) - gone
    return np.asarray(best / np.maximum(left, 1))
