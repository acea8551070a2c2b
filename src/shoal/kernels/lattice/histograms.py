"""How often values occur in classes, when classes become larger ones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled

__all__ = ["regroup"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


@compiled
def regroup(
    group: Small,
    value: Small,
    counts: Ints,
    label: Small,
    begins: Ints,
    order: npt.NDArray[np.int32],
    dense: Ints,
    values: int,
    groups: int,
    new_group: Small,
    new_value: Small,
    new_counts: Ints,
) -> int:
    """Add counts up by new group and value, in this order; gives how many entries there are.

    Parameters
    ----------
    group, value, counts
        An entry per old group and value that occurs in it.
    label
        The new group of each old one.
    begins
        Room: one place per value and per new group, whichever are more.
    order
        Room: three rows of one place per entry.
    dense
        Room: zeros, before and after. Used where there is a place per new group and value.
    values, groups
        How many values and new groups there are.
    """
    n = group.shape[0]
    made = 0
    if values * groups <= dense.shape[0]:
        for i in range(n):
            dense[label[group[i]] * values + value[i]] += counts[i]
        for g in range(groups):
            for v in range(values):
                if dense[g * values + v]:
                    new_group[made], new_value[made] = g, v
                    new_counts[made] = dense[g * values + v]
                    dense[g * values + v] = 0
                    made += 1
        return made
    sorted_ = True
    for i in range(n):
        order[1, i] = i
        order[2, i] = label[group[i]]
        sorted_ = sorted_ and (i == 0 or value[i - 1] <= value[i])
    if not sorted_:
        for i in range(n):
            order[0, i] = i
        _sort(value, order[0], begins, order[1])
    _sort(order[2], order[1], begins, order[0])
    for at in range(n):
        i = order[0, at]
        g, v = order[2, i], value[i]
        if made and new_group[made - 1] == g and new_value[made - 1] == v:
            new_counts[made - 1] += counts[i]
        else:
            new_group[made], new_value[made], new_counts[made] = g, v, counts[i]
            made += 1
    return made


@compiled
def _sort(key: Small, before: Small, begins: Ints, after: Small) -> None:
    """Sort entries by key; equal ones stay in the order they come in."""
    for v in range(begins.shape[0]):
        begins[v] = 0
    for i in range(key.shape[0]):
        begins[key[i]] += 1
    total = 0
    for v in range(begins.shape[0]):
        total, begins[v] = total + begins[v], total
    for at in range(key.shape[0]):
        i = before[at]
        after[begins[key[i]]] = i
        begins[key[i]] += 1
