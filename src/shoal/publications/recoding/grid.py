"""The grid of rounded intervals: round numbers, coarser than the values that are hidden."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Floats, Ints

_STEPS_IN_RANGE = 20
_LARGEST = sys.float_info.max
_SMALLEST = 1e-300  # below it, one over the step overflows


def grid_step(values: npt.NDArray[Any]) -> float:
    """Choose a grid: 1, 2 or 5 times a power of ten, at least a twentieth of the range.

    It is coarsened until at most half of the values lie on it: on a grid as fine as the
    values, such as whole numbers from 1 to 10 or salaries in thousands, rounding would hide
    nothing.

    ``values``: the different values that published ranges cover, rising. Others must not be among
        them: the step would tell of people who are not published.

    >>> grid_step(np.arange(17, 91)), grid_step(np.array([3000, 5000, 9000, 11000]))
    (5.0, 2000.0)
    >>> grid_step(np.array([52.3401, 52.5018, 52.6772]))
    0.02
    """
    if len(values) < 2:
        return 1.0
    step = 1.0
    for step in _round_numbers(_finest(values)):
        if 2 * int(_on_grid(values, step).sum()) <= len(values) + 1:
            break
    return step


def outward(
    least: npt.NDArray[Any], largest: npt.NDArray[Any], step: float
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Move the ends of ranges to the next multiples of the step, never inward.

    A range of one number is left alone: everyone in its group holds it.

    >>> low, high = outward(np.array([17, 18, 33]), np.array([17, 22, 35]), 5.0)
    >>> low.tolist(), high.tolist()
    ([17, 15, 30], [17, 25, 35])
    """
    ends: tuple[npt.NDArray[Any], npt.NDArray[Any]]
    if least.dtype == np.int64:
        ends = _whole(least, step), _whole(largest, step, up=True)
    else:
        ends = _floor(least, step), -_floor(-largest, step) + 0.0
    shared = least == largest
    return np.where(shared, least, ends[0]), np.where(shared, largest, ends[1])


def _finest(values: npt.NDArray[Any]) -> float:
    """Say how fine the grid may be: a twentieth of the range, and far above a float's dust."""
    least, largest = float(values[0]), float(values[-1])
    # The range itself may be too large for a float.
    twentieth = largest / _STEPS_IN_RANGE - least / _STEPS_IN_RANGE
    return max(twentieth, max(abs(least), abs(largest)) * 2.0**-50, _SMALLEST)


def _round_numbers(start: float) -> Iterator[float]:
    """Count 1, 2, 5, 10, 20, … from the first that is not below the start."""
    for exponent in range(math.floor(math.log10(start)), 308):
        for times in (1, 2, 5):
            step = float(f"{times}e{exponent}")
            if step >= start:
                yield step


def _on_grid(values: npt.NDArray[Any], step: float) -> Bools:
    """Mark the multiples of the step."""
    if values.dtype != np.int64:
        return np.asarray(_floor(values, step) == values)
    if step < 1:
        return np.ones(len(values), dtype=np.bool_)
    if step >= 2.0**63:
        return np.asarray(values == 0)
    return np.asarray(values % int(step) == 0)


def _floor(values: npt.NDArray[Any], step: float) -> Floats:
    """Find the largest multiple of the step that is not above each value, float dust and all."""
    numbers = values.astype(np.float64)
    per_unit = round(1 / step) if step < 1 else 1
    whole = np.floor(numbers * per_unit if step < 1 else numbers / step)

    def multiple(of: Floats) -> Floats:
        with np.errstate(over="ignore"):  # next to the largest float there is none below
            made = of / per_unit if step < 1 else of * step
        return np.asarray(np.clip(made, -_LARGEST, _LARGEST))

    whole -= multiple(whole) > numbers
    whole += multiple(whole + 1) <= numbers
    return multiple(whole) + 0.0  # no negative zero


def _whole(values: npt.NDArray[Any], step: float, *, up: bool = False) -> Ints:
    """Round whole numbers, exactly, also past 2**53; 64 bits must hold the result."""
    by = max(int(step), 1)
    limits = np.iinfo(np.int64)
    largest = max(map(abs, (int(values.min()), int(values.max()))), default=0) if len(values) else 0
    if largest + by < 2**62:  # nothing can leave 64 bits on the way
        return np.asarray(-(-values // by) * by if up else values // by * by, dtype=np.int64)
    ends = [-(-v // by) * by if up else v // by * by for v in values.tolist()]
    return np.array([min(max(end, limits.min), limits.max) for end in ends], dtype=np.int64)
