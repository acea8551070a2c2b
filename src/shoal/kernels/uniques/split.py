"""Split classes of rows by one more column, and find the rows that nobody else's are like."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled


@compiled
def split(
    rows: Small,
    starts: Ints,
    n_classes: int,
    codes: npt.NDArray[Any],
    star: int,
    owner: Small,
    held: Ints,
    first: Small,
    place: Ints,
    met: Ints,
    out: Small,
    out_starts: Ints,
    alone: Small,
) -> tuple[int, int]:
    """Split each class by the codes of a column; keep what several people hold.

    A class is a run of ``rows``, class c from ``starts[c]`` to ``starts[c + 1]``. Parts with rows
    of several owners are written to ``out`` and ``out_starts``, rows of parts with one owner to
    ``alone``. Rows whose code is ``star`` are left out: they show nothing in this column.

    ``held`` must be all 0, and is so afterwards; with ``first``, ``place`` and ``met`` it has room
    for every code. Gives the number of new classes and of rows that are alone.
    """
    n_out, n_alone, parts = 0, 0, 0
    out_starts[0] = 0
    for c in range(n_classes):
        n_met = 0
        for at in range(starts[c], starts[c + 1]):
            row = rows[at]
            code = int(codes[row])
            if code == star:
                continue
            if held[code] == 0:
                met[n_met] = code
                n_met += 1
                first[code] = owner[row]
                place[code] = -1
            elif owner[row] != first[code]:
                place[code] = 0  # several people
            held[code] += 1
        for k in range(n_met):
            code = met[k]
            if place[code] == 0:
                place[code] = n_out
                n_out += held[code]
                parts += 1
                out_starts[parts] = n_out
            held[code] = 0
        for at in range(starts[c], starts[c + 1]):
            row = rows[at]
            code = int(codes[row])
            if code == star:
                continue
            if place[code] < 0:
                alone[n_alone] = row
                n_alone += 1
            else:
                out[place[code]] = row
                place[code] += 1
    return parts, n_alone
