"""Cases worked out by hand: small groups, and which of them hold a requirement.

Every requirement brings some, at each of its thresholds too, and the contract checks hold it to
them. So one that never refuses, or that is off by one, is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shoal.base.arrays import Ints
from shoal.models._statistics import GroupStatistics, Histogram

if TYPE_CHECKING:
    from shoal.models.base import Requirement


class HandCase(NamedTuple):
    """A requirement, groups, and which of them hold it."""

    requirement: Requirement
    groups: GroupStatistics
    holds: Sequence[bool]


def written(
    *,
    people: Sequence[str] | None = None,
    private: Mapping[str, Sequence[str]] | None = None,
    **columns: Sequence[str],
) -> GroupStatistics:
    """Count groups that are written out, a text per group with a word per row.

    Parameters
    ----------
    people
        Whose the rows are, where people are counted.
    private
        The values of columns that no release holds.
    columns
        The values of each sensitive column; ``*`` is the missing one.

    Examples
    --------
    >>> groups = written(illness=["flu flu *", "HIV"], people=["ann bob bob", "eve"])
    >>> groups.sizes.tolist(), groups.counts.tolist()
    ([3, 1], [2, 1])
    >>> groups.histograms["illness"].labels
    (None, 'HIV', 'flu')
    """
    given = {**columns, **(private or {})}
    split = {name: [text.split() for text in texts] for name, texts in given.items()}
    first = next(iter(split.values()))
    sizes = np.array([len(words) for words in first])
    group = np.repeat(np.arange(len(sizes)), sizes)
    who = None if people is None else _codes([text.split() for text in people])[1]
    found = {}
    for name, words in split.items():
        labels, codes = _codes(words)
        shown = tuple(None if label == "*" else label for label in labels)
        found[name] = Histogram.count(group, codes, shown, who)
    counts = None
    if who is not None:
        counts = np.array([len(np.unique(who[group == each])) for each in range(len(sizes))])
    hidden = {name: found.pop(name) for name in private or {}}
    return GroupStatistics(sizes, counts, found, private=hidden)


def _codes(words: Sequence[Sequence[str]]) -> tuple[list[str], Ints]:
    labels, codes = np.unique([word for each in words for word in each], return_inverse=True)
    return labels.tolist(), codes.astype(np.int64)
