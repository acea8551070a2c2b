"""What two releases of one table tell together, to who joins them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shoal.base.arguments import require_whole
from shoal.base.arrays import Ints, numbered, runs
from shoal.base.plural import counted
from shoal.errors import ParameterError
from shoal.judging.risk.base import Attack
from shoal.judging.risk.sight import Sight, sight
from shoal.publications.published import Released

_AT_ONCE = 1_000_000
"""How many pairs of classes are compared at once."""


def two_releases(first: Any, second: Any, *, k: int | None = None) -> list[Attack]:
    """Measure what two releases of one table reveal together; the result is private.

    Each release alone hides a person among k. An attacker who knows a person's quasi-identifiers
    finds the class in both, and only people who are in both classes remain. And a sensitive value
    must be one that both classes show. Which original row each published row stands for must be
    known: fresh releases know it, opened ones by their private folders.

    Parameters
    ----------
    first, second
        Two releases, fresh or opened with their private folders, of the same table with the same
        rows in the same order; or with other rows, where both were made with m-invariance, whose
        private folders name people.
    k
        Fewer candidates than this are success. Left out: the lesser k of the two.

    Returns
    -------
    list of Attack
        The first counts people with fewer than k candidates; its control is what the two tell
        apart, each alone. One more for each sensitive column that both publish: people for
        whom only one value remains, beside those where one release alone says so.

    Notes
    -----
    People who are in one of the releases only have the candidates of their class there.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [20, 21, 40, 41], "sex": ["f", "m", "f", "m"]})
    >>> ages = shoal.Schema({"age": shoal.quasi(), "sex": shoal.identifier()})
    >>> sexes = shoal.Schema({"age": shoal.identifier(), "sex": shoal.quasi()})
    >>> one, other = (shoal.anonymize(people, each, require=2, seed=1) for each in (ages, sexes))
    >>> attack, = shoal.risk.two_releases(one, other)
    >>> attack.people, attack.control  # the young and female one is alone
    (4, 0.0)
    """
    seen = sight(first), sight(second)
    named = _by_names(first, second)
    rows = (_rows(first), _rows(second)) if named is None else named
    if named is None:
        _require_as_many(first.input_rows, second.input_rows)
    if k is not None:
        require_whole("k", k, 1, "Such as 10.")
    least = k or min(seen[0].least, seen[1].least)
    _require_same(seen, rows)
    place = np.unique(np.concatenate(rows))
    classes = tuple(
        _beside(place, where, each.classes) for where, each in zip(rows, seen, strict=True)
    )
    people = np.arange(len(place))
    if named is None:
        people = _persons((first, second), rows, place)
    # Where a row is not published, nothing is learned of it.
    apart = [np.where(each < 0, len(place), _crowds(each, people)) for each in classes]
    alone = np.minimum(*apart)
    together = (classes[0] >= 0) & (classes[1] >= 0)
    both = alone.copy()
    met = classes[0][together] * (int(classes[1].max()) + 1) + classes[1][together]
    both[together] = _crowds(met, people[together])
    total = len(np.unique(people))
    hit, chance = (len(np.unique(people[each < least])) for each in (both, alone))
    details = {
        "k": least,
        "alone": len(np.unique(people[both == 1])),
        "median": float(np.median(both)),
        "in_both": int(together.sum()),
    }
    meaning = f"fewer than {least} people share the person's classes in both releases"
    found = Attack.counted("two_releases", None, hit, chance, total, meaning, details)
    shared = [name for name in seen[0].histograms if name in seen[1].histograms]
    inside = [each[together] for each in classes]
    return [found, *(_values(seen, inside, people[together], name) for name in shared)]


def _by_names(first: Any, second: Any) -> tuple[Ints, Ints] | None:
    """Number the people of both alike, where both know their names; everyone has one row."""
    names = [getattr(each, "names", None) for each in (first, second)]
    if names[0] is None or names[1] is None:
        return None
    numbers = numbered(np.concatenate([names[0], names[1]]))
    return numbers[: len(names[0])], numbers[len(names[0]) :]


def _rows(release: Any) -> Ints:
    """Find which original row each published row stands for."""
    found = release.rows if isinstance(release, Released) else None
    if found is None:
        raise ParameterError(
            "It is unknown which original row each published row comes from.",
            "Give two releases that have their private folders beside them.",
        )
    return np.asarray(found, dtype=np.int64)


def _require_as_many(first: int | None, second: int | None) -> None:
    """Refuse tables of other sizes: row i of one is not row i of the other."""
    if first != second and first is not None and second is not None:
        raise ParameterError(
            f"The releases are of tables of {first:,} and {second:,} rows, and nothing "
            "matches their people.",
            "Both must be of the same table, or made with m-invariance, which names people.",
        )


def _require_same(seen: tuple[Sight, Sight], rows: tuple[Ints, Ints]) -> None:
    """Refuse releases that nobody could take for two of one table."""
    if (seen[0].people is None) != (seen[1].people is None):
        raise ParameterError(
            "One release counts people and the other counts rows.",
            "Name the entity column in both plans.",
        )
    if not np.isin(rows[0], rows[1]).any():
        raise ParameterError(
            f"The releases have none in common of their {counted(len(rows[0]), 'row')}.",
            "Both must be of the same table.",
        )


def _beside(place: Ints, rows: Ints, classes: Ints) -> Ints:
    """Give the class of each original row; -1 where it is not published."""
    made = np.full(len(place), -1, dtype=np.int64)
    made[np.searchsorted(place, rows)] = classes
    return made


def _persons(releases: tuple[Any, Any], rows: tuple[Ints, Ints], place: Ints) -> Ints:
    """Number the people; by default, every row is one."""
    made = np.arange(len(place))
    for release, where in zip(releases, rows, strict=True):
        if release.persons is not None:
            made[np.searchsorted(place, where)] = release.persons
    return made


def _crowds(classes: Ints, people: Ints) -> Ints:
    """Count for each row the people of its class."""
    number = numbered(classes)
    width = int(people.max(initial=0)) + 1
    met = np.unique(number * width + people) // width
    return np.asarray(np.bincount(met)[number])


def _values(seen: tuple[Sight, Sight], classes: Sequence[Ints], people: Ints, name: str) -> Attack:
    """Count the people for whom both classes show one value in common."""
    one, other = (each.histograms[name] for each in seen)
    code = {label: at for at, label in enumerate(other.labels)}
    same = np.array([code.get(label, -1) for label in one.labels], dtype=np.int64)
    keys = np.unique(other.group * len(other.labels) + other.value)
    pairs, place = np.unique(classes[0] * seen[1].n_classes + classes[1], return_inverse=True)
    here, there = np.divmod(pairs, seen[1].n_classes)
    size = one.different(seen[0].n_classes)
    start = np.cumsum(size) - size
    common = np.zeros(len(pairs), dtype=np.int64)
    for begin in range(0, len(pairs), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        owner, at = runs(start[here[some]], size[here[some]])
        value = same[one.value[at]]
        wanted = there[some][owner] * len(other.labels) + value
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        fits = (value >= 0) & (keys[at] == wanted)
        common[some] = np.bincount(owner[fits], minlength=len(here[some]))
    certain = (common == 1)[place.reshape(-1)]
    known = (size == 1)[classes[0]] | (other.different(seen[1].n_classes) == 1)[classes[1]]
    hit, chance, total = (len(np.unique(each)) for each in (people[certain], people[known], people))
    meaning = (
        "the person's classes in both releases have only one value in common, so the "
        "attacker learns it"
    )
    details = {"values": float(common[place.reshape(-1)].mean())}
    return Attack.counted("two_releases", name, hit, chance, total, meaning, details)
