"""Whether at least k people fit all rows of each person, counted anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.base.plural import counted
from shoal.judging.verification.result import Finding
from shoal.models import Requirement
from shoal.table.schema import Schema


def all_rows(
    schema: Schema,
    require: Sequence[Requirement],
    classes: Ints,
    persons: npt.NDArray[np.integer[Any]] | None,
) -> list[Finding]:
    """Look for people whom fewer than k fit, where the schema says that all rows may be known.

    A person fits another one who has a row in each class of theirs.
    """
    if schema.linkage != "all-rows" or persons is None:
        return []
    least = max((each.required_size for each in require), default=1)
    inside: dict[int, set[int]] = defaultdict(set)
    own: dict[int, set[int]] = defaultdict(set)
    for where, who in zip(classes.tolist(), persons.tolist(), strict=True):
        inside[where].add(who)
        own[who].add(where)
    fitting: dict[frozenset[int], int] = {}
    small = 0
    for places in own.values():
        key = frozenset(places)
        if key not in fitting:
            crowds = sorted((inside[each] for each in key), key=len)
            fitting[key] = len(crowds[0].intersection(*crowds[1:]))
        small += fitting[key] < least
    detail = f"at least {least} people match all rows of each person"
    if small:
        detail = f"fewer than {least} people match all rows of {counted(small, 'person', 'people')}"
    return [Finding("all rows of a person", not small, detail)]
