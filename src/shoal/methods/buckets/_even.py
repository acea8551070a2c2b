"""Classes by dealing: records sorted by level and value go round like cards. Ours, no paper's."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Ints
from shoal.errors import ParameterError
from shoal.kernels.buckets.dealing import Deck, most_classes
from shoal.methods.base import Progress, unheard
from shoal.methods.buckets._terms import Terms
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.table import Table

TRIES = 20_000
"""Numbers of classes that are tried between two looks at the clock."""


def require_one_record_each(table: Table) -> None:
    """Refuse people with several records: dealt to one class, they would make it too small."""
    if table.people is not None and len(np.unique(table.people)) < table.n_rows:
        raise ParameterError(
            "spend = 'even' deals out records, but some people have several.",
            "Use spend = 'greedy', which counts people, or keep one record per person.",
        )


def deal(table: Table, terms: Terms, order: Ints, progress: Progress = unheard) -> Grouping:
    """Deal all records to as many classes as k and the shares allow.

    ``order``: all rows in the order in which they count as earlier or later.
    """
    n = table.n_rows
    cards = _sorted(terms, order)
    deck = _deck(terms, cards)
    classes, top = 0, n // max(terms.k, 1)
    while top > 0 and not classes:
        classes = most_classes(deck, n, top, max(top - TRIES, 1))
        top -= TRIES + 1
        progress(0, n)
    labels = np.full(n, SUPPRESSED, dtype=np.int32)
    if classes:
        labels[cards] = np.arange(n) % classes
    progress(n, n)
    return Grouping(labels)


def _sorted(terms: Terms, order: Ints) -> Ints:
    """Sort rows by level, then by value: the frequent first, then the earliest."""
    value = terms.codes[order]
    _, first, code, count = np.unique(
        value, return_index=True, return_inverse=True, return_counts=True
    )
    level = np.zeros(len(value)) if terms.level is None else terms.level[value]
    return order[np.lexsort((first[code], -count[code], level))]


def _deck(terms: Terms, cards: Ints) -> Deck:
    """Find the runs of every term that is bounded."""
    runs: list[list[tuple[int, int]]] = [[] for _ in terms.shares]
    for column in range(terms.terms.shape[1]):
        held = terms.terms[terms.codes[cards], column]
        begins = np.flatnonzero(np.diff(held, prepend=-1))
        sizes = np.diff(begins, append=len(held))
        for term, begin, size in zip(
            held[begins].tolist(), begins.tolist(), sizes.tolist(), strict=True
        ):
            runs[term].append((begin, size))
    bounded = [t for t, share in enumerate(terms.shares) if share < 1 and runs[t]]
    flat = [run for t in bounded for run in runs[t]]
    return Deck(
        first=np.cumsum([0, *(len(runs[t]) for t in bounded)]),
        place=np.array([begin for begin, _ in flat], dtype=np.int64),
        size=np.array([size for _, size in flat], dtype=np.int64),
        above=np.array([terms.shares[t].numerator for t in bounded], dtype=np.int64),
        below=np.array([terms.shares[t].denominator for t in bounded], dtype=np.int64),
    )
