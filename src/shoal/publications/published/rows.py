"""Which original row a published row stands for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.base.plural import counted
from shoal.errors import ParameterError


def original_rows(rows: npt.ArrayLike | None, *, published: int, original: int) -> Ints:
    """Give the original row of each published one; refuse what cannot be a selection.

    ``rows``: as a release's private manifest gives them; ``None`` if row i stands for row i.
    ``published``, ``original``: how many rows the two tables have.

    >>> original_rows(None, published=2, original=2).tolist()
    [0, 1]
    >>> original_rows([2, 2], published=2, original=3)
    Traceback (most recent call last):
    shoal.errors.ParameterError: rows must name, for each of the 2 published rows, a different row
    of the original. Use the private manifest that was written with this release.
    """
    if rows is None:
        if published != original:
            raise ParameterError(
                f"The published table has {counted(published, 'row')}, the original {original}.",
                "Say which original row each published row comes from (rows=…, or the "
                "release's private manifest).",
            )
        return np.arange(original)
    order = np.asarray(rows)
    fits = (
        order.dtype.kind in "iu"  # a mask or floats would be read as other rows
        and order.shape == (published,)
        and bool(((order >= 0) & (order < original)).all())
    )
    named = np.zeros(original, dtype=np.bool_)
    if fits:
        named[order] = True
    if not fits or int(named.sum()) != len(order):
        raise ParameterError(
            f"rows must name, for each of the {counted(published, 'published row')}, a different "
            "row of the original.",
            "Use the private manifest that was written with this release.",
        )
    return order.astype(np.int64)
