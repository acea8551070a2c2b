"""What requirements ask of a group, as far as kernels can tell; `Judge` judges the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.refine.units import Needs
from shoal.models import Requirement
from shoal.publications.groups.completing import least_size
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.share_limits import share_limits
from shoal.table import Table

LARGEST_IN_K, ANY_SIZE = 6, 2**60
"""Where shares are bounded, no group grows beyond so many times k: rows that find no place without
too many of their value would gather in ever larger groups."""


def needs_of(table: Table, require: Sequence[Requirement], rows: Ints) -> tuple[Needs, int, int]:
    """Write requirements as counts of rows, people and values, and as shares of values.

    Also gives how many values and sets of values there are.
    """
    k = least_size(require)
    kinds: list[Ints] = []
    least: list[int] = []
    if table.people is not None:
        kinds.append(np.unique(table.people[rows], return_inverse=True)[1].astype(np.int64))
        least.append(k)
    required: dict[str, int] = {}
    whole = one_group(table, require, rows)
    for each in require:
        for name, number in each.least_values(whole).items():
            there = int(whole.histograms[name].different(1)[0])
            required[name] = max(required.get(name, 0), min(number, there))
    for name, number in required.items():
        kinds.append(table.sensitive[name].codes[rows].astype(np.int64))
        least.append(number)
    sets: list[Ints] = []
    shares: list[tuple[int, int]] = []
    for bounds in share_limits(table, require):
        codes = table.sensitive[bounds.column].codes[rows]
        sets.append(bounds.sets[codes].astype(np.int64) + len(shares))
        shares += [(share.numerator, share.denominator) for share in bounds.largest]
    needs = Needs(
        k=k,
        kind=np.array(kinds, dtype=np.int64).reshape(len(kinds), len(rows)),
        least=np.array(least, dtype=np.int64),
        slot=np.cumsum([0, *least])[:-1].astype(np.int64),
        sets=np.array(sets, dtype=np.int64).reshape(len(sets), len(rows)),
        above=np.array([above for above, _ in shares], dtype=np.int64),
        below=np.array([below for _, below in shares], dtype=np.int64),
        most=LARGEST_IN_K * k if shares else ANY_SIZE,
    )
    values = max((int(kind.max(initial=0)) + 1 for kind in kinds), default=1)
    return needs, values, max(len(shares), 1)
