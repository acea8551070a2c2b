"""The attack on several rows of a person: few people fit all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import require_whole
from shoal.base.arrays import Ints, numbered, runs
from shoal.errors import ParameterError
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import SEED
from shoal.judging.risk.sight import Sight, sight
from shoal.table.schema import SchemaLike

_AT_ONCE = 4_000_000
"""How many pairs of people are held in memory at once."""

_AT_MOST = 60_000_000
"""The most pairs that are examined; of more, a sample of people."""

_MANY = 6
"""People with this many rows or more are counted together in the details."""


@attack(needs=("people",), of_column=False)
def several_rows(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    people: npt.ArrayLike | None = None,
    k: int | None = None,
    seed: int = SEED,
) -> Attack:
    """Count the people with several rows who share all their classes with fewer than k people.

    Each class holds k people. But an attacker who knows several stays of a patient looks for people
    with a row in each of their classes, and these are fewer. The result is private.

    Parameters
    ----------
    published, schema, people
        As in `sight`.
    column
        Nothing: it is about the publication as a whole.
    k
        Fewer candidates than this are success. Left out: what the release requires, or else the
        least number of people in a class.
    seed
        Draws a sample of people where the table is too large for all.

    Returns
    -------
    Attack
        ``total`` are the people with several rows. Its control is the adversary who knows one
        of their rows alone. Details: ``by_rows``, the share among people with 2, 3, … rows;
        ``median``, the median number of candidates; ``alone``, how many have only one.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["young", "young", "old", "old"]})
    >>> schema = shoal.Schema({"who": shoal.identifier(), "age": shoal.quasi()}, entity="who")
    >>> attack = shoal.risk.several_rows(table, schema, people=[1, 2, 1, 3])
    >>> attack.people, attack.total, attack.details["alone"]  # 1 alone is young and old
    (1, 1, 1)
    """
    if k is not None:
        require_whole("k", k, 1, "Such as 10.")
    seen = sight(published, schema, people=people)
    if seen.people is None:
        raise ParameterError(
            "It is unknown which rows belong to which person.",
            "Name an entity in the plan, or give people for each row.",
        )
    least = k or (seen.least if seen.require else int(seen.crowds[seen.crowds > 0].min()))
    who, candidates, fewest, n_rows = _candidates(seen, np.random.default_rng(seed))
    exposed = candidates < least
    total = len(who)
    by_rows: dict[str, float] = {}
    for rows in range(2, _MANY + 1):
        here = n_rows == rows if rows < _MANY else n_rows >= rows
        if here.any():
            by_rows[str(rows) if rows < _MANY else f"{rows} or more"] = float(exposed[here].mean())
    details = {
        "k": least,
        "by_rows": by_rows,
        "median": float(np.median(candidates)) if total else 0.0,
        "alone": int((candidates == 1).sum()),
    }
    meaning = f"fewer than {least} people match all rows of a person with several rows"
    hit, chance = int(exposed.sum()), int((fewest < least).sum())
    return Attack.counted("several_rows", None, hit, chance, total, meaning, details)


def _candidates(seen: Sight, rng: np.random.Generator) -> tuple[Ints, Ints, Ints, Ints]:
    """List the people with several rows, and say how many people fit all their classes.

    Also how many are in the least of these classes, and how many rows each of them has.
    """
    assert seen.people is not None
    number = numbered(seen.people)
    n_rows = np.bincount(number)
    keys = np.unique(number * seen.n_classes + seen.classes)
    person, where = np.divmod(keys, seen.n_classes)
    size = np.bincount(person)
    start = np.cumsum(size) - size
    # Of each person's classes the one with the fewest people comes first.
    order = np.lexsort((where, seen.crowds[where], person))
    first = where[order[start]]
    by_class = np.lexsort((person, where))
    begin = np.searchsorted(where[by_class], np.arange(seen.n_classes))
    targets = np.flatnonzero(n_rows > 1)
    work = seen.crowds[first[targets]] * size[targets]
    if work.sum() > _AT_MOST:
        mixed = rng.permutation(len(targets))
        targets = targets[np.sort(mixed[np.cumsum(work[mixed]) <= _AT_MOST])]
        work = seen.crowds[first[targets]] * size[targets]
    counts = np.zeros(len(targets), dtype=np.int64)
    block = np.cumsum(work) // _AT_ONCE
    for each in np.unique(block):
        here = np.flatnonzero(block == each)
        mine = targets[here]
        owner, at = runs(begin[first[mine]], seen.crowds[first[mine]])
        other = person[by_class[at]]
        fits = np.ones(len(owner), dtype=np.bool_)
        for step in range(1, int(size[mine].max())):
            live = np.flatnonzero(fits & (size[mine][owner] > step))
            its = where[order[start[mine][owner[live]] + step]]
            wanted = other[live] * seen.n_classes + its
            at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            fits[live[keys[at] != wanted]] = False
        counts[here] = np.bincount(owner[fits], minlength=len(here))
    return targets, counts, seen.crowds[first[targets]], n_rows[targets]
