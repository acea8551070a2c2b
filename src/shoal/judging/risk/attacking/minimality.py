"""The minimality attack: a class that was not split says why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Ints, numbered
from shoal.errors import ParameterError
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import SEED
from shoal.judging.risk.sight import Sight, sight
from shoal.measures import Pair
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.publications.groups.counting import count_distinct
from shoal.publications.recoding import CategoryCells, Cells, NumberCells
from shoal.table import QuasiColumn
from shoal.table.schema import SchemaLike


def _requirements_on(seen: Sight, name: str) -> list[Requirement]:
    """Find what is required of the values of a column alone, as multi-l-diversity mostly is not."""
    by_column = [(each, getattr(each, "l", None)) for each in seen.required_of(name, seen.require)]
    return [each for each, of in by_column if not isinstance(of, Mapping) or set(of) == {name}]


@attack(
    fits=lambda seen, column: bool(_requirements_on(seen, column)) and not seen.pair.recoded.exact,
    needs=("original",),
)
def minimality(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    seed: int = SEED,
) -> Attack:
    """Count the people in classes that k would have split, and only their values forbade.

    An attacker who knows everyone's quasi-identifiers sees that a class could be split in two
    that hold k. A method that generalizes no more than it must did not split it: so one of the
    parts fails what is required of its values, as with too large a share of one. The conclusion
    is counted where it is true for every such split of the class. The result is private.

    Parameters
    ----------
    published, schema, original, rows
        As in `sight`. What is required comes from the release.
    column
        The sensitive column; may be left out where there is one.
    seed
        Draws the control.

    Returns
    -------
    Attack
        Its control deals the values of each class out at random among its people. Where it is
        as large, stopping tells nothing: the parts would have failed anyhow. Details:
        ``splittable``, the share of people in classes that k would split.

    Notes
    -----
    A split is by the children of a published node, or at the median of a range. It is an upper
    bound of what the attack of Wong et al. gives: that one part fails, not which one.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"sex": ["f", "f", "m", "m"] * 2,
    ...                        "disease": ["HIV", "HIV", "flu", "TB"] * 2})
    >>> schema = shoal.Schema({"sex": shoal.quasi(), "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(people, schema, require=shoal.AlphaK(0.5, 2),
    ...                           method="full-domain")
    >>> shoal.risk.minimality(release).people  # women alone would all have HIV
    8

    References
    ----------
    R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei: Minimality attack in privacy preserving data
    publishing, VLDB 2007.
    """
    seen = sight(published, schema, original=original, rows=rows)
    name, _ = seen.column(column)
    required = _requirements_on(seen, name)
    if not required:
        raise ParameterError(
            f"No requirement concerns the values of '{name}', so where splitting stops "
            "reveals nothing about them.",
            "The attack works on releases with requirements such as alpha-k or l-diversity.",
        )
    pair = seen.pair
    if pair.recoded.exact:
        raise ParameterError(
            "Cells are published unchanged, so no class could be split further.",
            "The attack works on generalized cells.",
        )
    classes = pair.sensitive_classes
    splits = [
        parts
        for each, cells in zip(pair.table.quasi, pair.recoded.columns, strict=True)
        if (parts := _parts(seen, pair, classes, each, cells)) is not None
    ]
    truth = pair.table.sensitive[name]
    codes = truth.codes[pair.recoded.rows]
    everyone = GroupStatistics(
        np.array([len(codes)]),
        None if seen.people is None else np.array([seen.n_people]),
        {name: Histogram.of_one(codes, truth.labels, seen.people)},
    )
    required = [each.against(everyone) for each in required]
    allowed, forced = _concluded(seen, splits, classes, codes, truth.labels, name, required)
    dealt = codes[np.lexsort((np.random.default_rng(seed).random(len(codes)), classes))]
    mixed = np.empty_like(codes)
    mixed[np.argsort(classes, kind="stable")] = dealt
    _, by_chance = _concluded(seen, splits, classes, mixed, truth.labels, name, required)
    marked = (allowed, forced, by_chance)
    reach, people, chance = (seen.people_of(each[classes]) for each in marked)
    meaning = (
        "the class is not split although k allows it, so one of the parts must fail a requirement"
    )
    total = seen.n_people
    details = {"splittable": reach / total, "of_classes": len(allowed)}
    return Attack.counted("minimality", name, people, chance, total, meaning, details)


def _parts(
    seen: Sight, pair: Pair, classes: Ints, column: QuasiColumn, cells: Cells
) -> Ints | None:
    """Number the parts that a column would split the classes into; -1 where k forbids it."""
    codes = np.asarray(column.codes)[pair.recoded.rows].astype(np.int64)
    if isinstance(cells, CategoryCells):
        tree = cells.hierarchy
        depth = np.minimum(tree.depth[cells.nodes] + 1, tree.height)[cells.index]
        part = tree.ancestors[np.append(tree.leaf_nodes, 0)[codes], depth].astype(np.int64)
    elif isinstance(cells, NumberCells):
        order = np.lexsort((codes, classes))
        size = np.bincount(classes)
        middle = codes[order][np.cumsum(size) - size + size // 2]
        part = (codes >= middle[classes]).astype(np.int64)
    known, number = np.unique(classes * (int(part.max()) + 1) + part, return_inverse=True)
    number = number.reshape(-1).astype(np.int64)
    owner = known // (int(part.max()) + 1)
    crowd = np.bincount(number)
    if seen.people is not None:
        crowd = count_distinct(number, seen.people, len(known))
    several = np.bincount(owner) > 1
    small = np.zeros(len(several), dtype=np.bool_)
    small[owner[crowd < seen.least]] = True
    fine = several & ~small
    return np.where(fine[classes], number, -1) if fine.any() else None


def _concluded(
    seen: Sight,
    splits: Sequence[Ints],
    classes: Ints,
    codes: Ints,
    labels: tuple[str | None, ...],
    name: str,
    required: Sequence[Requirement],
) -> tuple[Bools, Bools]:
    """Mark the classes that some column would split, and those where each such split fails."""
    size = int(classes.max()) + 1
    allowed = np.zeros(size, dtype=np.bool_)
    forced = np.ones(size, dtype=np.bool_)
    for parts in splits:
        here = np.flatnonzero(parts >= 0)
        number = numbered(parts[here])
        people = None if seen.people is None else seen.people[here]
        n_parts = int(number.max()) + 1
        groups = GroupStatistics(
            np.bincount(number).astype(np.int64),
            None if people is None else count_distinct(number, people, n_parts),
            {name: Histogram.count(number, codes[here], labels, people)},
        )
        fails = np.zeros(n_parts, dtype=np.bool_)
        for each in required:
            fails |= ~each.judge(groups).holds
        split = np.zeros(size, dtype=np.bool_)
        split[classes[here]] = True
        failed = np.zeros(size, dtype=np.bool_)
        failed[classes[here][fails[number]]] = True
        allowed |= split
        forced &= failed | ~split
    return allowed, allowed & forced
