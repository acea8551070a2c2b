"""How often values occur in classes, when classes become larger ones."""

from __future__ import annotations

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled
from shoal.kernels.ordering import sort

SPARSE = 8
"""Of a range of so many values per one that occurs, not every one is looked at."""


@compiled
def regroup(
    begin: Ints,
    value: Small,
    counts: Ints,
    label: Small,
    first: Small,
    after: Small,
    sums: Ints,
    dense: Small,
    new_begin: Ints,
    new_value: Small,
    new_counts: Ints,
) -> int:
    """Add counts up by new group and value, in this order; gives how many entries there are.

    - ``begin``, ``value``, ``counts``: where the entries of each old group begin; the entries,
      sorted by group, then by value.
    - ``label``: the new group of each old one.
    - ``first``, ``after``: room: a place per new group, and per old one.
    - ``sums``: room: a place per value; zeros, before and after.
    - ``dense``: room: zeros, before and after. Used where there is a place per new group and value.
    - ``new_begin``, ``new_value``, ``new_counts``: get the same of the new groups; there is room
      for one entry more than before.
    """
    groups, values, made = new_begin.shape[0] - 1, sums.shape[0], 0
    if groups * values <= dense.shape[0]:
        for i in range(label.shape[0]):
            at = label[i] * values
            for e in range(begin[i], begin[i + 1]):
                dense[at + value[e]] += counts[e]
        for g in range(groups):
            new_begin[g] = made
            for v in range(values):
                # No branch, which would mostly be foretold wrong: what is 0 is written over.
                n = dense[g * values + v]
                dense[g * values + v] = 0
                new_value[made], new_counts[made] = v, n
                made += n > 0
        new_begin[groups] = made
        return made
    first[:groups] = -1
    for i in range(label.shape[0] - 1, -1, -1):
        after[i] = first[label[i]]
        first[label[i]] = i
    for g in range(groups):
        new_begin[g] = made
        i = first[g]
        if i >= 0 and after[i] < 0:  # as it was
            for e in range(begin[i], begin[i + 1]):
                new_value[made], new_counts[made] = value[e], counts[e]
                made += 1
            continue
        end, low, high = made, values, -1
        while i >= 0:
            for e in range(begin[i], begin[i + 1]):
                v = value[e]
                if sums[v] == 0:
                    new_value[end] = v
                    end += 1
                    low, high = min(low, v), max(high, v)
                sums[v] += counts[e]
            i = after[i]
        if high - low <= SPARSE * (end - made):
            end = made
            for v in range(low, high + 1):
                new_value[end] = v
                end += sums[v] > 0
        else:
            sort(new_value, made, end)
        for e in range(made, end):
            v = new_value[e]
            new_counts[e], sums[v] = sums[v], 0
        made = end
    new_begin[groups] = made
    return made
